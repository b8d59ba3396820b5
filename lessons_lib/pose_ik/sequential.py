"""The sequential search as machine code: compiled once for all arms, called with the kernels of one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial, wraps
from types import ModuleType
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import linker
from lessons_lib.codegen.addresses import address_of
from lessons_lib.codegen.linker import Constants, Derived, Imported, Plain, Recipe
from lessons_lib.errors import ParameterError
from lessons_lib.lie import poses
from lessons_lib.pose_ik import lane_kernels, lane_rows, lanes, layout, length_scaling
from lessons_lib.pose_ik.interruption import Halt, run_cancellable
from lessons_lib.pose_ik.iteration import scratch_size
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import Trace
from lessons_lib.pose_ik.search_check import check_search
from lessons_lib.pose_ik.settings import no_reports, reach_of, settings_after_simd, settings_of
from lessons_lib.pose_ik.starts import Near
from lessons_lib.pose_ik.variant import Variant, variant_of
from lessons_lib.robots import Chain

P = ParamSpec("P")
R = TypeVar("R")

_SHARED = ("layout", "random_numbers", "joint_ranges", "search_rules", "linear_algebra")
_CALLS = Imported("lessons_lib.codegen.addresses", "call_at")
_CODES = Imported(
    "lessons_lib.pose_ik.layout",
    *"EVALUATE FORM_MODEL ACCEPT DAMP SOLVE_ROWS SOLVE_COLUMNS PREDICT FUSED_STEP".split(),
    *"PROBLEM SECOND_PROBLEM THIRD_PROBLEM STATED_STEP".split(),
)
"""The codes of the kernels."""
_SOLVE_ONE = ("f2", "f1", "i", "f1", "f2", "f1", "f2", "f1", "f1", "i", "i1")
"""The types of the arguments of `solve_one`."""
_modules: WeakKeyDictionary[Chain, dict[Variant, ModuleType]] = WeakKeyDictionary()
_checked: set[tuple[str, bool]] = set()
"""Kernels that have been checked, and whether by a search that stays near its start."""


def _plain(*names: str) -> tuple[Plain, ...]:
    return tuple(Plain(f"lessons_lib.pose_ik.{name}") for name in names)


_KEEP_GIL = {"solve_one": "@native(keeps_gil=True)"}
"""It uses a scratch array that is kept on the arm, so no other thread may enter it at the same time."""

_INLINE = dict.fromkeys(
    ("evaluate", "iterate", "search_starts", "set_target", "update_incumbent", "wrap_solution"), "@native(inline=True)"
)
"""A call of these costs as much as they do: each passes the nineteen arrays of the workspace."""

SEARCH = Recipe(
    "pose_ik_search",
    (
        _CALLS,
        Plain("lessons_lib.robots.revolutions"),
        Plain("lessons_lib.robots.pseudoinverse"),
        *_plain(*_SHARED),
        Constants({"ROUNDED": poses.ROUNDED}),
        Plain("lessons_lib.lie.poses", only=("pose_deviation",)),
        Plain("lessons_lib.pose_ik.iteration", marks=_INLINE),
        Plain("lessons_lib.pose_ik.near"),
        Plain("lessons_lib.pose_ik.search", marks=_KEEP_GIL | _INLINE),
    ),
    derives="the search for a pose",
)
"""The sequential search."""


@lru_cache(maxsize=1)
def search_module() -> ModuleType:
    """Return the generated module of the sequential search, for all arms."""
    return linker.load(SEARCH)


def load_with_search(name: str, text: Plain, *imported: Imported) -> ModuleType:
    """Return the generated module of a text that calls the sequential search and the kernels of any arm."""
    return linker.load(Recipe(name, (_CALLS, Imported(search_module(), "*"), *imported, text)))


def kernels_for(problem: Problem) -> tuple[Any, Integers]:
    """Return the address of a problem's kernels, and the offsets of their rows."""
    variant = variant_of(problem.method, sequential=True)
    return address_of(kernel_module_for(problem).run), lane_rows.places(problem.chain.dof, variant)


def kernel_module_for(problem: Problem) -> ModuleType:
    return kernel_module(problem.chain, variant_of(problem.method, sequential=True))


