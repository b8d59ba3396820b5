"""One pose for all lanes: they take its starts in order, side by side.

lanes.py copies this text behind that of compiled_lanes.py. The answer is that of the first start, in this order, that
solves the pose, as in search.py, so the later starts matter only when the earlier ones fail. Those that are not among
the next in line wait, once they have ended, until it is their turn to be looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.layout import (
    CONVERGED,
    LOWER,
    SEED_AFTER,
    SEED_AT_HAND,
    STARTS,
    STATUS,
    UNDECIDED,
    UPPER,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.compiled_lanes import (
        FAILED,
        NOTHING,
        SOLVED,
        UNSETTLED,
        UNSURE,
        WALKING,
        draw,
        is_pose,
        is_within_reach,
        judge,
        move_on,
        outcome,
        settle,
        write_report,
    )
    from lessons_lib.pose_ik.lane_code import (
        ATTEMPT,
        BEGINNING,
        DOF,
        EVENT,
        JOINT_RANGES,
        LANES,
        LARGEST_ANGLE,
        NEXT,
        NUMBERS,
        QUIET,
        START,
        STATE,
        Q,
        advance,
        damped_step,
        pose_and_jacobian,
        relative_pose,
        rotation_log,
        spread,
        translation_log,
    )

Array = NDArray[np.float64]

KEPT_UP = 2.0
"""So many starts behind the first are looked at as soon as they end, because they may be needed."""


def share(w: Array, start: Array, seed: int) -> bool:
    """Put the first start into lane 0, and random ones into the others, in order; those of FIXED_SEED are at hand.

    Returns:
        Whether the first start lies within the limits.
    """
    for k in range(LANES * NEXT):
        w[k] = w[NUMBERS + BEGINNING + k]
    inside = True
    for i in range(DOF):
        value, joint = start[i], NUMBERS + JOINT_RANGES + 5 * i
        inside = inside and w[joint + LOWER] <= value <= w[joint + UPPER] and abs(value) < LARGEST_ANGLE
        w[LANES * (START + i)], w[LANES * (Q + i)] = value, value
    w[STATE], w[STATE + 1] = w[NUMBERS + SEED_AFTER], w[NUMBERS + SEED_AFTER + 1]
    if seed != int(w[NUMBERS + SEED_AT_HAND]):
        state = np.empty(2, dtype=np.int64)
        plant(seed, state)
        w[STATE], w[STATE + 1] = state[0], state[1]
        for lane in range(1, LANES):
            send(w, lane, float(lane))
        move_on(w)
    return inside


def send(w: Array, lane: int, attempt: float) -> None:
    """Send a lane to the next random start."""
    joints, q = w[NUMBERS + JOINT_RANGES : NUMBERS + JOINT_RANGES + 5 * DOF].reshape((DOF, 5)), np.empty(DOF)
    state = np.empty(2, dtype=np.int64)
    state[0], state[1] = int(w[STATE]), int(w[STATE + 1])
    draw(w, lane, attempt, state, joints, q)
    w[STATE], w[STATE + 1] = state[0], state[1]


def bring_back(w: Array, lane: int) -> int:
    """Take whole turns off a lane that has reached its pose; return how the start ends."""
    joints = w[NUMBERS + JOINT_RANGES : NUMBERS + JOINT_RANGES + 5 * DOF].reshape((DOF, 5))
    return settle(w, lane, joints, np.empty(DOF), np.empty(DOF), np.empty(DOF))


def solve_pose(target: Array, start: Array, w: Array, seed: int, report: Array) -> bool:
    """Solve one pose, and return whether it is solved; one that the lanes cannot decide is left to the scalar loop.

    Views of arrays are avoided until something has to be put right: counting references would cost more than a look.

    Args:
        target: T_sd, shape (4, 4).
        start: The first start, shape (n,).
        w: Room to work in, then the numbers that solve_rows is given; nobody else may use it meanwhile.
        seed: Of the random starts.
        report: Shape (5 + 2 n,); receives the report of a solved pose, see layout.py.
    """
    if target.shape[0] != 4 or target.shape[1] != 4 or start.shape[0] != DOF:
        return False
    if not is_pose(target, 0) or not is_within_reach(target, 0, w, NUMBERS) or not share(w, start, seed):
        return False
    spread(w, target)
    limit, dealt, line, status, moved = w[NUMBERS + STARTS], float(LANES), KEPT_UP, UNDECIDED, False
    while True:
        pose_and_jacobian(w)
        relative_pose(w)
        rotation_log(w)
        translation_log(w)
        if judge(w, w, NUMBERS, line) != 0:
            for lane in range(LANES):
                attempt = w[LANES * ATTEMPT + lane]
                if w[LANES * EVENT + lane] == NOTHING or attempt > line or attempt >= limit:
                    continue
                ended = outcome(w, lane, w, NUMBERS)
                if ended == UNSETTLED:
                    ended = bring_back(w, lane)
                if ended == FAILED:
                    if dealt < limit:
                        send(w, lane, dealt)
                        ended = WALKING
                    dealt += 1.0
                if ended == SOLVED:
                    write_report(w, lane, 0, report)
                    status = CONVERGED
                if ended == UNSURE:
                    status = UNDECIDED
                if ended == SOLVED or ended == UNSURE:  # only an earlier start can decide otherwise
                    limit = attempt
                if ended != WALKING:
                    w[LANES * QUIET + lane] = 1.0
            if limit == 0.0:
                break
            line = limit
            for lane in range(LANES):
                if w[LANES * QUIET + lane] == 0.0:
                    line = min(line, w[LANES * ATTEMPT + lane])
            if line >= limit:
                break
            line, moved = min(line + KEPT_UP, limit - 1.0), True
        damped_step(w)
        advance(w)
        if moved:
            move_on(w)
            moved = False
    report[STATUS] = status
    return bool(status == CONVERGED)
