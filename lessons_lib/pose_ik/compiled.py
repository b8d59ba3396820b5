"""The compiled search of one start after the other: compiled once for all arms, and given the kernels of one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import modules
from lessons_lib.codegen.addresses import address_of
from lessons_lib.codegen.linker import Constants, Derived, Plain, Recipe, Taken
from lessons_lib.pose_ik import in_python, lane_kernels, lane_rows, lanes, layout
from lessons_lib.pose_ik.interruption import Halt, patiently
from lessons_lib.pose_ik.joint_ranges import random_configuration
from lessons_lib.pose_ik.problem import Found, Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.result import Trace
from lessons_lib.pose_ik.search_check import check_search
from lessons_lib.pose_ik.settings import no_reports, settings_after_lanes, settings_of
from lessons_lib.pose_ik.starts import Near
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.pose_ik.variants import variant_of
from lessons_lib.robots import Chain

_SHARED = ("layout", "random_numbers", "joint_ranges", "clamped_steps", "search_rules", "pseudoinverse")
_CALLS = Taken("lessons_lib.codegen.addresses", "call_at")
_ASKED = Taken(
    "lessons_lib.pose_ik.layout", *"EVALUATE FORM_MODEL ACCEPT DAMP SOLVE_ROWS SOLVE_COLUMNS PROMISE".split()
)
"""What can be asked of the kernels."""
_RETRACE = ("f1", "f2", "f2", "f1", "b", "f2", "i", "i1")
"""The types of what `retrace` is given."""
_modules: WeakKeyDictionary[Chain, dict[Variant, ModuleType]] = WeakKeyDictionary()
_trusted: set[tuple[str, bool]] = set()
"""Kernels that have been checked, and whether by a search that stays near."""


def _plain(*names: str) -> tuple[Plain, ...]:
    return tuple(Plain(f"lessons_lib.pose_ik.{name}") for name in names)


SEARCH = Recipe("pose_ik_search", (_CALLS, *_plain(*_SHARED, "search")), derives="the search for a pose")
"""What the search of one start after the other is made of."""


@lru_cache(maxsize=1)
def search_module() -> ModuleType:
    """Return the generated module with solve_rows and retrace, for all arms; the first call to them compiles."""
    return modules.load(SEARCH)


@lru_cache(maxsize=1)
def near_module() -> ModuleType:
    """Return the generated module with stay_near, for all arms, apart from the other: few need to compile it."""
    return modules.load(near_recipe())


def near_recipe() -> Recipe:
    """Return what the search that stays near is made of."""
    return Recipe("pose_ik_near", (_CALLS, Taken(search_module(), "*"), *_plain("near")))


def kernels_for(problem: Problem) -> tuple[Any, Integers]:
    """Return where the kernels of a problem lie, and where they have their rows: the last arguments of a search."""
    variant = variant_of(problem.method, one_by_one=True)
    return address_of(kernel_module_for(problem).run), lane_rows.places(problem.chain.dof, variant)


def kernel_module_for(problem: Problem) -> ModuleType:
    """Return the generated module with the kernels of a problem, for one start after the other."""
    return kernel_module(problem.chain, variant_of(problem.method, one_by_one=True))


def kernel_module(chain: Chain, variant: Variant) -> ModuleType:
    """Return the generated module with the kernels of a chain, for one start after the other."""
    known = _modules.setdefault(chain, {})
    if variant not in known:
        known[variant] = modules.load(kernel_recipe(chain, variant), owner=chain)
    return known[variant]


def kernel_recipe(chain: Chain, variant: Variant) -> Recipe:
    """Return what the kernels of a chain are made of, for one start after the other."""
    given = Constants({"DOF": chain.dof, "Q": lane_rows.rows(chain.dof, variant)["Q"]})
    steps = ("damped_step_by_rows", "damped_step_by_columns") if variant.formula is None else ()
    any_arm = Taken(modules.load(any_arm_recipe(chain.dof)), "LARGEST_ANGLE", "error_twist", *steps)
    numbers = f"{chain.recipe}\n{variant.recipe(chain.dof)}"
    parts = (_ASKED, any_arm, given, *lanes.kernel_parts(chain, 1, variant), *_plain("one_start_kernels"))
    return Recipe("pose_ik_kernels", parts, numbers, f"a solver for {chain.name}")


def any_arm_recipe(dof: int) -> Recipe:
    """Return what kernels for one start after the other have in common, for all arms of so many joints."""
    derived = Derived(partial(lane_kernels.one_start_text, dof))
    return Recipe("pose_ik_one_start", (derived,), f"{dof} joints", apart=True)


def compile_for(problem: Problem) -> None:
    """Compile what searches for a problem, and check it.

    Raises:
        KinematicsError: What was compiled does not stand on the product of exponentials.
    """
    near = isinstance(problem.starts, Near)
    key = kernel_module_for(problem).__name__, near
    if key not in _trusted:
        search = partial(_report, problem.starts if isinstance(problem.starts, Near) else None)
        check_search(search, problem.chain, "the compiled loop", problem.method)
        _trusted.add(key)


def search_rows(
    problem: Problem,
    targets: Array,
    starts: Array,
    seeds: Integers,
    reports: Array | None = None,
    settings: Array | None = None,
) -> Array:
    """Return the reports of many searches, shape (k, 5 + 2 n), by what `compile_for` has checked.

    Args:
        problem: How to solve.
        targets: Poses, shape (k, 4, 4).
        starts: First starts, shape (k, n).
        seeds: Shape (k,).
        reports: Where to write them, see layout.py for the places in a row; a new array if left out.
        settings: Those of the problem, if something shall be able to end the search early; see interruption.py.
    """
    settings = settings_of(problem).copy() if settings is None else settings
    reports = no_reports(len(targets), problem.chain.dof) if reports is None else reports
    arm, kernels = problem.arm, kernels_for(problem)
    if settings[layout.STAYS_NEAR] > 0.0:
        near_module().stay_near(targets, starts, arm.joints, settings, seeds, reports, *kernels)
        return reports
    search_module().solve_rows(targets, starts, arm.joints, arm.reach, settings, seeds, reports, *kernels)
    return reports


def _report(near: Near | None, problem: Problem, target: Array, start: Array) -> Array:
    problem = problem if near is None else replace(problem, starts=near)
    return np.asarray(search_rows(problem, target[None], start[None], np.array([0]))[0])


def search(
    problem: Problem,
    target: Array,
    q0: Array,
    seed: int,
    trace: bool = False,
    halt: Halt | None = None,
    after_lanes: bool = False,
) -> Found:
    """Do what `in_python.search` does, as machine code; `after_lanes`, where they say FREE_STARTS_FAILED, later.

    Raises:
        KeyboardInterrupt: Ctrl-C came, or the halt that was given was asked for.
        OutOfTime: The time of that halt is over.
    """
    halt, n, reports = halt or Halt(), problem.chain.dof, no_reports(1, problem.chain.dof)
    settings = halt.reaching(settings_after_lanes if after_lanes else settings_of, problem)
    seeds = np.array([seed])
    report = reports[0]

    def solved() -> bool:
        search_rows(problem, target[None], q0[None], seeds, reports, settings)
        return bool(report[layout.STATUS] != layout.INTERRUPTED)

    with halt.compiling():
        compile_for(problem)  # where Ctrl-C is heard
    patiently(solved, halt, most_evaluations(settings), soon(settings, n))
    if report[layout.STATUS] == layout.REFUSED:
        return in_python.search(problem, target, q0, seed, trace, lambda: halt.expired)
    if not trace:
        return report.copy(), None
    clamped = _is_clamped(problem, report[layout.JOINTS + n :], seed, int(report[layout.RESTARTS]))
    return report.copy(), _retrace(problem, target, report, halt, settings, clamped)


def most_evaluations(settings: Array) -> float:
    """Return how many evaluations a search can take."""
    return float(settings[layout.STARTS] * (1.0 + settings[layout.MAX_ITERATIONS]) + settings[layout.SAMPLES])


def soon(settings: Array, joints: int) -> float:
    """Return how many evaluations take some hundredths of a second; singular values take as much as six steps."""
    return 240_000 / joints / (6.0 if settings[layout.METHOD] == layout.LEAST_SQUARES else 1.0)


def _retrace(problem: Problem, target: Array, report: Array, halt: Halt, settings: Array, clamped: bool) -> Trace:
    """Return the iterates of the reported start, by iterating from it once more."""
    n, joints, steps = problem.chain.dof, problem.arm.joints, int(report[layout.ITERATIONS])
    start, rows = report[layout.JOINTS + n :], np.empty((steps + 1, n + 8))
    retrace, kernels = search_module().retrace, kernels_for(problem)
    with halt.compiling():
        retrace.compile(_RETRACE)
    patiently(
        lambda: bool(retrace(start, target, joints, settings, clamped, rows, *kernels)[0] != layout.INTERRUPTED),
        halt,
        steps + 1,
        soon(settings, n),
    )
    return Trace.of_rows(rows)


def _is_clamped(problem: Problem, start: Array, seed: int, restarts: int) -> bool:
    """Return whether the steps from a start stop at the limits, by drawing the starts that were made once more."""
    settings, joints, state = settings_of(problem), problem.arm.joints, np.empty(2, dtype=np.int64)
    if settings[layout.STAYS_NEAR] > 0.0:
        return True
    plant(seed, state)
    drawn, samples = np.empty(problem.chain.dof), int(settings[layout.SAMPLES])
    for _ in range(1 + samples if samples else 0):
        random_configuration(state, joints, drawn)
    for attempt in range(1, 1 + restarts):
        random_configuration(state, joints, drawn)
        if np.array_equal(drawn, start):
            return attempt >= layout.CLAMPED_FROM
    return False
