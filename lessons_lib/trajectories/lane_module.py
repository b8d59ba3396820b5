"""The trace over one lane, from Python: compiled once a chain, and helped out by the search of one waypoint."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import OVER_LANES, Plain, Recipe
from lessons_lib.pose_ik import Goal, Stop, compiled, lanes
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.layout import CONVERGED, EVALUATIONS, JOINTS, STATUS
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.pose_ik.variants import variant_of
from lessons_lib.robots import Chain
from lessons_lib.trajectories import waypoint_by_waypoint
from lessons_lib.trajectories.places import STOP

_TYPES = ("f2", "f2", "i1", "f2", "f1", "f1")
"""The types of the arguments of `trace_rows` of a chain."""

CHUNK = 1024
"""Waypoints that are traced at a time."""

EVALUATIONS_A_WAYPOINT = 1000
"""Evaluations for each waypoint of a path that is traced at once, where Ctrl-C is not heard before that returns."""

_modules: WeakKeyDictionary[Chain, dict[Variant, ModuleType]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Tracer:
    """What a trace needs to know of its problem.

    Attributes:
        problem: How to solve.
        names: The arguments that it stands for, kept so that no other object can take their place in memory.
        trace_rows: The compiled trace over one lane, or None where it may not be used or does not know the method.
        numbers: What it is told.
        size: Of a report.
    """

    problem: Problem
    names: tuple[object, ...]
    trace_rows: Any
    numbers: Array
    size: int


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
) -> int:
    """Trace some waypoints on from where the arm is, over one lane where it can; return how many were tried.

    The arguments are those of `waypoint_by_waypoint.trace_rows`.
    """
    run, numbers = module_for(problem).trace_rows, halt.reaching(lanes.numbers_of, problem)
    joints, done = problem.arm.joints, 0
    while True:
        rows, told = targets[done:].reshape(-1, 4), reports[done:].reshape(-1)
        done += int(run(rows, places, counts, joints, numbers, told))
        if done == len(targets) or halt.asked:
            return done
        one = slice(done, done + 1)
        if not trace_one_by_one(problem, targets[one], places, counts, seeds[one], reports[one], halt):
            return done
        done += 1
        if counts[1] == STOP and reports[done - 1, STATUS] != CONVERGED:
            return done


def trace_one_by_one(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
) -> int:
    """Do the same with the compiled search of one waypoint after the other."""
    search = partial(compiled.search, halt=halt)
    return waypoint_by_waypoint.trace_rows(problem, targets, places, counts, seeds, reports, halt, search)


def tracer_for(
    arm: Chain, method: Stepping | None, stop: Stop | None, starts: Starts | None, goal: Goal | None = None
) -> Tracer:
    """Return what a trace needs to know of its problem, found once.

    Raises:
        ParameterError: One of the arguments is not what it should be.
    """
    asked = (method, stop, starts, goal)
    key = ("trace", *map(id, asked))
    tracer: Tracer | None = arm.prepared.get(key) if isinstance(arm, Chain) else None
    if tracer is None:
        problem = check_problem(arm, *asked)
        known = lanes.can_solve(problem) and problem.unit == 1.0
        run = module_for(problem).trace_rows if known else None
        numbers = lanes.numbers_of(problem) if known else np.empty(0)
        if known:
            numbers[EVALUATIONS] = EVALUATIONS_A_WAYPOINT
        tracer = Tracer(problem, asked, run, numbers, JOINTS + 2 * arm.dof)
        arm.prepare(key, tracer)
    return tracer


def module_for(problem: Problem) -> ModuleType:
    """Return the generated module with trace_rows for a problem."""
    chain, variant = problem.chain, variant_of(problem.method)
    known = _modules.setdefault(chain, {})
    if variant not in known:
        module = modules.load(recipe(chain, variant), owner=chain)
        module.trace_rows.only_for(*_TYPES)
        known[variant] = module
    return known[variant]


def recipe(chain: Chain, variant: Variant) -> Recipe:
    """Return what the module is made of: the search over lanes, of which there is one, then the functions here."""
    places = Plain("lessons_lib.trajectories.places", lanes.EXACT)
    own = Plain("lessons_lib.trajectories.compiled_lane", OVER_LANES, {"trace_rows": "@native"})
    parts = (*lanes.search_parts(chain, 1, variant), places, own)
    return Recipe("trace_lane", parts, f"{chain.recipe}\n{variant.recipe(chain.dof)}", f"a tracer for {chain.name}")