def kernel_module(chain: Chain, variant: Variant) -> ModuleType:
    known = _modules.setdefault(chain, {})
    if variant not in known:
        known[variant] = linker.load(kernel_recipe(chain, variant), owner=chain)
    return known[variant]


def kernel_recipe(chain: Chain, variant: Variant) -> Recipe:
    constants = Constants({"DOF": chain.dof, "Q": lane_rows.rows(chain.dof, variant)["Q"]})
    steps = ("damped_step_by_rows", "damped_step_by_columns") if variant.formula is None else ()
    common = Imported(linker.load(common_recipe(chain.dof)), "LARGEST_ANGLE", "error_twist", *steps)
    numbers = f"{chain.recipe}\n{variant.recipe(chain.dof)}"
    parts = (_CODES, common, constants, *lanes.kernel_parts(chain, 1, variant), *_plain("sequential_kernels"))
    return Recipe("pose_ik_kernels", parts, numbers, f"a solver for {chain.name}")


def common_recipe(dof: int) -> Recipe:
    """Return the recipe of the kernels that do not depend on the arm, only on its number of joints."""
    derived = Derived(partial(lane_kernels.sequential_text, dof))
    return Recipe("pose_ik_one_start", (derived,), f"{dof} joints", separate=True)


def compile_for(problem: Problem) -> None:
    """Compile and check the search and the kernels of a problem; raise KinematicsError if the check fails."""
    near = isinstance(problem.starts, Near)
    key = kernel_module_for(problem).__name__, near
    if key not in _checked:
        search = partial(_report, problem.starts if isinstance(problem.starts, Near) else None)
        check_search(search, problem.chain, "the sequential search", problem.method)
        _checked.add(key)


def _report(near: Near | None, problem: Problem, target: Array, start: Array) -> Array:
    problem = problem if near is None else replace(problem, starts=near)
    return np.asarray(search_rows(problem, target[None], start[None], np.array([0]))[0])


def search_rows(
    problem: Problem,
    targets: Array,
    starts: Array,
    seeds: Integers,
    reports: Array | None = None,
    settings: Array | None = None,
    trace: Array | None = None,
) -> Array:
    """Run many searches without the GIL and return their reports, (k, 5 + 2 n); call `compile_for` before."""
    # targets has shape (k, 4, 4), starts (k, n), seeds (k,). Another thread may write to `settings` to stop the search.
    # `trace` receives the iterates of the last row, shape (m, n + 8).
    settings = settings_of(problem).copy() if settings is None else settings
    reports = no_reports(len(targets), problem.chain.dof) if reports is None else reports
    trace = np.empty((0, problem.chain.dof + 8)) if trace is None else trace
    arm, (run, at) = problem.arm, kernels_for(problem)
    scratch = np.zeros(scratch_size(at))
    solve_rows = search_module().solve_rows
    solve_rows(targets, starts, arm.joints, reach_of(problem), settings, seeds, reports, trace, scratch, run, at)
    return reports


def search(
    problem: Problem,
    target: Array,
    q0: Array,
    seed: int,
    halt: Halt,
    after_simd: bool = False,
    trace: Array | None = None,
) -> Array:
    """Run one search of any length and return its report; call `compile_for` before."""
    # The status INVALID_DAMPING means that only in_python.py can take a step of the method. Ctrl-C raises
    # KeyboardInterrupt, the end of the halt's time OutOfTime.
    settings = halt.settings_for(settings_after_simd if after_simd else settings_of, problem)
    reports, seeds = no_reports(1, problem.chain.dof), np.array([seed])

    def is_done() -> bool:
        search_rows(problem, target[None], q0[None], seeds, reports, settings, trace)
        return bool(reports[0, layout.STATUS] != layout.INTERRUPTED)

    run_cancellable(is_done, halt, most_evaluations(settings), quick_evaluations(settings, problem.chain.dof))
    report: Array = reports[0].copy()
    return report


def one_at_a_time(function: Callable[P, R]) -> Callable[P, R]:
    """Let only one thread at a time enter a compiled function that keeps the GIL; without a GIL, by a lock."""
    enabled: Any = getattr(sys, "_is_gil_enabled", None)  # since Python 3.13
    if enabled is None or enabled():
        return function
    lock = threading.Lock()

    @wraps(function)
    def alone(*arguments: P.args, **named: P.kwargs) -> R:
        with lock:
            return function(*arguments, **named)

    return alone


