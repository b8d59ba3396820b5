"""The search over lanes: eight starts, or eight poses, take their steps side by side.

lanes.py copies this text behind the kernels of lane_kernels.py and compiles the whole; it says what the search may be
asked for. All numbers lie in the flat array w, number r of lane l at w[LANES r + l]. One pose has all lanes to
itself: they take its starts in order, and the answer is that of the first start, in this order, that solves it, as in
search.py. Many poses have a lane each, and a lane that is done takes the next pose. What the lanes cannot decide,
they leave to the loop of compiled_loop.py: a row is marked UNDECIDED.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, turn_back
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    FIXED_DAMPING,
    ITERATIONS,
    JOINTS,
    LOWER,
    MAX_ITERATIONS,
    ORIENTATION,
    ORIENTATION_ERROR,
    POSITION,
    POSITION_ERROR,
    REACH,
    RESTARTS,
    ROUNDED,
    SEED_AFTER,
    SEED_AT_HAND,
    SLOPE_OF_DAMPING,
    STARTS,
    STATUS,
    UNDECIDED,
    UPPER,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.lane_code import (
        ANGULAR,
        COUNT,
        DIAGONAL,
        DOF,
        DOUBT,
        EVENT,
        FIRST_STARTS,
        JOINT_RANGES,
        LANES,
        LARGEST_ANGLE,
        LINEAR,
        NEXT,
        QUIET,
        RESTING,
        ROWS,
        START,
        TARGET,
        Q,
        V,
        advance,
        damped_step,
        pose_and_jacobian,
        relative_pose,
        rotation_log,
        translation_log,
    )

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

NOTHING, REACHED, ENDED, DOUBTFUL = 0.0, 1.0, 2.0, 3.0
ROW, ATTEMPT, SETTLING, FRESH, SEED, BOOK = 0, 1, 2, 3, 4, 6
WALKING, SOLVED, FAILED, UNSURE = 0, 1, 2, 3
IDLE = -1


def judge(w: Array, numbers: Array) -> int:
    """Write the squared errors of each lane, what has happened to it, and the damping of its next step.

    Returns:
        0 when nothing has happened to any lane.
    """
    orientation, position = numbers[ORIENTATION] ** 2, numbers[POSITION] ** 2
    most, fixed, slope = numbers[MAX_ITERATIONS], numbers[FIXED_DAMPING], numbers[SLOPE_OF_DAMPING]
    happened = 0
    for lane in range(LANES):
        x, y, z = w[LANES * V + lane], w[LANES * (V + 1) + lane], w[LANES * (V + 2) + lane]
        angular = x * x + y * y + z * z
        x, y, z = w[LANES * (V + 3) + lane], w[LANES * (V + 4) + lane], w[LANES * (V + 5) + lane]
        linear = x * x + y * y + z * z
        resting, count, doubt = w[LANES * RESTING + lane], w[LANES * COUNT + lane], w[LANES * DOUBT + lane]
        event = ENDED if count >= most else NOTHING
        event = ENDED if resting > 0.0 else event
        event = event if angular > orientation else (event if linear > position else REACHED)
        event = DOUBTFUL if doubt > 0.0 else event
        half = 0.5 * (angular + linear)
        event = event if half < 1e300 else DOUBTFUL
        event = NOTHING if w[LANES * QUIET + lane] > 0.0 else event
        w[LANES * EVENT + lane] = event
        w[LANES * ANGULAR + lane] = angular
        w[LANES * LINEAR + lane] = linear
        w[LANES * DIAGONAL + lane] = fixed + slope * half
        happened |= int(event)
    return happened


def is_pose(targets: Array, top: int) -> bool:
    """Return whether the four rows from `top` on are a pose to rounding; any other target is looked at by Python."""
    a, b, c = targets[top, 0], targets[top, 1], targets[top, 2]
    d, e, f = targets[top + 1, 0], targets[top + 1, 1], targets[top + 1, 2]
    g, h, i = targets[top + 2, 0], targets[top + 2, 1], targets[top + 2, 2]
    skew = abs(a * b + d * e + g * h) + abs(a * c + d * f + g * i) + abs(b * c + e * f + h * i)
    stretch = abs(a * a + d * d + g * g - 1.0) + abs(b * b + e * e + h * h - 1.0) + abs(c * c + f * f + i * i - 1.0)
    turns = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    last = abs(targets[top + 3, 0]) + abs(targets[top + 3, 1]) + abs(targets[top + 3, 2]) + abs(targets[top + 3, 3] - 1)
    finite = abs(targets[top, 3]) + abs(targets[top + 1, 3]) + abs(targets[top + 2, 3]) < 1e300
    return bool(finite and skew <= ROUNDED and stretch <= ROUNDED and turns > 0.0 and last == 0.0)


def is_within_reach(targets: Array, top: int, numbers: Array) -> bool:
    """Return whether the position of the target lies in the ball that the arm can reach."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[REACH + 1], y - numbers[REACH + 2], z - numbers[REACH + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[REACH] + numbers[POSITION])


