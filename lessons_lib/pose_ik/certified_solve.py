"""A solve whose result is polished by Newton steps and carries a certificate."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from lessons_lib.certificates.ball import find_certificate, polish
from lessons_lib.errors import ParameterError
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik.evaluation import evaluate, norms
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import ORIENTATION_ERROR, POSITION_ERROR
from lessons_lib.pose_ik.result import Result, place_of_q
from lessons_lib.robots import Chain

NEWTON_STEPS = 20
"""Largest number of Newton steps. Two or three suffice, except near a singular configuration, where each step halves
the error until it is small compared with the distance to that configuration."""


def solve_with_certificate(
    arm: Chain, target: ArrayLike, goal: Goal | None, certify: object, search: Callable[[], Result]
) -> Result:
    """Return the result of a search, improved by Newton steps, with its certificate."""
    if certify is not True:
        raise ParameterError(f"certify must be True or False, got {certify!r}")
    if goal is not None and goal.intervals is not None:
        raise ParameterError(
            "certify=True needs a single pose, and the goal has intervals: solve without certify, then certify the "
            "pose of q by certificate(arm, arm.forward_kinematics(q), q)"
        )
    if goal is not None and goal.weights is not None:
        raise ParameterError(f"certify=True needs the whole pose without weights: leave out goal={goal!r}")
    result = search()
    T_sd, report = check_target(target), result._report.copy()
    if result.converged:
        q = polish(arm, T_sd, result.q, NEWTON_STEPS)
        report[place_of_q(arm.dof)] = q
        report[ORIENTATION_ERROR], report[POSITION_ERROR] = norms(evaluate(arm, T_sd, q).error_twist)
    certificate_of_q = find_certificate(arm, T_sd, report[place_of_q(arm.dof)])
    return Result.of(report, result.trace, result.branch, certificate_of_q, result._known_preference)
