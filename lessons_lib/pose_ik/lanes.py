"""The search over lanes, from Python: what it may be asked, and the numbers that it is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import modules
from lessons_lib.codegen.availability import available
from lessons_lib.codegen.forks import loading
from lessons_lib.codegen.linker import OVER_LANES, Constants, Derived, Part, Plain, Recipe, Taken
from lessons_lib.pose_ik import lane_kernels, lane_rows, layout
from lessons_lib.pose_ik.arguments import FIXED_SEED
from lessons_lib.pose_ik.clamped_steps import has_limits_to_stop_at
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.joint_ranges import random_configuration
from lessons_lib.pose_ik.lane_rows import DEFAULT
from lessons_lib.pose_ik.layout import POSE_WIDTH, WIDTH
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.search_check import check_search
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.pose_ik.variants import is_compiled, kernel_parameters, variant_of
from lessons_lib.pose_ik.weights import active_mask
from lessons_lib.robots import Chain

_SHARED = ("layout", "random_numbers", "joint_ranges")
_FILES = {"solve_rows": "compiled_lanes", "solve_pose": "compiled_pose_lanes"}
"""Where each entry stands, among functions that call no kernel."""

EXACT = "@native"
"""For what both searches share: rounded as Python rounds it, so that random starts are the same to the last bit."""

_ENTRIES = {
    "solve_rows": "@native",
    "solve_pose": "@native(keeps_gil=True)",  # so that nobody else writes into its workspace
}
TIMED_SLICE = 600
"""Evaluations times joints after which a search over lanes looks at the clock, where its time is short: 0.1 ms."""

_WIDTHS = {"solve_rows": WIDTH, "solve_pose": POSE_WIDTH}
"""Lanes of each entry.

A batch fills all that there are. One pose waits for its first start, mostly: an evaluation over four lanes takes less
time than one over eight, and the next starts are seldom asked for.
"""

_TYPES = {
    "solve_rows": ("f2", "f1", "f1", "f1", "i1", "f1"),
    "solve_pose": ("f2", "f1", "f1", "i", "f1"),
}
"""The types of the arguments of each entry."""

_modules: WeakKeyDictionary[Chain, dict[tuple[Variant, str], ModuleType]] = WeakKeyDictionary()
_trusted: set[tuple[str, str]] = set()
"""Modules and entries that have been checked."""


def can_solve(problem: Problem) -> bool:
    """Return whether the lanes know a problem and there is machine code: in Python a lane takes as long as a start."""
    return available() and knows(problem)


def knows(problem: Problem) -> bool:
    """Return whether the lanes know the method, and there is one first start.

    An undamped step is a damped one with D = 0, as long as no pivot is lost and no joint goes too far: a pose where
    that happens is left UNDECIDED. Where a component does not count, each would be.
    """
    method = problem.method
    if not isinstance(problem.starts, Restarts) or not is_compiled(method):
        return False
    damping = getattr(method, "damping", None)
    undamped = damping is None or getattr(damping, "affine", None) == (0.0, 0.0)
    return not undamped or bool(active_mask(method).all())


def module_for(chain: Chain, variant: Variant = DEFAULT, entry: str = "solve_pose") -> ModuleType:
    """Return the generated module of a chain with "solve_pose" or "solve_rows", for the methods of a variant."""
    known = _modules.setdefault(chain, {})
    if (variant, entry) not in known:
        known[variant, entry] = modules.load(recipe(chain, variant, entry), owner=chain)
    return known[variant, entry]


def recipe(chain: Chain, variant: Variant, entry: str = "solve_pose") -> Recipe:
    """Return what the module of an entry is made of, for a chain and the methods of a variant."""
    numbers, parts = f"{chain.recipe}\n{variant.recipe(chain.dof)}", search_parts(chain, _WIDTHS[entry], variant, entry)
    return Recipe("pose_ik_lanes", parts, numbers, f"a solver for {chain.name}")


def entry_for(problem: Problem, name: str) -> Any:
    """Return "solve_pose" or "solve_rows" of a problem, compiled.

    Raises:
        KinematicsError: What was compiled does not stand on the product of exponentials.
    """
    module = module_for(problem.chain, variant_of(problem.method), name)
    entry = getattr(module, name).only_for(*_TYPES[name])
    if (module.__name__, name) not in _trusted:
        with loading:  # nobody waits here for another thread that compiles, unless for this
            check_search(partial(_searches[name], entry), problem.chain, name, problem.method)
            _trusted.add((module.__name__, name))
    return entry


def _pose_report(entry: Any, problem: Problem, target: Array, start: Array) -> Array:
    report = np.full(layout.JOINTS + 2 * problem.chain.dof, float(layout.UNDECIDED))
    entry(target, start, room_for(problem), FIXED_SEED, report)
    return report


def _row_report(entry: Any, problem: Problem, target: Array, start: Array) -> Array:
    report = np.empty(layout.JOINTS + 2 * problem.chain.dof)
    entry(target, start, _room_for_rows(problem), numbers_of(problem), np.array([FIXED_SEED]), report)
    return report


_searches = {"solve_pose": _pose_report, "solve_rows": _row_report}


def search_parts(chain: Chain, width: int, variant: Variant, *entries: str) -> tuple[Part, ...]:
    """Return what the search over `width` lanes is made of: a chain's kernels, then the entries, which call them."""
    around = Taken(modules.load(around_recipe(chain.dof, width, variant)), "*")
    size = Constants({"ROWS": lane_rows.rows(chain.dof, variant)["ROWS"]})
    callers = [_own("compiled_lanes", only=("evaluate",)), *(_own(_FILES[name], only=(name,)) for name in entries)]
    return (around, size, *kernel_parts(chain, width, variant), *callers)


