"""The compiled SIMD search: which problems it serves, its recipes, settings and scratch arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import NATIVE_CONTRACTED, Constants, Derived, Imported, Part, Plain, Recipe
from lessons_lib.codegen.locks import loading
from lessons_lib.codegen.machine import available
from lessons_lib.pose_ik import lane_kernels, lane_rows, layout
from lessons_lib.pose_ik.arguments import FIXED_SEED
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.joint_ranges import has_limits_to_stop_at, random_configuration
from lessons_lib.pose_ik.lane_rows import DEFAULT
from lessons_lib.pose_ik.layout import WIDTH
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.random_numbers import seed_state
from lessons_lib.pose_ik.search_check import check_search
from lessons_lib.pose_ik.settings import reach_of, settings_of
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.variant import NEWTON, Variant, is_compiled, kernel_parameters, variant_of
from lessons_lib.pose_ik.weights import active_mask, intervals_of
from lessons_lib.robots import Chain

_SHARED = ("pose_ik.layout", "pose_ik.random_numbers", "robots.revolutions", "pose_ik.joint_ranges")
_FILE = "lessons_lib.pose_ik.simd_search"
_KEEP_GIL = "@native(keeps_gil=True)"  # so that no other thread writes into its scratch array
_MARKS = {"solve_rows": "@native", "solve_pose": _KEEP_GIL, "check_convergence": "@vectorized"}

TIMED_SLICE = 600
"""Evaluations times joints between two readings of the clock under a time limit: 0.1 ms."""

NO_SEED = -2.0
"""PREPARED_SEED if no starts are prepared; RESUME is −1, and seeds are not negative."""

CACHE_LINE = 8
"""Numbers in a cache line of 64 bytes."""

_TYPES = {
    "solve_rows": ("f2", "f1", "f1", "f1", "i1", "f1"),
    "solve_pose": ("f2", "f1", "f1", "i", "f1"),
}
"""The types of the arguments of each entry."""

_modules: WeakKeyDictionary[Chain, dict[Variant, ModuleType]] = WeakKeyDictionary()
_checked: set[tuple[str, str]] = set()
"""Modules and entries that have been checked."""


def can_solve(problem: Problem) -> bool:
    """Return whether this machine compiles the SIMD search, and it serves a problem."""
    return available() and supports(problem)


def supports(problem: Problem) -> bool:
    """Return whether the SIMD search has kernels for the method, and the starts are random restarts."""
    # an undamped step is a damped one with D = 0 unless a pivot is uncertain; with masked components some always would
    # be
    method = problem.method
    if not isinstance(problem.starts, Restarts) or not is_compiled(method):
        return False
    damping = getattr(method, "damping", None)
    undamped = damping is None or getattr(damping, "affine", None) == (0.0, 0.0)
    return not undamped or bool(active_mask(method).all() and intervals_of(method) is None)


def module_for(chain: Chain, variant: Variant = DEFAULT) -> ModuleType:
    """Return the generated module of a chain and a variant, with `solve_pose` and `solve_rows`."""
    known = _modules.setdefault(chain, {})
    if variant not in known:
        known[variant] = linker.load(recipe(chain, variant), owner=chain)
    return known[variant]


def recipe(chain: Chain, variant: Variant, width: int = WIDTH) -> Recipe:
    """Return the recipe of the SIMD search: the kernels of a chain, and the two entries that call them."""
    key = f"{chain.recipe}\n{variant.recipe(chain.dof)}\n{width}"
    described = f"a solver for {chain.name}"
    kernels = Recipe("pose_ik_lane_kernels", kernel_parts(chain, width, variant), key, described, separate=True)
    common = Imported(linker.load(common_recipe(chain.dof, width, variant)), "*")
    size = Constants({"ROWS": lane_rows.rows(chain.dof, variant)["ROWS"]})
    imported = Imported(linker.load(kernels, owner=chain), "*")
    return Recipe("pose_ik_lanes", (common, imported, size, _simd(only=_CALL_KERNELS)), key, described)


def entry_for(problem: Problem, name: str) -> Any:
    """Return `solve_pose` or `solve_rows` of a problem, compiled; raise KinematicsError if its check fails."""
    module = module_for(problem.chain, variant_of(problem.method))
    entry = getattr(module, name).specialize(*_TYPES[name])
    if (module.__name__, name) not in _checked:
        with loading:  # a thread waits here only for this same compilation
            check_search(partial(_report, entry, name), problem.chain, name, problem.method)
            _checked.add((module.__name__, name))
    return entry


def _report(entry: Any, name: str, problem: Problem, target: Array, start: Array) -> Array:
    """Return the report of one pose, searched by either entry."""
    report = np.full(layout.JOINTS + 2 * problem.chain.dof, float(layout.NEEDS_FALLBACK))
    if name == "solve_pose":
        entry(target, start, make_scratch(problem), FIXED_SEED, report)
    else:
        entry(target, start, _batch_scratch(problem), simd_settings(problem), np.array([FIXED_SEED]), report)
    return report


def kernel_parts(chain: Chain, width: int, variant: Variant) -> tuple[Part, ...]:
    """Return the kernels of a chain: the derived ones, and empty ones for those that the variant lacks."""
    pose = Imported(linker.load(pose_recipe(chain, width, variant.model == "space"), owner=chain), "*")
    derived, missing = Derived(partial(lane_kernels.step_text, chain, width, variant)), missing_kernels(variant)
    return pose, derived, *((Derived(partial(lane_kernels.empty_text, missing)),) if missing else ())


def missing_kernels(variant: Variant) -> tuple[str, ...]:
    """Return the names of the kernels that the search calls but the variant does not need."""
    names = [] if variant.uses_split_error else ["split_error"]
    names += [] if variant.uses_trust_region else ["acceptance"]
    if variant.sequential:
        descends = variant.damping == NEWTON
        names += [] if variant.uses_trust_region else ["predict"]
        names += ["damped_step"] if variant.uses_trust_region or variant.formula is not None or descends else []
        names += ["damping"] if descends else []
        if variant.formula is None:
            names += [*(f"stated_problem_{k}" for k in range(layout.MOST_PROBLEMS)), "stated_last"]
    return tuple(names)


def pose_recipe(chain: Chain, width: int, in_space: bool) -> Recipe:
    """Return the recipe of pose and Jacobian, for all methods in a frame."""
    derived, key = Derived(partial(lane_kernels.pose_text, chain, width, in_space)), f"{chain.recipe}\n{width}"
    return Recipe(
        f"pose_ik_{'space' if in_space else 'body'}", (derived,), key, f"a solver for {chain.name}", separate=True
    )


def common_recipe(dof: int, width: int, variant: Variant) -> Recipe:
    """Return the recipe of the functions that call no kernel of a chain: two thirds of a first compilation."""
    shared = Imported(linker.load(shared_recipe()), "*")
    places = Constants(lane_rows.constants(dof, variant, width))
    derived = Derived(partial(lane_kernels.common_text, dof, variant, width))
    return Recipe("pose_ik_lanes_common", (shared, places, derived, _simd(without=_CALL_KERNELS)), separate=True)


def shared_recipe() -> Recipe:
    """Return the recipe of the functions that depend neither on the number of lanes nor on the chain."""
    plain = (Plain(f"lessons_lib.{name}") for name in _SHARED)  # rounded as in the sequential search: the same starts
    pose = Plain("lessons_lib.lie.poses", NATIVE_CONTRACTED)
    reach = Plain("lessons_lib.pose_ik.search_rules", NATIVE_CONTRACTED, only=("is_within_reach",))
    return Recipe("pose_ik_shared", (*plain, pose, reach), separate=True)


_CALL_KERNELS = "evaluate", "solve_pose", "solve_rows"


def _simd(only: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> Plain:
    return Plain(_FILE, NATIVE_CONTRACTED, _MARKS, only=only, without=without)


def simd_settings(problem: Problem) -> Array:
    """Return all settings of the SIMD search in one array; see layout.py."""
    settings = settings_of(problem)[: layout.SETTINGS].copy()
    settings[layout.REPORTS_BEST] = 1.0 - settings[layout.BY_OBJECTIVE]
    if has_limits_to_stop_at(problem.arm.joints):  # later starts stop at limits, as only the sequential search can
        settings[layout.REPORTS_BEST] = 0.0
        settings[layout.STARTS] = min(settings[layout.STARTS], layout.BOUNDED_FROM)
    if settings[layout.REPORTS_BEST] == 0.0 and settings[layout.STARTS] <= layout.BOUNDED_FROM:
        settings[layout.FIRST_START] = settings[
            layout.STARTS
        ]  # all of them have failed, so the SIMD search does not run again
    arm, reach = problem.arm, reach_of(problem)
    prepared = np.zeros(layout.JOINT_RANGES - layout.PREPARED_SEED)  # see make_scratch
    squared = settings[[layout.ORIENTATION, layout.POSITION]] ** 2
    bounds = [*squared, *settings[[layout.MAX_ITERATIONS, layout.STARTS]]]
    bounds += [*settings[layout.MASK : layout.MASK + 6]]
    return np.concatenate([settings, reach, prepared, arm.joints.ravel(), bounds, kernel_parameters(problem.method)])


def make_scratch(problem: Problem, slice_size: int = layout.EVALUATIONS_TIMES_JOINTS, width: int = WIDTH) -> Array:
    """Return the scratch array of solve_pose: rows of w, settings, initial rows, state of an interrupted search."""
    # includes the random starts of FIXED_SEED; the search pauses after `slice_size` / n evaluations
    dof, variant = problem.chain.dof, variant_of(problem.method)
    settings, state = simd_settings(problem), np.empty(2, int)
    seed_state(FIXED_SEED, state)
    starts = np.zeros((width, dof))
    for lane in range(1, width):
        random_configuration(state, problem.arm.joints, starts[lane])
    settings[layout.EVALUATIONS] = max(1, slice_size // dof)
    settings[layout.PREPARED_SEED], settings[layout.SEED_AFTER : layout.SEED_AFTER + 2] = FIXED_SEED, state
    at, parameters = lane_rows.rows(dof, variant), lane_rows.parameters_begin(dof)
    rows = np.zeros((at["ROWS"], width))
    rows[at["BOUNDS"] : at["PARAMETERS"] + variant.numbers] = settings[parameters:, None]
    first = np.zeros((at["NEXT"], width))
    first[: at["ATTEMPT"]] = np.vstack([starts.T, starts.T])
    first[at["ATTEMPT"]], first[at["IS_FIRST"]], first[at["BEST"]] = np.arange(width), 1.0, math.inf
    paused = np.zeros(lane_rows.STATE_SIZE)
    return _align(np.concatenate([rows.ravel(), settings[:parameters], first.ravel(), paused]))


def set_joint_ranges(scratch: Array, problem: Problem) -> None:
    """Write an arm's joint ranges into a scratch array of solve_pose, and discard the prepared random starts."""
    joints, settings = problem.arm.joints, settings_in(scratch, problem)
    settings[layout.JOINT_RANGES : layout.JOINT_RANGES + joints.size] = joints.ravel()
    settings[layout.PREPARED_SEED] = NO_SEED


