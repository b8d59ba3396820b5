"""When each pose of a chunk begins, and in which lane: the count behind the figure of lesson 24."""

from lessons_lib.arrays import Array, Integers


def fill_lanes(
    steps: Array, first: int, last: int, width: int, refill: bool, free: Array, begins: Array, lanes: Integers
) -> float:
    """Write in which tick each pose from `first` to before `last` begins, and its lane; return when all are done.

    A tick is a step of every lane. A lane that is done takes the next pose, the one that has been free for longest
    first; or, without `refill`, all wait until the slowest is done. `free` is scratch, one entry a lane.
    """
    end, filled = 0.0, 0
    for lane in range(width):
        free[lane] = 0.0
    for pose in range(first, last):
        lane = 0
        if refill:
            for other in range(1, width):
                if free[other] < free[lane]:
                    lane = other
        else:
            lane = filled
            filled += 1
            if filled == width:
                filled = 0
            if lane == 0:
                for other in range(width):
                    free[other] = end
        begins[pose] = free[lane]
        lanes[pose] = lane
        free[lane] += steps[pose]
        end = max(end, free[lane])
    return end