def kernel_parts(chain: Chain, width: int, variant: Variant) -> tuple[Part, ...]:
    """Return what a chain's kernels are made of: those that are derived, and nothing for those that are not needed."""
    pose = Taken(modules.load(pose_recipe(chain, width, variant.model == "space"), owner=chain), "*")
    judged = ("acceptance", "promise") if variant.sequential else ("acceptance",)
    lean = () if not variant.sequential or (not variant.adapts and variant.formula is None) else ("damped_step",)
    stated = (*(f"stated_problem_{k}" for k in range(3)), "stated_last")
    stated = () if not variant.sequential or variant.formula is not None else stated
    needless = (*(() if variant.splits else ("split_error",)), *(() if variant.adapts else judged), *lean, *stated)
    nothing = Plain("lessons_lib.pose_ik.no_kernels", "@native(inline=True)", only=needless)
    derived = Derived(partial(lane_kernels.step_text, chain, width, variant))
    return (pose, derived, *((nothing,) if needless else ()))


def pose_recipe(chain: Chain, width: int, in_space: bool) -> Recipe:
    """Return what pose and Jacobian are made of, for all methods in a frame."""
    derived, numbers = Derived(partial(lane_kernels.pose_text, chain, width, in_space)), f"{chain.recipe}\n{width}"
    return Recipe(
        f"pose_ik_{'space' if in_space else 'body'}", (derived,), numbers, f"a solver for {chain.name}", apart=True
    )


def around_recipe(dof: int, width: int, variant: Variant) -> Recipe:
    """Return what hangs on no chain, for all chains and methods whose rows lie in the same places.

    That is two thirds of what a first solve compiles.
    """
    shared = Taken(modules.load(shared_recipe()), "*")
    places = Constants(lane_rows.constants(dof, variant, width))
    own = (_own(file, without=("evaluate", entry)) for entry, file in _FILES.items())
    derived = Derived(partial(lane_kernels.around_text, dof, variant, width))
    return Recipe("pose_ik_around_kernels", (shared, places, derived, *own), apart=True)


def shared_recipe() -> Recipe:
    """Return what hangs neither on the lanes nor on the chain: compiled once."""
    plain = (Plain(f"lessons_lib.pose_ik.{name}", EXACT) for name in _SHARED)
    poses = Plain("lessons_lib.lie.poses", OVER_LANES)
    return Recipe("pose_ik_shared", (*plain, poses, _own("poses")), apart=True)


