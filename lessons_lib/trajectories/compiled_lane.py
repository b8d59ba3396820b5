"""The compiled trace over one lane: the warm starts that solve their waypoint, one after the other.

lane_module.py puts this text behind the search of pose_ik/lanes.py, compiled for a single lane: with one pose at a time
the kernels of the lanes are scalar ones, and know all that was derived of the chain. What one start does not
decide is left to waypoint_by_waypoint.py, waypoint by waypoint.

By hand: it is a loop with many ends.
Held by: tests/trajectories/test_one_lane.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import EVALUATIONS, JOINTS, ORIENTATION_ERROR, POSITION_ERROR, UNDECIDED
from lessons_lib.pose_ik.poses import is_pose
from lessons_lib.trajectories.places import place_guess

if TYPE_CHECKING:
    from lessons_lib.pose_ik.compiled_lanes import (
        NEEDS_WRAP,
        NOTHING,
        RUNNING,
        SOLVED,
        begin,
        equip,
        evaluate,
        move_on,
        outcome,
        wrap_lane,
        write_report,
    )
    from lessons_lib.pose_ik.lane_code import (
        ANGULAR,
        BEGINS,
        DOF,
        EVENT,
        LANES,
        LINEAR,
        ROWS,
        Q,
        advance,
        damped_step,
    )


def trace_rows(targets: Array, places: Array, counts: Integers, joints: Array, numbers: Array, reports: Array) -> int:
    """Solve waypoints from where the arm is, and return how many were; the next one is not decided here.

    Args:
        targets: The waypoints one below the other, of which each may still be no pose, shape (4 k, 4).
        places: Where the arm was at first, where it is, where it was before, shape (3, n); moved along.
        counts: Where to start, what to do about a failure, how many waypoints the arm has gone to; moved along.
        joints: The limits, as `Arm.joints` has them.
        numbers: As `solve_rows` over lanes is given.
        reports: Shape ((5 + 2 n) k,); receives a report of each waypoint that is solved.
    """
    w, guess, here, q = np.zeros(ROWS * LANES).reshape((-1, LANES)), np.empty(DOF), np.empty(DOF), np.empty(DOF)
    size = JOINTS + 2 * DOF
    count: int = targets.shape[0] // 4
    equip(w, numbers)
    for row in range(count):
        place_guess(places, counts, joints, guess)
        if not is_pose(targets, 4 * row) or not begin(w, 0, row, targets, guess, 0, numbers):
            return row
        if iterate(w, numbers, guess) != SOLVED:
            return row
        write_report(w, 0, size * row, reports)
        for i in range(DOF):
            here[i], q[i] = places[1, i], w[Q + i, 0]
        if unwrap(q, here, joints):
            write_unwrapped(w, q, reports, size * row)
        for i in range(DOF):
            places[2, i], places[1, i] = here[i], q[i]
        counts[2] += 1
    return count


def iterate(w: Array, numbers: Array, guess: Array) -> int:
    """Take the steps of the start `guess`, and return how it ends: UNDECIDED when its evaluations are used up."""
    move_on(w, 0)
    evaluations = 0.0
    while evaluations < numbers[EVALUATIONS]:  # read anew each time: another thread may end the search
        evaluations += 1.0
        evaluate(w)
        if w[EVENT, 0] != NOTHING:
            ended = outcome(w, 0, numbers, guess, 0)
            if ended == NEEDS_WRAP:
                ended = wrap_lane(w, 0, numbers, guess, 0)
            if ended != RUNNING:
                return ended
            move_on(w, 0)
            continue
        damped_step(w)
        advance(w)
    return UNDECIDED


def write_unwrapped(w: Array, q: Array, reports: Array, at: int) -> None:
    """Write a configuration that was unwrapped, and the errors that belong to it, into the report at place `at`."""
    for i in range(DOF):
        w[Q + i, 0], reports[at + JOINTS + i] = q[i], q[i]
    w[BEGINS, 0] = 1.0
    evaluate(w)
    reports[at + ORIENTATION_ERROR] = math.sqrt(w[ANGULAR, 0])
    reports[at + POSITION_ERROR] = math.sqrt(w[LINEAR, 0])