class SequentialSearch:
    """The sequential search of one problem, prepared once, in characteristic lengths (length_scaling.py)."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.scaled = problem, length_scaling.scale_problem(problem)
        compile_for(self.scaled)
        n, arm, settings = problem.chain.dof, self.scaled.arm, settings_of(self.scaled).copy()
        quick = quick_evaluations(settings, n)
        if most_evaluations(settings) > quick:
            settings[layout.EVALUATIONS] = quick / 10
        self.settings, after_simd = settings, settings.copy()
        after_simd[layout.FIRST_START] = layout.BOUNDED_FROM
        self._units = None if problem.unit == 1.0 else length_scaling.joint_units(problem.chain, problem.unit)
        self.kernels = run, at = kernels_for(self.scaled)
        self.scratch_size, self.report_size = scratch_size(at), layout.JOINTS + 2 * n
        rest = arm.joints, reach_of(self.scaled), np.zeros(self.scratch_size), run, at
        self._inputs, self._inputs_after_simd = (settings, *rest), (after_simd, *rest)
        self._no_trace = np.empty((0, n + 8))
        self._quick_trace = int(min(settings[layout.MAX_ITERATIONS], settings[layout.EVALUATIONS])) + 1, n + 8
        solve_one = search_module().solve_one
        self._solve_one = one_at_a_time(solve_one.specialize(*_SOLVE_ONE))

    def solve_quickly(
        self, T: Array, q0: Array, seed: int, report: Array, traced: bool, after_simd: bool
    ) -> tuple[int, Trace | Array | None]:
        """Write a report; return its status and, if requested, the trace; a long search is INTERRUPTED."""
        # the status is NEEDS_FALLBACK if T is not a pose to rounding, or q0 is outside the limits
        if self._units is not None:
            T, q0 = length_scaling.scale_poses(T, self.problem.unit), q0 / self._units
        # one for each call: another thread may enter the search before this one has read its trace
        trace = np.empty(self._quick_trace) if traced else self._no_trace
        inputs = self._inputs_after_simd if after_simd else self._inputs
        status = self._solve_one(T, q0, seed, report, trace, *inputs)
        if self._units is None and not traced:
            return status, None
        return status, self._finish(status, report, trace if traced else None)

    def solve(
        self, T: Array, q0: Array, seed: int, traced: bool, halt: Halt, after_simd: bool
    ) -> tuple[Array, Trace | Array | None]:
        """Return the report and the trace of a search of any length; raise what `search` raises."""
        if self._units is not None:
            T, q0 = length_scaling.scale_poses(T, self.problem.unit), q0 / self._units
        trace = self._longest_trace() if traced else self._no_trace
        report = search(self.scaled, T, q0, seed, halt, after_simd, trace)
        return report, self._finish(int(report[layout.STATUS]), report, trace if traced else None)

    def _longest_trace(self) -> Array:
        rows, columns = int(self.settings[layout.MAX_ITERATIONS]) + 1, self.problem.chain.dof + 8
        try:
            return np.empty((rows, columns))
        except MemoryError:
            raise ParameterError(
                f"trace=True needs {rows * columns * 8 / 1e9:.0f} GB for up to {rows - 1:,} iterations of one start, "
                "more than there is; lower max_iterations of Stop, or steps of Near"
            ) from None

    def _finish(self, status: int, report: Array, trace: Array | None) -> Trace | Array | None:
        """Convert a report to the caller's units; return its trace, or the rows from which Result makes it."""
        if not layout.has_ended(status):
            return None
        rows = None if trace is None else trace[: int(report[layout.ITERATIONS]) + 1].copy()
        if self._units is None:
            return rows
        length_scaling.unscale_reports(report, self.problem)
        return None if rows is None else length_scaling.unscale_trace(Trace.of_rows(rows), self.problem)


def most_evaluations(settings: Array) -> float:
    """Return an upper bound on the evaluations of a search."""
    return float(settings[layout.STARTS] * (1.0 + settings[layout.MAX_ITERATIONS]) + settings[layout.SAMPLES])


def quick_evaluations(settings: Array, joints: int) -> float:
    """Return how many evaluations take some hundredths of a second; one SVD costs as much as six steps."""
    return 240_000 / joints / (6.0 if settings[layout.METHOD] == layout.LEAST_SQUARES else 1.0)