def _own(file: str, only: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> Plain:
    name = f"lessons_lib.pose_ik.{file}"
    marks = {**_ENTRIES, "check_convergence": "@vectorized"}
    return Plain(name, OVER_LANES, marks, only=only, without=without)


def numbers_of(problem: Problem) -> Array:
    """Return all that the search over lanes is told, in one row; see layout.py for its places."""
    settings = settings_of(problem)[: layout.SETTINGS].copy()
    settings[layout.REPORTS_BEST] = 1.0 - settings[layout.BY_OBJECTIVE]
    if has_limits_to_stop_at(problem.arm.joints):  # later starts do, which lanes know nothing of
        settings[layout.REPORTS_BEST] = 0.0
        settings[layout.STARTS] = min(settings[layout.STARTS], layout.CLAMPED_FROM)
    if settings[layout.REPORTS_BEST] == 0.0 and settings[layout.STARTS] <= layout.CLAMPED_FROM:
        settings[layout.FIRST_START] = settings[layout.STARTS]  # when all have failed, nobody asks the lanes again
    arm, reach = problem.arm, problem.arm.reach
    if not active_mask(problem.method)[3:].all():  # where the position does not count, nothing is out of reach
        reach = np.array([math.inf, *reach[1:]])
    at_hand = np.zeros(layout.SEED_AFTER + 2 - layout.SEED_AT_HAND)  # see room_for
    squared = settings[[layout.ORIENTATION, layout.POSITION]] ** 2
    bounds = [*squared, *settings[[layout.MAX_ITERATIONS, layout.STARTS]]]
    bounds += [*settings[layout.COUNTED : layout.COUNTED + 6]]
    return np.concatenate([settings, reach, at_hand, arm.joints.ravel(), bounds, kernel_parameters(problem.method)])


def room_for(problem: Problem, slices: int = layout.EVALUATIONS_TIMES_JOINTS, width: int = POSE_WIDTH) -> Array:
    """Return what solve_pose works in: its rows, the numbers of the problem, what it remembers when it comes back.

    With the numbers come the first starts of FIXED_SEED, one a lane. It comes back after `slices` evaluations, times
    joints.
    """
    dof, variant, numbers, state = problem.chain.dof, variant_of(problem.method), numbers_of(problem), np.empty(2, int)
    plant(FIXED_SEED, state)
    starts = np.zeros((width, dof))
    for lane in range(1, width):
        random_configuration(state, problem.arm.joints, starts[lane])
    numbers[layout.EVALUATIONS] = max(1, slices // dof)
    numbers[layout.SEED_AT_HAND], numbers[layout.SEED_AFTER : layout.SEED_AFTER + 2] = FIXED_SEED, state
    at, given = lane_rows.rows(dof, variant), lane_rows.beginning(dof)
    rows = np.zeros((at["ROWS"], width))
    rows[at["BOUNDS"] : at["GIVEN"] + variant.numbers] = numbers[given:, None]
    first = np.zeros((at["NEXT"], width))
    first[: at["ATTEMPT"]] = np.vstack([starts.T, starts.T])
    first[at["ATTEMPT"]], first[at["BEGINS"]], first[at["BEST"]] = np.arange(width), 1.0, math.inf
    remembered = np.zeros(lane_rows.STATE_SIZE)
    return _in_lines_of_the_cache(np.concatenate([rows.ravel(), numbers[:given], first.ravel(), remembered]))


def _room_for_rows(problem: Problem) -> Array:
    """Return what solve_rows works in, at first."""
    return np.zeros(WIDTH * lane_rows.rows(problem.chain.dof, variant_of(problem.method))["ROWS"])


def _in_lines_of_the_cache(room: Array) -> Array:
    """Return a copy in which no row lies in two lines of the cache, 64 bytes."""
    with_slack = np.empty(room.size + WIDTH)
    first = -(with_slack.ctypes.data // room.itemsize) % WIDTH
    with_slack[first : first + room.size] = room
    return with_slack[first : first + room.size]


def pose_search(problem: Problem, halt: Halt | None = None) -> Callable[[Array, Array, int], Array]:
    """Return what solves one pose after the other, with all lanes for each; it belongs to one thread.

    It takes a target, shape (4, 4), a first start, shape (n,), and a seed, and returns a report, shape (5 + 2 n,). One
    that is INTERRUPTED, UNDECIDED or FREE_STARTS_FAILED has no answer.
    """
    halt = halt or Halt()
    with halt.compiling():
        solve_pose = entry_for(problem, "solve_pose")
    room = room_for(problem, TIMED_SLICE) if halt.is_timed else room_for(problem)

    def search(target: Array, start: Array, seed: int) -> Array:
        report = np.full(layout.JOINTS + 2 * problem.chain.dof, float(layout.UNDECIDED))
        solved = solve_pose(target, start, room, seed, report)
        while not solved and report[layout.STATUS] == layout.INTERRUPTED and not halt.over:
            report[layout.STATUS] = layout.UNDECIDED
            solved = solve_pose(target, start, room, layout.RESUME, report)
        return report

    return search


def row_search(problem: Problem) -> Callable[[Array, Array, Integers, Array, Array], None]:
    """Return what solves many poses of a problem, a pose a lane, in any number of threads at once.

    It takes targets, shape (k, 4, 4), first starts, shape (k, n), seeds, shape (k,), an array for the reports, shape
    (k, 5 + 2 n), and the numbers of the problem, through which it can be ended early; see interruption.py. Poses whose
    status is negative then are left to the other loops.
    """
    solve_rows, zeros = entry_for(problem, "solve_rows"), _room_for_rows(problem)

    def search(targets: Array, starts: Array, seeds: Integers, reports: Array, numbers: Array) -> None:
        room = _in_lines_of_the_cache(zeros)
        solve_rows(targets.reshape(-1, 4), starts.reshape(-1), room, numbers, seeds, reports.reshape(-1))

    return search
