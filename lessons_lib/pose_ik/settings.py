"""The settings of a search as one flat array, and an array for its reports."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import lru_cache
from typing import cast

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik.methods import Method, StepMethod
from lessons_lib.pose_ik.problem import Problem, Stop
from lessons_lib.pose_ik.starts import BestOf, Near, Nearest, Starts, number_of_starts
from lessons_lib.pose_ik.variant import kernel_parameters
from lessons_lib.pose_ik.weights import active_mask, allowed_distance, has_weights


def settings_of(problem: Problem) -> Array:
    """Return method, stopping rule and starts as one array; see layout.py."""
    return _settings(cast(Hashable, problem.method), problem.stop, problem.starts)


def settings_after_simd(problem: Problem) -> Array:
    """Return the settings of a search that begins with the starts whose steps stop at the limits."""
    settings = settings_of(problem).copy()
    settings[layout.FIRST_START] = layout.BOUNDED_FROM
    return settings


def reach_of(problem: Problem) -> Array:
    """Return the ball of the reachable targets: that of `Arm.reach`, larger if the position may deviate."""
    radius, *center = problem.arm.reach
    return np.array([radius + allowed_distance(problem.method), *center])


@lru_cache(maxsize=256)
def _settings(method: Hashable, stop: Stop, starts: Starts) -> Array:
    settings = settings_for(cast(StepMethod, method), stop, starts, kernel_parameters(cast(StepMethod, method)))
    settings.setflags(write=False)
    return settings


def settings_for(method: StepMethod, stop: Stop, starts: Starts, parameters: list[float]) -> Array:
    """Return the settings for a method that may change; `parameters` are those of its kernels."""
    settings = np.zeros(layout.ROOT_WEIGHT + len(parameters))
    settings[layout.ROOT_WEIGHT :] = parameters
    damped = getattr(method, "damping", None) is not None
    settings[layout.METHOD] = layout.DAMPED if damped else layout.LEAST_SQUARES
    if isinstance(method, Method) and not method.is_single_linear_solve:
        settings[layout.METHOD] = layout.STATED
    settings[layout.ORIENTATION], settings[layout.POSITION] = stop.orientation, stop.position
    settings[layout.MAX_ITERATIONS], settings[layout.STARTS] = stop.max_iterations, number_of_starts(starts)
    if isinstance(starts, Nearest):
        settings[layout.NEAREST] = layout.BY_LONGEST_MOVE if starts.norm == "max" else layout.BY_DISTANCE
    elif isinstance(starts, Near):
        settings[layout.MAX_ITERATIONS], settings[layout.STAYS_NEAR] = starts.steps, 1.0
    elif isinstance(starts, BestOf):
        settings[layout.SAMPLES] = starts.samples
    settings[layout.MASK : layout.MASK + 6] = active_mask(method)
    settings[layout.BY_OBJECTIVE] = 1.0 if has_weights(method) else 0.0
    settings[layout.EVALUATIONS] = math.inf
    return settings


def no_reports(rows: int, dof: int) -> Array:
    """Return an array of reports, all INTERRUPTED, shape (k, 5 + 2 n)."""
    reports = np.empty((rows, layout.JOINTS + 2 * dof))
    reports[:, layout.STATUS] = layout.INTERRUPTED
    return reports