def settings_in(scratch: Array, problem: Problem, width: int = WIDTH) -> Array:
    return scratch[width * lane_rows.rows(problem.chain.dof, variant_of(problem.method))["ROWS"] :]


def _batch_scratch(problem: Problem) -> Array:
    return np.zeros(WIDTH * lane_rows.rows(problem.chain.dof, variant_of(problem.method))["ROWS"])


def _align(scratch: Array) -> Array:
    """Return a copy that starts at a cache line, so that no row straddles two lines."""
    padded = np.empty(scratch.size + CACHE_LINE)
    first = -(padded.ctypes.data // scratch.itemsize) % CACHE_LINE
    padded[first : first + scratch.size] = scratch
    return padded[first : first + scratch.size]


def pose_search(problem: Problem, halt: Halt) -> Callable[[Array, Array, int], Array]:
    """Return a search of any length for one pose at a time, from one thread: (target, start, seed) → report."""
    # the report has no solution if its status is INTERRUPTED, NEEDS_FALLBACK or UNCONSTRAINED_STARTS_FAILED
    with halt.compiling():
        solve_pose = entry_for(problem, "solve_pose")
    scratch = make_scratch(problem, TIMED_SLICE) if halt.is_timed else make_scratch(problem)

    def search(target: Array, start: Array, seed: int) -> Array:
        report = np.full(layout.JOINTS + 2 * problem.chain.dof, float(layout.NEEDS_FALLBACK))
        solved = solve_pose(target, start, scratch, seed, report)
        while not solved and report[layout.STATUS] == layout.INTERRUPTED and not halt.over:
            report[layout.STATUS] = layout.NEEDS_FALLBACK
            solved = solve_pose(target, start, scratch, layout.RESUME, report)
        return report

    return search


def row_search(problem: Problem) -> Callable[[Array, Array, Integers, Array, Array], None]:
    """Return a search for many poses, one in each lane, which several threads may call at once."""
    # It takes targets, shape (k, 4, 4), starts (k, n), seeds (k,), reports (k, 5 + 2 n), and settings, by which another
    # thread may stop it. Rows with a negative status are left to the sequential search.
    solve_rows, zeros = entry_for(problem, "solve_rows"), _batch_scratch(problem)

    def search(targets: Array, starts: Array, seeds: Integers, reports: Array, settings: Array) -> None:
        scratch = _align(zeros)
        solve_rows(targets.reshape(-1, 4), starts.reshape(-1), scratch, settings, seeds, reports.reshape(-1))

    return search
