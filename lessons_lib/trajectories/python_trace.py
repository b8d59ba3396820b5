"""Trace in Python: for methods with a Python step, and for waypoints that the compiled loop does not reach."""

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
from lessons_lib.trajectories.trace_loops import GO_ON, STOP, write_guess

Search = Callable[[Problem, Array, Array, int], SearchOutput]


def trace_waypoints(
    problem: Problem,
    targets: Array,
    history: Array,
    codes: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
    solve: Search = in_python.search,
) -> int:
    """Solve each waypoint and write its report, until the arm stops; return the number of waypoints tried."""
    # `history` and `codes` are those of `trace_loops.write_guess` and are updated; Ctrl-C stops before the next
    # waypoint
    row, guess = 0, np.empty(problem.chain.dof)
    try:
        for row, target in enumerate(targets):
            if halt.requested:
                return row
            seed, report = int(seeds[row]), reports[row]
            write_guess(history, codes, problem.arm.joints, guess)
            report[:] = solve(problem, target, guess.copy(), seed)[0]
            unwrap_report(report, problem, target, history[1])
            if report[STATUS] != CONVERGED and codes[1] == GO_ON:
                approach_nearby(problem, target, history, seed, report, solve)
            if report[STATUS] == CONVERGED or codes[1] == GO_ON:
                move_to(report, history, codes)
            elif codes[1] == STOP:
                return row + 1
            else:
                codes[2] = 0
    except KeyboardInterrupt:
        halt.request()
        return row
    return len(targets)


def unwrap_report(report: Array, problem: Problem, target: Array, here: Array) -> None:
    """Unwrap q of a report beside the current configuration, and update its errors."""
    q = report[JOINTS : JOINTS + problem.chain.dof]
    if unwrap(q, here, problem.arm.joints):
        twist = evaluate(problem.chain, target, q, *frame_and_split(problem.method)).error_twist
        report[ORIENTATION_ERROR], report[POSITION_ERROR] = np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])


def approach_nearby(problem: Problem, target: Array, history: Array, seed: int, report: Array, solve: Search) -> None:
    """Replace a failed report by that of the least error near the arm; keep its status if that fails as well."""
    if isinstance(problem.starts, Near):
        return
    status, restarts = report[STATUS], report[RESTARTS]
    report[:] = solve(near_problem(problem), target, history[1], seed)[0]
    unwrap_report(report, problem, target, history[1])
    report[STATUS] = CONVERGED if report[STATUS] == CONVERGED else status
    report[RESTARTS] = restarts


def near_problem(problem: Problem) -> Problem:
    """Return the problem with a descent near the initial guess."""
    frame, split = frame_and_split(problem.method)
    derivative: Any = None if split else "geometric" if frame == "space" else "exact"
    descent = LevenbergMarquardt(TrustRegion(), "body" if split else cast(Frame, frame), derivative)
    goal = Goal(*(getattr(problem.method, name, None) for name in ("weights", "axes", "intervals")))
    steps = min(Near().steps, problem.stop.max_iterations)
    return replace(problem, method=goal.of(descent), starts=Near(steps))


def move_to(report: Array, history: Array, codes: Integers) -> None:
    """Make the configuration of a report the current one."""
    n = history.shape[1]
    history[2], history[1] = history[1], report[JOINTS : JOINTS + n]
    codes[2] += 1
