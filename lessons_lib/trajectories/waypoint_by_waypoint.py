"""A trace in Python, for a method with a Python step, and for a waypoint that the compiled loop does not reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Near, TrustRegion, evaluate, in_python
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import CONVERGED, JOINTS, ORIENTATION_ERROR, POSITION_ERROR, RESTARTS, STATUS
from lessons_lib.pose_ik.methods import Frame
from lessons_lib.pose_ik.problem import Problem, SearchOutput
from lessons_lib.pose_ik.weights import frame_and_split
from lessons_lib.trajectories.follow_waypoints import GO_ON, STOP, place_guess

Search = Callable[[Problem, Array, Array, int], SearchOutput]


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
    solve: Search = in_python.search,
) -> int:
    """Solve each waypoint from where the arm is, and report it, until the arm shall stop; return how many were tried.

    `places` and `counts` are those of follow_waypoints.py, and are updated. Ctrl-C ends it before the next waypoint.
    """
    row, guess = 0, np.empty(problem.chain.dof)
    try:
        for row, target in enumerate(targets):
            if halt.requested:
                return row
            seed, report = int(seeds[row]), reports[row]
            place_guess(places, counts, problem.arm.joints, guess)
            report[:] = solve(problem, target, guess.copy(), seed)[0]
            unwrap_report(report, problem, target, places[1])
            if report[STATUS] != CONVERGED and counts[1] == GO_ON:
                go_near(problem, target, places, seed, report, solve)
            if report[STATUS] == CONVERGED or counts[1] == GO_ON:
                arrive(report, places, counts)
            elif counts[1] == STOP:
                return row + 1
            else:
                counts[2] = 0
    except KeyboardInterrupt:
        halt.request()
        return row
    return len(targets)


def unwrap_report(report: Array, problem: Problem, target: Array, here: Array) -> None:
    """Unwrap q of a report to where it is nearest to the current configuration."""
    q = report[JOINTS : JOINTS + problem.chain.dof]
    if unwrap(q, here, problem.arm.joints):
        twist = evaluate(problem.chain, target, q, *frame_and_split(problem.method)).error_twist
        report[ORIENTATION_ERROR], report[POSITION_ERROR] = np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])


def go_near(problem: Problem, target: Array, places: Array, seed: int, report: Array, solve: Search) -> None:
    """Replace a failed report by that of the least error near the arm; the status still says why none is found."""
    if isinstance(problem.starts, Near):
        return
    status, restarts = report[STATUS], report[RESTARTS]
    report[:] = solve(staying_near(problem), target, places[1], seed)[0]
    unwrap_report(report, problem, target, places[1])
    report[STATUS] = CONVERGED if report[STATUS] == CONVERGED else status
    report[RESTARTS] = restarts


def staying_near(problem: Problem) -> Problem:
    """Return the same problem with a descent near the first guess."""
    frame, split = frame_and_split(problem.method)
    derivative: Any = None if split else "geometric" if frame == "space" else "exact"
    descent = LevenbergMarquardt(TrustRegion(), "body" if split else cast(Frame, frame), derivative)
    goal = Goal(*(getattr(problem.method, name, None) for name in ("weights", "axes", "intervals")))
    steps = min(Near().steps, problem.stop.max_iterations)
    return replace(problem, method=goal.of(descent), starts=Near(steps))


def arrive(report: Array, places: Array, counts: Integers) -> None:
    """Move the arm to the configuration of a report."""
    n = places.shape[1]
    places[2], places[1] = places[1], report[JOINTS : JOINTS + n]
    counts[2] += 1
