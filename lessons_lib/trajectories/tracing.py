"""Follow a sequence of poses, each solved from the configuration before it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import ModuleType
from typing import Any, Literal, Never

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, check_flag
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Plain, Recipe, Taken
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import refuse_others, with_its_own_signature
from lessons_lib.pose_ik import Goal, Stop, in_python, layout, length_scaling, sequential
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_start, draw_seeds
from lessons_lib.pose_ik.interruption import Halt, in_threads, interruptible, sigint_guard
from lessons_lib.pose_ik.iteration import scratch_size
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PLAIN, REAL, PreparedProblem, prepare
from lessons_lib.pose_ik.problem import Found, Problem
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.pose_ik.settings import no_reports, reach_of, settings_of
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain
from lessons_lib.trajectories import waypoint_by_waypoint
from lessons_lib.trajectories.branches import Branches, check_branches, trace_branches
from lessons_lib.trajectories.follow_waypoints import AHEAD, FIRST, GO_ON, PREVIOUS, SKIP, STOP
from lessons_lib.trajectories.free_directions import trace_free
from lessons_lib.trajectories.path import Path, check_waypoints

Start = Literal["previous", "ahead", "first"]
TraceRows = Callable[[Problem, Array, Array, Integers, Integers, Array, Halt], int]
OnFailure = Literal["stop", "skip", "go on"]

CHUNK = 1024
"""Largest number of waypoints that are traced at a time."""

_SEEDS = np.array([FIXED_SEED])

STARTS: dict[str, int] = {"previous": PREVIOUS, "ahead": AHEAD, "first": FIRST}
CHOICES: dict[str, int] = {"stop": STOP, "skip": SKIP, "go on": GO_ON}


@with_its_own_signature
def trace(  # noqa: D417 (two parameters only collect what is refused)
    arm: Chain,
    waypoints: ArrayLike | Iterable[ArrayLike],
    q0: ArrayLike | None = None,
    *more: Never,
    on_failure: OnFailure = "stop",
    start: Start = "previous",
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Starts | None = None,
    stop: Stop | None = None,
    rng: np.random.Generator | None = None,
    progress: bool = False,
    branches: Branches | None = None,
    **unknown: Never,
) -> Path:
    """Return a configuration for each waypoint, each solved from the one before it.

    A waypoint is not reached if `pose_ik.solve` does not converge. That is a status, never an exception: the returned
    path contains all that was traced so far; `print(path)` shows it. Ctrl-C, in the main thread, ends a trace with a
    warning, within a fraction of a second or after the current compilation.

    Args:
        arm: The arm.
        waypoints: Poses T_sd, shape (k, 4, 4), k ≥ 1, or any finite row of poses; position in m. All are checked
            before the first is solved.
        q0: First configuration, within the limits, shape (n,), rad or m; zero, clipped into the limits, if left out.
        on_failure: If a waypoint is not reached, "stop" does not try the rest, "skip" goes to the next one from the
            last that was reached, and "go on" goes to the least error near the arm, as `pose_ik.Near` does.
        start: Where each solve begins: "previous" at the current configuration; "ahead" at its extrapolation, for
            waypoints that are close and evenly spaced; "first" always at q0.
        goal: As in `pose_ik.solve`, one for all waypoints.
        method: As in `pose_ik.solve`.
        starts: As in `pose_ik.solve`. With Near there are no random starts, so the arm does not jump to another
            posture.
        stop: As in `pose_ik.solve`.
        rng: Source of the seeds of random restarts, one integer for each waypoint.
        progress: Whether to show a progress bar on stderr.
        branches: "best" compares all solutions of each waypoint, for arms that `pose_ik.all_solutions` serves, and
            returns the path with the least largest change of a joint; "shortest" the path of least length. Without q0
            the arm may begin on any branch. The path is a `BranchPath`; its `proven` says whether its largest move is
            the least possible. With a goal that leaves directions free (`pose_ik.pointing`, `position_only`, …), they
            are chosen as well: from 72 samples of one free direction, 15 each of two, 7 of three, with every solution
            of each, then on finer samples around the path, until neither cost nor length falls by 1e-4 of itself and
            the spacing is 1/256 of the first, or after 100 passes. The path never costs more than that of the search
            with this goal, if that reaches these waypoints; that no other path costs less is not proven: 64 paths of a
            UR10 with one free direction cost 0.02 % more at the median than from 240 samples, and every ninth more
            than 3 %. The errors of the path are the goal's. 100 waypoints of a UR10 with one free direction take about
            a second.

    Returns:
        The path. Each joint of a solution is unwrapped to where it is nearest to the configuration before, as far as
        its limits allow; the errors are those of the unwrapped configuration.

    Raises:
        TransformError: There is no waypoint, or one is not a pose, NaN among them; the message names it.
        ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be.
        UnknownArgument: As in `pose_ik.solve`.
    """
    if unknown or more:
        refuse_others(trace, more, unknown)
    progress = check_flag("progress", progress)
    if branches is not None:
        asked = {"method": method, "starts": starts, "stop": stop, "rng": rng}
        by = check_branches(arm, branches, goal, asked, on_failure)
        begin = None if q0 is None else check_start(prepare(arm, None, None, None, None).problem, q0)
        poses, skips = check_waypoints(waypoints), _code("on_failure", on_failure, CHOICES) == SKIP
        if goal is None:
            return trace_branches(arm, poses, begin, by, skips)
        traced = trace(arm, poses, begin, on_failure="skip", goal=goal)
        if not traced.tried.all():  # interrupted
            return traced
        return trace_free(arm, poses, begin, by, skips, goal, traced, module().search_layers)
    prepared = prepare(arm, goal, method, starts, stop)
    choice, manner = _code("on_failure", on_failure, CHOICES), _code("start", start, STARTS)
    if rng is None and not progress and not prepared.in_python and prepared.problem.unit == 1.0:
        path = _trace_at_once(prepared, waypoints, q0, manner, choice == GO_ON)
        if path is not None:
            return path
    poses, begin = check_waypoints(waypoints), check_start(prepared.problem, q0)
    seeds, reports, halt = draw_seeds(rng, len(poses)), no_reports(len(poses), arm.dof), Halt()
    unit = prepared.problem.unit
    there = length_scaling.scaled_poses(poses, unit), begin / length_scaling.joint_units(arm, unit)
    work = _Work(prepared.scaled, *there, seeds, reports, manner, choice, halt)
    with sigint_guard(halt):
        with progress_bar(lambda: work.ended, len(poses), "tracing", progress) as tick:
            if prepared.in_python:
                with interruptible(halt):
                    work.trace(waypoint_by_waypoint.trace_rows, 1, tick)
            else:
                sequential.compile_for(prepared.scaled)
                in_threads(lambda: work.trace(trace_rows, CHUNK), 1, halt, tick)
        if halt.requested:
            warnings.warn(f"interrupted: {work.tried} of {len(poses)} waypoints are traced", stacklevel=2)
        length_scaling.unscale_reports(reports, prepared.problem)
        return Path(arm, begin, poses, reports[: work.tried], choice == GO_ON)


@dataclass
class _Work:
    """A trace in progress: `tried` waypoints have their reports."""

    problem: Problem
    poses: Array
    begin: Array
    seeds: Integers
    reports: Array
    manner: int
    choice: int
    halt: Halt
    tried: int = 0

    def trace(self, trace_rows: TraceRows, size: int, tick: Callable[[], None] = lambda: None) -> None:
        """Trace chunks of waypoints until one stops the arm or the halt is requested."""
        places, counts = np.array([self.begin] * 3), np.array([self.manner, self.choice, 0])
        while self.tried < len(self.poses) and not self.halt.requested:
            rows = slice(self.tried, self.tried + size)
            part = self.poses[rows], places, counts, self.seeds[rows], self.reports[rows]
            self.tried += trace_rows(self.problem, *part, self.halt)
            tick()
            if self.choice == STOP and self.reports[self.tried - 1, layout.STATUS] != layout.CONVERGED:
                return

    @property
    def ended(self) -> int:
        """Number of waypoints that have ended, including those of the current chunk."""
        tried = self.tried
        return tried + _known(self.reports[tried : tried + CHUNK])


def _known(reports: Array) -> int:
    """Return the number of reports before the first that has not ended."""
    left = reports[:, layout.STATUS] == layout.INTERRUPTED
    return int(left.argmax()) if left.any() else len(reports)


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
) -> int:
    """Trace waypoints in compiled code, and by itself each that it does not reach; return how many were tried."""
    settings, (run, at), done = halt.settings_for(settings_of, problem), sequential.kernels_for(problem), 0
    scratch, solve = np.zeros(scratch_size(at)), partial(_solve_waypoint, halt)
    follow = module().follow
    while True:
        rest = slice(done, len(targets))
        inputs = targets[rest].reshape(-1, 4), places, counts, problem.arm.joints, reach_of(problem), settings
        done += int(follow(*inputs, seeds[rest], reports[rest], scratch, run, at))
        if done == len(targets) or halt.requested:
            return done
        one = slice(done, done + 1)
        arguments = problem, targets[one], places, counts, seeds[one], reports[one], halt
        if not waypoint_by_waypoint.trace_rows(*arguments, solve):
            return done
        done += 1
        if counts[1] == STOP and reports[done - 1, layout.STATUS] != layout.CONVERGED:
            return done


def _solve_waypoint(halt: Halt, problem: Problem, target: Array, q0: Array, seed: int) -> Found:
    sequential.compile_for(problem)
    report = sequential.search(problem, target, q0, seed, halt)
    if report[layout.STATUS] == layout.INVALID_DAMPING:
        return in_python.search(problem, target, q0, seed)
    return report, None


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with `follow`, for all arms; the first call compiles it."""
    return modules.load(recipe())


