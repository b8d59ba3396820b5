"""The compiled trace: its text is joined to the search of `pose_ik`, compiled once for all arms, called from here."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache, partial
from types import ModuleType

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Plain, Recipe, Taken
from lessons_lib.pose_ik import compiled
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.layout import CONVERGED, INTERRUPTED, REFUSED, STATUS
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.starts import Near
from lessons_lib.trajectories import readable_path
from lessons_lib.trajectories.places import GO_ON, STOP

CHUNK = 1024
"""Waypoints that the compiled trace is given at a time."""


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
) -> int:
    """Trace some waypoints on from where the arm is: see compiled_path.py; return how many were tried."""
    search = partial(compiled.search, halt=halt)
    if isinstance(problem.starts, Near):
        return readable_path.trace_rows(problem, targets, places, counts, seeds, reports, halt, search)
    arm, settings, done = problem.arm, halt.reaching(compiled.settings_of, problem), 0
    run, kernels = module().trace_rows, compiled.kernels_for(problem)
    while done < len(targets):
        rest = slice(done, None)
        tried = int(
            run(targets[rest], places, arm.joints, arm.reach, settings, seeds[rest], counts, reports[rest], *kernels)
        )
        if done + tried < len(targets) and reports[done + tried, STATUS] == REFUSED:
            reports[done + tried, STATUS] = INTERRUPTED
            one = slice(done + tried, done + tried + 1)  # or tells what is wrong
            known = readable_path.trace_rows(problem, targets[one], places, counts, seeds[one], reports[one], halt)
            done += tried + known
            if not known or halt.asked or (counts[1] == STOP and reports[done - 1, STATUS] != CONVERGED):
                break
            continue
        if not tried:  # ended early
            break
        done += tried
        report = reports[done - 1]
        if counts[1] == STOP and report[STATUS] != CONVERGED:
            break
        if counts[1] == GO_ON and report[STATUS] != CONVERGED:
            with suppress(KeyboardInterrupt):  # the halt was asked for
                readable_path.go_near(problem, targets[done - 1], places, int(seeds[done - 1]), report, search)
            readable_path.arrive(report, places, counts)
        if halt.asked:
            break
    return done


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with trace_rows for all arms; the first call to it compiles."""
    return modules.load(recipe(compiled.search_module()))


def recipe(base: ModuleType) -> Recipe:
    """Return what the module is made of: everything of the search of `pose_ik`, then this package's own functions."""
    own = (Plain("lessons_lib.trajectories.places"), Plain("lessons_lib.trajectories.compiled_path"))
    return Recipe("trace", (Taken(base, "*"), *own))