def begin(w: Array, book: Whole, lane: int, row: int, targets: Array, starts: Array, numbers: Array) -> bool:
    """Put a row's target and first start into a lane; return whether both can be left to the lanes."""
    top = 4 * row
    if not is_pose(targets, top) or not is_within_reach(targets, top, numbers):
        return False
    for i in range(12):
        w[LANES * (TARGET + i) + lane] = targets[top + i // 4, i % 4]
    inside = True
    for i in range(DOF):
        q, joint = starts[DOF * row + i], JOINT_RANGES + 5 * i
        inside = inside and numbers[joint + LOWER] <= q <= numbers[joint + UPPER] and abs(q) < LARGEST_ANGLE
        w[LANES * (START + i) + lane] = q
        w[LANES * (NEXT + i) + lane] = q
    book[BOOK * lane + ROW], book[BOOK * lane + ATTEMPT] = row, 0
    book[BOOK * lane + SETTLING], book[BOOK * lane + FRESH] = 0, 1
    w[LANES * QUIET + lane] = 0.0
    return inside


def draw(w: Array, book: Whole, lane: int, attempt: int, state: Whole, joints: Array, q: Array) -> None:
    """Send a lane to the next random start of its pose."""
    random_configuration(state, joints, q)
    for i in range(DOF):
        w[LANES * (START + i) + lane] = q[i]
        w[LANES * (NEXT + i) + lane] = q[i]
    book[BOOK * lane + ATTEMPT], book[BOOK * lane + SETTLING], book[BOOK * lane + FRESH] = attempt, 0, 1


def settle(w: Array, book: Whole, lane: int, joints: Array, q: Array, start: Array, turned: Array) -> int:
    """Take whole turns off a lane that has reached its pose; return how the start ends.

    Where that, or a limit, moves a joint, the lane stays for one more look at the q that is reported: a limit that was
    passed by less than the tolerance costs no solution.
    """
    if book[BOOK * lane + SETTLING] == 1:
        return SOLVED
    for i in range(DOF):
        q[i] = w[LANES * (Q + i) + lane]
        start[i] = w[LANES * (START + i) + lane]
    turn_back(q, start, joints, turned)
    clip(turned, joints)
    moved = False
    for i in range(DOF):
        moved = moved or turned[i] != q[i]
        w[LANES * (NEXT + i) + lane] = turned[i]
    if moved:
        book[BOOK * lane + SETTLING], book[BOOK * lane + FRESH] = 1, 1
    return WALKING if moved else SOLVED


def outcome(w: Array, book: Whole, lane: int, joints: Array, q: Array, start: Array, turned: Array) -> int:
    """Return what has become of a lane's start."""
    event = w[LANES * EVENT + lane]
    if event == REACHED:
        return settle(w, book, lane, joints, q, start, turned)
    if event == DOUBTFUL:
        return UNSURE
    return FAILED if event == ENDED else WALKING


def write_report(w: Array, book: Whole, lane: int, reports: Array) -> None:
    """Write the report of a lane that has solved its pose."""
    at = (JOINTS + 2 * DOF) * book[BOOK * lane + ROW]
    reports[at + STATUS], reports[at + ITERATIONS] = CONVERGED, w[LANES * COUNT + lane]
    reports[at + RESTARTS] = book[BOOK * lane + ATTEMPT]
    reports[at + ORIENTATION_ERROR] = math.sqrt(w[LANES * ANGULAR + lane])
    reports[at + POSITION_ERROR] = math.sqrt(w[LANES * LINEAR + lane])
    for i in range(DOF):
        reports[at + JOINTS + i] = w[LANES * (Q + i) + lane]
        reports[at + JOINTS + DOF + i] = w[LANES * (START + i) + lane]


def move_on(w: Array, book: Whole) -> None:
    """Put the lanes that were sent somewhere to where they shall look next."""
    for lane in range(LANES):
        if book[BOOK * lane + FRESH] == 1:
            for i in range(DOF):
                w[LANES * (Q + i) + lane] = w[LANES * (NEXT + i) + lane]
            w[LANES * COUNT + lane] = w[LANES * COUNT + lane] - 1.0 if book[BOOK * lane + SETTLING] == 1 else 0.0
            # a lane that settles has one look: it ends with it, if it does not find the pose again
            w[LANES * RESTING + lane] = 1.0 if book[BOOK * lane + SETTLING] == 1 else 0.0
            w[LANES * DOUBT + lane] = 0.0
            book[BOOK * lane + FRESH] = 0


def take(
    w: Array,
    book: Whole,
    lane: int,
    row: int,
    targets: Array,
    starts: Array,
    seeds: Whole,
    numbers: Array,
    reports: Array,
) -> int:
    """Give a lane the next row that it can begin, from `row` on, and return the row after it."""
    while row < seeds.shape[0]:
        if begin(w, book, lane, row, targets, starts, numbers):
            plant(seeds[row], book[BOOK * lane + SEED : BOOK * lane + SEED + 2])
            return row + 1
        reports[(JOINTS + 2 * DOF) * row + STATUS] = UNDECIDED
        row += 1
    for i in range(12):
        w[LANES * (TARGET + i) + lane] = 0.0
    for i in range(DOF):
        w[LANES * (NEXT + i) + lane] = 0.0
    book[BOOK * lane + SETTLING], book[BOOK * lane + FRESH] = 0, 1
    rest(w, book, lane)
    return row


def rest(w: Array, book: Whole, lane: int) -> None:
    """Let a lane be: what happens to it is not looked at any more."""
    book[BOOK * lane + ROW] = IDLE
    w[LANES * QUIET + lane] = 1.0


def share(w: Array, book: Whole, seed: int, limit: int, numbers: Array, joints: Array, q: Array) -> None:
    """Give the pose of lane 0 to the other lanes, each at a random start, in order; those of FIXED_SEED are at hand."""
    at_hand = seed == int(numbers[SEED_AT_HAND])
    for i in range(12):
        target = w[LANES * (TARGET + i)]
        for lane in range(LANES):
            w[LANES * (TARGET + i) + lane] = target
    for i in range(DOF):
        first = w[LANES * (START + i)]
        for lane in range(LANES):
            start = numbers[FIRST_STARTS + LANES * i + lane]
            w[LANES * (START + i) + lane] = start
            w[LANES * (NEXT + i) + lane] = start
        w[LANES * (START + i)], w[LANES * (NEXT + i)] = first, first
    plant(seed, book[SEED : SEED + 2])
    if at_hand:
        book[SEED], book[SEED + 1] = int(numbers[SEED_AFTER]), int(numbers[SEED_AFTER + 1])
    for lane in range(1, LANES):
        if not at_hand:
            draw(w, book, lane, lane, book[SEED : SEED + 2], joints, q)
        book[BOOK * lane + ATTEMPT], book[BOOK * lane + SETTLING], book[BOOK * lane + FRESH] = lane, 0, 1
        book[BOOK * lane + ROW], w[LANES * QUIET + lane] = 0, 0.0
        if lane >= limit:
            rest(w, book, lane)


def solve_rows(targets: Array, starts: Array, numbers: Array, seeds: Whole, reports: Array) -> bool:
    """Solve each row, and return whether the first is solved; a row that the lanes cannot decide is left UNDECIDED.

    Args:
        targets: Poses one below the other, shape (4 k, 4).
        starts: First starts one after the other, shape (n k,).
        numbers: Settings, reach and joints in one row; see layout.py.
        seeds: Shape (k,).
        reports: Shape ((5 + 2 n) k,); receives a report a row, see layout.py.
    """
    k = seeds.shape[0]
    if targets.shape[0] != 4 * k or targets.shape[1] != 4 or starts.shape[0] != DOF * k:
        return False
    end = LANES * ROWS
    w = np.empty(end + 3 * DOF + LANES * BOOK)
    q, start, turned = w[end : end + DOF], w[end + DOF : end + 2 * DOF], w[end + 2 * DOF : end + 3 * DOF]
    book = w[end + 3 * DOF :].view(np.int64)
    joints = numbers[JOINT_RANGES : JOINT_RANGES + 5 * DOF].reshape((DOF, 5))
    together, limit, dealt, row = k == 1, int(numbers[STARTS]), LANES, 0
    if together:
        reports[STATUS] = UNDECIDED
        if not begin(w, book, 0, 0, targets, starts, numbers):
            return False
        share(w, book, seeds[0], limit, numbers, joints, q)
    else:
        for lane in range(LANES):
            row = take(w, book, lane, row, targets, starts, seeds, numbers, reports)
    moved, walking = True, together
    for lane in range(LANES):
        walking = walking or book[BOOK * lane + ROW] != IDLE
    while walking:
        if moved:
            move_on(w, book)
        pose_and_jacobian(w)
        relative_pose(w)
        rotation_log(w)
        translation_log(w)
        moved = judge(w, numbers) != 0
        if moved:
            walking = False
            for lane in range(LANES):
                mine = BOOK * lane
                if book[mine + ROW] == IDLE:
                    continue
                if together and book[mine + ATTEMPT] >= limit:
                    rest(w, book, lane)
                    continue
                ended = WALKING
                if w[LANES * EVENT + lane] != NOTHING:
                    ended = outcome(w, book, lane, joints, q, start, turned)
                if ended == FAILED:
                    attempt, seed = (dealt, SEED) if together else (book[mine + ATTEMPT] + 1, mine + SEED)
                    dealt += 1
                    if attempt < limit:
                        draw(w, book, lane, attempt, book[seed : seed + 2], joints, q)
                        ended = WALKING
                if ended == SOLVED:
                    write_report(w, book, lane, reports)
                if ended == WALKING:
                    walking = True
                elif together:
                    if ended == UNSURE:
                        reports[STATUS] = UNDECIDED
                    if ended != FAILED:  # only an earlier start can decide otherwise
                        limit = book[mine + ATTEMPT]
                    rest(w, book, lane)
                else:
                    if ended != SOLVED:
                        reports[(JOINTS + 2 * DOF) * book[mine + ROW] + STATUS] = UNDECIDED
                    row = take(w, book, lane, row, targets, starts, seeds, numbers, reports)
                    walking = walking or book[mine + ROW] != IDLE
        if walking:
            damped_step(w)
            advance(w)
    return bool(reports[STATUS] == CONVERGED)
