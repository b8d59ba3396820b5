"""The readable trace: look where the arm is, solve, turn, judge, next. The compiled trace does the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik import StayNear, look
from lessons_lib.pose_ik.joint_ranges import turn_towards
from lessons_lib.pose_ik.layout import CONVERGED, JOINTS, ORIENTATION_ERROR, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.near import stay_near, staying_near
from lessons_lib.pose_ik.problem import Outcome, Problem
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.search import search
from lessons_lib.trajectories.places import AHEAD, FIRST, GO_ON, STOP

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
        seed, report = int(seeds[row]), reports[row]
        found = search(problem, target, place_guess(problem, places, counts), seed)
        if counts[1] == GO_ON and found.status is not Status.CONVERGED and not isinstance(problem.initial, StayNear):
            found = go_near(problem, target, places[1], seed, found)
        code, errors = tuple(Status).index(found.status), (found.orientation_error, found.position_error)
        report[:JOINTS] = (code, found.iterations, found.restarts, *errors)
        q = report[JOINTS : JOINTS + chain.dof]
        q[:] = found.q
        if turn_towards(q, places[1], problem.arm.joints):
            twist = look(chain, target, q).error_twist
            report[ORIENTATION_ERROR], report[POSITION_ERROR] = np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])
        if report[STATUS] == CONVERGED or counts[1] == GO_ON:
            places[2], places[1] = places[1], q
            counts[2] += 1
        elif counts[1] == STOP:
            return row + 1
        else:
            counts[2] = 0
    return len(targets)


def go_near(problem: Problem, target: Array, here: Array, seed: int, failed: Outcome) -> Outcome:
    """Return the place near the arm where the error is smallest, with the status that says why there is no solution."""
    near = stay_near(staying_near(problem), target, here, seed)
    status = near.status if near.status is Status.CONVERGED else failed.status
    return near._replace(status=status, restarts=failed.restarts)


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