def recipe() -> Recipe:
    """Return the recipe of the loop over waypoints."""
    texts = (Plain(f"lessons_lib.trajectories.{name}", "@native") for name in ("follow_waypoints", "layer_search"))
    return Recipe("trace_waypoints", (Taken(sequential.search_module(), "*"), *texts))


def _trace_at_once(prepared: PreparedProblem, waypoints: Any, q0: Any, manner: int, goes_on: bool) -> Path | None:
    """Return the path if the arguments are plain arrays and compiled code reaches each waypoint; otherwise None."""
    search, begin = prepared.sequential, prepared.problem.arm.home if q0 is None else q0
    if not (
        waypoints.__class__ is PLAIN and waypoints.dtype is REAL and begin.__class__ is PLAIN and begin.dtype is REAL
    ):
        return None
    count = len(waypoints)
    if not 0 < count <= CHUNK or waypoints.shape != (count, 4, 4) or begin.shape != prepared.problem.arm.home.shape:
        return None
    poses, begin, reports = waypoints.copy(), begin.copy(), np.empty((count, search.report_size))
    places, counts = np.array((begin, begin, begin)), np.array((manner, STOP, 0))
    arm, (run, at), scratch = search.scaled.arm, search.kernels, np.zeros(search.scratch_size)
    goes_to = arm.joints, reach_of(search.scaled), search.settings
    inputs = poses.reshape(-1, 4), places, counts, *goes_to, _SEEDS, reports, scratch
    solved = module().follow(*inputs, run, at)
    return Path(prepared.problem.chain, begin, poses, reports, goes_on) if solved == count else None


def _code(name: str, word: object, codes: Mapping[str, int]) -> int:
    if not isinstance(word, str) or word not in codes:
        raise ParameterError(f"{name} must be one of {', '.join(map(repr, codes))}, got {word!r}")
    return codes[word]
