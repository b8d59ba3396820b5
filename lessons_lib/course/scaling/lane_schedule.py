"""Schedule of the poses of a chunk on SIMD lanes, for the figure of lesson 24."""

from lessons_lib.arrays import Array, Integers


def fill_lanes(
    steps: Array, first: int, last: int, width: int, refill: bool, free: Array, begins: Array, lanes: Integers
) -> float:
    """Write start tick and lane of the poses from `first` to before `last`; return the tick when all are done."""
    # In each tick every lane takes a step. With `refill`, a free lane takes the next pose, the longest-free lane first;
    # otherwise all wait for the slowest. `free` is scratch with one entry per lane.
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
