"""The q of a failed solve: where ½ VᵀWV is least beside the best iterate.

The default method stops where J_bᵀ W V = 0. J_b is the derivative of the error twist V only where V is zero, so the
error is not stationary there. A descent by the exact derivative, that of `Near`, goes on to its minimum.
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
"""Of a descent, at most: a stretched arm whose target is far away takes some hundreds."""

FAILED = MAX_ITERATIONS_USED, STALLED, OUTSIDE_LIMITS, UNREACHABLE


def descend(problem: Problem, targets: Array, reports: Array, is_compiled: bool = True) -> None:
    """Replace q and its errors in the failed reports, in place, by the end of a descent from q.

    If it reaches the pose, the search ran out of steps or starts; its report stays as it is.

    Args:
        problem: In units of the arm's characteristic length.
        targets: Poses, shape (k, 4, 4).
        reports: Shape (k, 5 + 2 n), see layout.py.
        is_compiled: Whether machine code runs the descent.
    """
    failed = np.flatnonzero(np.isin(reports[:, STATUS], FAILED))
    if not problem.descends or not failed.size:
        return
    method: Any = problem.method
    near = replace(problem, method=replace(method, damping=TrustRegion(), derivative="exact"), starts=Near(STEPS))
    errors = slice(ORIENTATION_ERROR, JOINTS + problem.chain.dof)
    poses, q = np.array([check_target(pose) for pose in targets[failed]]), reports[failed, JOINTS : errors.stop]
    if is_compiled:
        with Halt().compiling():
            sequential.compile_for(near)
        found = sequential.search_rows(near, poses, q, np.full(len(q), FIXED_SEED))
    else:
        found = np.array([in_python.search(near, *row, FIXED_SEED)[0] for row in zip(poses, q, strict=True)])
    lower = np.isin(found[:, STATUS], (LOCAL_MINIMUM, STALLED, MAX_ITERATIONS_USED))
    reports[failed[lower], errors] = found[lower, errors]


def descend_once(problem: Problem, target: Array, report: Array, is_compiled: bool = True) -> None:
    """Do the same for one report in the unit of the robot."""
    if problem.descends and report[STATUS] in FAILED:
        own, back = length_scaling.scaled_problem(problem), length_scaling.report_units(problem)
        reports = report[None] / back
        descend(own, length_scaling.scaled_poses(target, problem.unit)[None], reports, is_compiled)
        report[:] = reports[0] * back
