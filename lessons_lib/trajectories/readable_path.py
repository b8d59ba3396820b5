"""The readable trace: look where the arm is, solve, turn, judge, next. The compiled trace does the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik import look
from lessons_lib.pose_ik.layout import CONVERGED, JOINTS, ORIENTATION_ERROR, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.search import search
from lessons_lib.pose_ik.weights import view_of
from lessons_lib.trajectories.places import AHEAD, FIRST, GO_ON, STOP
from lessons_lib.trajectories.turns import turn_towards

Array = NDArray[np.float64]


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: NDArray[np.int64],
    seeds: NDArray[np.int64],
    reports: Array,
) -> int:
    """Do what compiled_path.trace_rows does, in readable code; see there for `places` and `counts`."""
    chain = problem.chain
    for row, target in enumerate(targets):
        found, report = search(problem, target, place_guess(problem, places, counts), int(seeds[row])), reports[row]
        code, errors = tuple(Status).index(found.status), (found.orientation_error, found.position_error)
        report[:JOINTS] = (code, found.iterations, found.restarts, *errors)
        q = report[JOINTS : JOINTS + chain.dof]
        q[:] = found.q
        if turn_towards(q, places[1], problem.arm.joints):
            twist = look(chain, target, q, *view_of(problem.method)).error_twist
            report[ORIENTATION_ERROR], report[POSITION_ERROR] = np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])
        if report[STATUS] == CONVERGED or counts[1] == GO_ON:
            places[2], places[1] = places[1], q
            counts[2] += 1
        elif counts[1] == STOP:
            return row + 1
        else:
            counts[2] = 0
    return len(targets)


def place_guess(problem: Problem, places: Array, counts: NDArray[np.int64]) -> Array:
    """Return where the next solve begins: where the arm is, as far ahead again as it came, or where it was first."""
    first, here, before = places
    if counts[0] == FIRST:
        guess: Array = first.copy()
    elif counts[0] == AHEAD and counts[2] >= 2:
        guess = np.clip(here + (here - before), *problem.chain.limits.T)
    else:
        guess = here.copy()
    return guess
