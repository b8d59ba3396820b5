"""The compiled trace: the loop of readable_path.py for one chain, with no Python object in sight.

Its text is joined to the chain's module of `pose_ik`, as compiled_module.py tells, and stands on the functions of
pose_ik/compiled_loop.py. A test holds the two loops together, waypoint by waypoint.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.compiled_loop import follow, see, settle, solve_rows
from lessons_lib.pose_ik.compiled_rules import copy, write
from lessons_lib.pose_ik.compiled_steps import Arrays, workspace
from lessons_lib.pose_ik.joint_ranges import clip, turn_back, turn_towards
from lessons_lib.pose_ik.layout import CONVERGED, ITERATIONS, JOINTS, LOOKS, NEAREST, RESTARTS, SAMPLES, STATUS
from lessons_lib.trajectories.places import AHEAD, FIRST, SKIP

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF

Array = NDArray[np.float64]


def trace_rows(
    targets: Array,
    places: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: NDArray[np.int64],
    counts: NDArray[np.int64],
    reports: Array,
) -> int:
    """Solve each waypoint from where the arm is; write a report for each that is tried, and return how many are.

    It stops after a waypoint that is not reached, unless that shall be skipped.

    `places` holds three configurations: where the arm was at first, where it is, where it was before; the last two
    are moved along. `counts` holds where to start, what to do about a failure, and, moved along as well, how many
    waypoints the arm has gone to one after the other. A search that is ended early has not tried the waypoint at hand.
    """
    work, best, no_trace = workspace(), np.empty(1 + DOF), np.empty((0, DOF + 8))
    here, before, guess = places[1], places[2], np.empty(DOF)
    one_start = settings[SAMPLES] == 0.0 and settings[NEAREST] == 0.0
    for row in range(targets.shape[0]):
        target, report, solved = targets[row], reports[row], False
        place_guess(places, counts, joints, guess)
        if one_start:
            best[0] = math.inf
            status, iterations = follow(guess, target, joints, settings, False, work, best, no_trace)
            if status == CONVERGED:
                solved = is_settled(guess, joints, work)
                solved = solved or settle(guess, guess, target, joints, settings, work) == CONVERGED
        if solved:
            write(report, CONVERGED, iterations, work[3], guess, work[5])
            report[RESTARTS] = 0.0
        else:
            only = slice(row, row + 1)
            solve_rows(targets[only], guess.reshape(1, DOF), joints, reach, settings, seeds[only], reports[only])
        if settings[LOOKS] <= 0.0:  # another thread has ended the search
            return row
        q = report[JOINTS : JOINTS + DOF]
        if turn_towards(q, here, joints):
            tell(report, q.copy(), target, settings, work)
        if report[STATUS] == CONVERGED:
            copy(here, before)
            copy(q, here)
            counts[2] += 1
        elif counts[1] != SKIP:
            return row + 1
        else:
            counts[2] = 0
    return len(targets)


def is_settled(guess: Array, joints: Array, work: Arrays) -> bool:
    """Write the solution of `follow` to work[3], and return whether it is within the limits without a turn.

    Its errors are known then, and there is nothing left to `settle`.
    """
    q, turned = work[0], work[3]
    settled = turn_back(q, guess, joints, turned)
    for i in range(q.shape[0]):
        settled = settled and q[i] == turned[i]
    return settled


def place_guess(places: Array, counts: NDArray[np.int64], joints: Array, guess: Array) -> None:
    """Write where the next solve begins: where the arm is, as far ahead again as it came, or where it was first."""
    if counts[0] == FIRST:
        copy(places[0], guess)
        return
    copy(places[1], guess)
    if counts[0] == AHEAD and counts[2] >= 2:
        for i in range(guess.shape[0]):
            guess[i] += places[1, i] - places[2, i]
        clip(guess, joints)


def tell(report: Array, q: Array, target: Array, settings: Array, work: Arrays) -> None:
    """Write a configuration that was turned, and the errors that belong to it, into the report."""
    _, _, _, _, _, V, _, _, _, _, _, J, _, T, R, L, _ = work
    see(q, target, settings, T, R, J, V, L)
    write(report, int(report[STATUS]), int(report[ITERATIONS]), q, q, V)
