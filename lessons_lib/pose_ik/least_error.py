"""The descent after a failed default search, from the best iterate to a minimum of ½ VᵀWV; see descent.py."""
# The default method stops where J_bᵀ W V = 0. J_b is the derivative of the error twist V only where V is zero, so ½
# VᵀWV is not stationary there.

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen.addresses import address_of
from lessons_lib.codegen.linker import Plain
from lessons_lib.codegen.syntax import functions_of
from lessons_lib.lie import inverse, log_se3
from lessons_lib.lie.checks import BOTTOM, check_target
from lessons_lib.pose_ik import descent, lane_kernels, lane_rows, length_scaling, sequential
from lessons_lib.pose_ik.arguments import FIXED_SEED
from lessons_lib.pose_ik.iteration import scratch_size
from lessons_lib.pose_ik.layout import (
    EVALUATE,
    ITERATIONS,
    MAX_ITERATIONS_USED,
    OUTSIDE_LIMITS,
    STALLED,
    STATUS,
    UNREACHABLE,
)
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import Trace
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.pose_ik.variant import NEWTON, Variant, variant_of
from lessons_lib.robots import Chain

FAILED = MAX_ITERATIONS_USED, STALLED, OUTSIDE_LIMITS, UNREACHABLE

_ARGUMENTS = ("f2", "f1", "f2", "i", "f1", "f2", "f1", "i", "i1")
"""The types of the arguments of `descent.descend`."""


class Descent:
    """The descent after a failed default search, prepared once for a problem."""

    def __init__(self, problem: Problem, in_python: bool = False) -> None:
        """Derive the kernels; compile them and the descent unless `in_python`."""
        self.problem, scaled = problem, length_scaling.scale_problem(problem)
        chain, variant = scaled.chain, variant_of_descent(scaled)
        at = lane_rows.places(chain.dof, variant)
        self._descend: Any = descent.descend
        run: Any = ReadableKernels(chain, variant) if in_python else None
        if run is None:
            run = address_of(sequential.kernel_module(chain, variant).run)
            self._descend = sequential.one_at_a_time(module().descend.specialize(*_ARGUMENTS))
        self._inputs = FIXED_SEED, settings_of(scaled), scaled.arm.joints, np.zeros(scratch_size(at)), run, at
        self._no_trace = np.empty((0, chain.dof + 8))
        self._units = None if problem.unit == 1.0 else length_scaling.report_units(problem)

    def lower(self, target: Array, report: Array, traced: bool = False) -> Trace | Array | None:
        """Write the end of the descent into a report; return the trace if `traced` and it begins at the first start."""
        traced = traced and report[STATUS] == UNREACHABLE
        trace = np.empty((descent.STEPS + 1, self._no_trace.shape[1])) if traced else self._no_trace
        if self._units is not None:
            target = length_scaling.scale_poses(target, self.problem.unit)
            report /= self._units
        if not self._descend(target, report, trace, *self._inputs):
            self._descend(check_target(target), report, trace, *self._inputs)
        if self._units is not None:
            report *= self._units
        if not traced:
            return None
        rows = trace[: int(report[ITERATIONS]) + 1].copy()
        return rows if self._units is None else length_scaling.unscale_trace(Trace.of_rows(rows), self.problem)


def needs_descent(problem: Problem, report: Array) -> bool:
    """Return whether a descent follows the failed search of a report."""
    return problem.descends and report[STATUS] in FAILED


def variant_of_descent(problem: Problem) -> Variant:
    """Return the variant of the kernels of a descent."""
    variant = variant_of(problem.method, sequential=True)
    return replace(variant, model=variant.model if variant.uses_split_error else "exact", damping=NEWTON)


class ReadableKernels:
    """The kernels of a descent in Python, with NumPy's logarithm."""

    def __init__(self, chain: Chain, variant: Variant) -> None:
        text = f"{lane_kernels.pose_text(chain, 1)}\n\n\n{lane_kernels.step_text(chain, 1, variant)}"
        self._kernels, self._rows = functions_of(text), lane_rows.rows(chain.dof, variant)

    @np.errstate(over="ignore", invalid="ignore")
    def __call__(self, numbers: Array, which: int) -> None:
        w = numbers.reshape((-1, 1))
        if which != EVALUATE:
            self._kernels["model"](w)
            return
        self._kernels["pose_and_jacobian_full_range"](w)
        T, T_sd = (np.vstack([self._part(numbers, name, 12).reshape(3, 4), BOTTOM]) for name in ("T", "TARGET"))
        finite = np.isfinite(T).all()
        self._part(numbers, "V", 6)[:] = log_se3(inverse(T) @ T_sd) if finite else math.inf
        if "split_error" in self._kernels:
            self._kernels["split_error"](w)

    def _part(self, numbers: Array, name: str, size: int) -> Array:
        first = self._rows[name]
        return numbers[first : first + size]


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with `descend`, for all arms."""
    text = Plain("lessons_lib.pose_ik.descent", marks={"descend": "@native(keeps_gil=True)"})
    return sequential.load_with_search("pose_ik_descent", text)
