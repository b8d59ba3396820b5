"""The compiled loop over waypoints: the sequential search solves each from where the arm is."""

from __future__ import annotations

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.iteration import evaluate, workspace
from lessons_lib.pose_ik.joint_ranges import clip, unwrap
from lessons_lib.pose_ik.layout import CONVERGED, ITERATIONS, JOINTS, STATUS
from lessons_lib.pose_ik.search import is_problem, solve_row
from lessons_lib.pose_ik.search_rules import copy, write_report

PREVIOUS, AHEAD, FIRST = 0, 1, 2
STOP, SKIP, GO_ON = 0, 1, 2


def place_guess(places: Array, counts: Integers, joints: Array, guess: Array) -> None:
    """Write the initial guess: where the arm is, as far ahead again as it came, or where it was first.

    The places, shape (3, n), are where the arm was first, is, and was before. The counts are the codes of start and
    choice, and how many waypoints the arm has reached in a row.
    """
    origin = 0 if counts[0] == FIRST else 1
    for i in range(guess.shape[0]):
        guess[i] = places[origin, i]
    if counts[0] == AHEAD and counts[2] >= 2:
        for i in range(guess.shape[0]):
            guess[i] += places[1, i] - places[2, i]
        clip(guess, joints)


def follow(
    targets: Array,
    places: Array,
    counts: Integers,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: Integers,
    reports: Array,
    scratch: Array,
    run: int,
    at: Integers,
) -> int:
    """Solve waypoints, shape (4 k, 4), not checked, until one is not reached; return the number of those reached.

    There is one seed for all, or one for each. The other arguments are those of `place_guess` and `search.solve_one`.
    """
    n, count = joints.shape[0], targets.shape[0] // 4
    work, state = workspace(scratch, run, at, settings), np.empty(2, dtype=np.int64)
    no_trace, guess, q = scratch[0:0].reshape((0, n + 8)), np.empty(n), np.empty(n)
    for row in range(count):
        target, report = targets[4 * row : 4 * row + 4], reports[row]
        place_guess(places, counts, joints, guess)
        if not is_problem(target, guess, joints):
            return row
        seed = seeds[row] if seeds.shape[0] > 1 else seeds[0]
        solve_row(target, guess, joints, reach, settings, seed, report, no_trace, work, state, 0.0)
        if report[STATUS] != CONVERGED:
            return row
        copy(report[JOINTS : JOINTS + n], q)
        if unwrap(q, places[1], joints):
            evaluate(work, q)
            write_report(report, CONVERGED, int(report[ITERATIONS]), q, guess, work[2])
        copy(places[1], places[2])
        copy(q, places[1])
        counts[2] += 1
    return int(count)
