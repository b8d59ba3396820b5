"""The compiled trace: the loop of readable_path.py, with no Python object in sight.

It is compiled once for all arms, and stands on the functions of pose_ik/compiled_loop.py, as compiled_module.py tells.
A test holds the two loops together, waypoint by waypoint.

By hand: it is a loop with many ends.
Held by: tests/trajectories/test_two_traces.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.compiled_loop import Arrays, aim, evaluate, iterate, solve_rows, workspace, wrap_solution
from lessons_lib.pose_ik.compiled_rules import copy, write
from lessons_lib.pose_ik.joint_ranges import unwrap, wrap
from lessons_lib.pose_ik.layout import (
    AT_DOF,
    CONVERGED,
    EVALUATIONS,
    ITERATIONS,
    JOINTS,
    NEAREST,
    REFUSED,
    RESTARTS,
    SAMPLES,
    STATUS,
)
from lessons_lib.trajectories.places import SKIP, place_guess


def trace_rows(
    targets: Array,
    places: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: Integers,
    counts: Integers,
    reports: Array,
    run: int,
    at: Integers,
) -> int:
    """Solve each waypoint from where the arm is; write a report for each that is tried, and return how many are.

    It stops after a waypoint that is not reached, unless that shall be skipped.

    `places` holds three configurations: where the arm was at first, where it is, where it was before; the last two
    are moved along. `counts` holds where to start, what to do about a failure, and, moved along as well, how many
    waypoints the arm has gone to one after the other. A search that is ended early has not tried the waypoint at hand.
    """
    n = at[AT_DOF]
    work, best, no_trace = workspace(run, at, settings), np.empty(1 + n), np.empty((0, n + 8))
    error, solution = work[2], work[9]
    here, before, guess = places[1], places[2], np.empty(n)
    one_start = settings[SAMPLES] == 0.0 and settings[NEAREST] == 0.0
    for row in range(targets.shape[0]):
        target, report, solved = targets[row], reports[row], False
        place_guess(places, counts, joints, guess)
        if one_start:
            best[0] = math.inf
            aim(work, target)
            status, iterations = iterate(guess, joints, settings, False, work, best, no_trace)
            if status == CONVERGED:
                solved = is_wrapped(guess, joints, work)
                solved = solved or wrap_solution(guess, guess, joints, settings, work) == CONVERGED
        if solved:
            write(report, CONVERGED, iterations, solution, guess, error)
            report[RESTARTS] = 0.0
        else:
            pose, seed, result = targets[row : row + 1], seeds[row : row + 1], reports[row : row + 1]
            solve_rows(pose, guess.reshape(1, n), joints, reach, settings, seed, result, run, at)
        if settings[EVALUATIONS] <= 0.0:  # another thread has ended the search
            return row
        if report[STATUS] == REFUSED:
            return row
        q = report[JOINTS : JOINTS + n]
        if unwrap(q, here, joints):
            aim(work, target)
            write_unwrapped(report, q.copy(), work)
        if report[STATUS] == CONVERGED:
            copy(here, before)
            copy(q, here)
            counts[2] += 1
        elif counts[1] != SKIP:
            return row + 1
        else:
            counts[2] = 0
    return len(targets)


def is_wrapped(guess: Array, joints: Array, work: Arrays) -> bool:
    """Write the solution of `iterate` to `wrapped`, and return whether it is within the limits as it is.

    Its errors are known then, and `wrap_solution` has nothing left to do.
    """
    q, wrapped = work[7], work[9]
    same = wrap(q, guess, joints, wrapped)
    for i in range(q.shape[0]):
        same = same and q[i] == wrapped[i]
    return same


def write_unwrapped(report: Array, q: Array, work: Arrays) -> None:
    """Write a configuration that was unwrapped, and the errors that belong to it, into the report."""
    evaluate(work, q)
    write(report, int(report[STATUS]), int(report[ITERATIONS]), q, q, work[2])
