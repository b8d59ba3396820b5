"""The q of a failed solve: where ½ VᵀWV is least beside the best iterate.

The default method stops where J_bᵀ W V = 0. J_b is the derivative of the error twist V only where V is zero, so the
error is not stationary there. A descent by the exact derivative, that of `Near`, goes on to its minimum. If it reaches
the pose, the search ran out of steps or starts; its report stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie.targets import check_target
from lessons_lib.pose_ik import in_python, length_scaling, sequential
from lessons_lib.pose_ik.arguments import FIXED_SEED
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.layout import (
    JOINTS,
    LOCAL_MINIMUM,
    MAX_ITERATIONS_USED,
    ORIENTATION_ERROR,
    OUTSIDE_LIMITS,
    STALLED,
    STATUS,
    UNREACHABLE,
)
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.starts import Near

STEPS = 500
"""Largest number of steps of a descent: a stretched arm whose target is far away takes some hundreds."""

FAILED = MAX_ITERATIONS_USED, STALLED, OUTSIDE_LIMITS, UNREACHABLE
LOWERED = LOCAL_MINIMUM, STALLED, MAX_ITERATIONS_USED


def needs_descent(problem: Problem, report: Array) -> bool:
    """Return whether a report is of a failed search that ends with a descent."""
    return problem.descends and report[STATUS] in FAILED


def descent_of(problem: Problem) -> Problem:
    """Return the problem of the descent."""
    method: Any = problem.method
    return replace(problem, method=replace(method, damping=TrustRegion(), derivative="exact"), starts=Near(STEPS))


def take_descent(status: int, found: Array, report: Array) -> None:
    """Copy q and its errors from the report of a descent."""
    if status in LOWERED:
        end = (len(report) + JOINTS) // 2
        report[ORIENTATION_ERROR:end] = found[ORIENTATION_ERROR:end]


def descend(problem: Problem, targets: Array, reports: Array, is_compiled: bool = True) -> None:
    """Replace q and its errors in the failed reports, in place, by the end of a descent from q.

    Args:
        problem: In units of the arm's characteristic length.
        targets: Poses, shape (k, 4, 4).
        reports: Shape (k, 5 + 2 n).
        is_compiled: Whether machine code runs the descent.
    """
    if not problem.descends or not reports[:, STATUS].any():
        return
    failed = [row for row, status in enumerate(reports[:, STATUS].tolist()) if status in FAILED]
    if not failed:
        return
    near, last = descent_of(problem), JOINTS + problem.chain.dof
    poses, q = np.array([check_target(pose) for pose in targets[failed]]), reports[failed, JOINTS:last]
    if is_compiled:
        with Halt().compiling():
            sequential.compile_for(near)
        found = sequential.search_rows(near, poses, q, np.full(len(q), FIXED_SEED))
    else:
        found = np.array([in_python.search(near, *row, FIXED_SEED)[0] for row in zip(poses, q, strict=True)])
    for row, end in zip(failed, found, strict=True):
        take_descent(int(end[STATUS]), end, reports[row])


def descend_in_python(problem: Problem, target: Array, report: Array) -> None:
    """Do the same for one report in the units of the caller, by Python."""
    back = length_scaling.report_units(problem)
    reports = report[None] / back
    descend(
        length_scaling.scaled_problem(problem), length_scaling.scaled_poses(target, problem.unit)[None], reports, False
    )
    report[:] = reports[0] * back
