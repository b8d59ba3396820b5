"""Trace a sequence of waypoints, each solved from the previous configuration."""

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
from lessons_lib.codegen.linker import Plain
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import hide_extra_parameters, refuse_unknown_arguments
from lessons_lib.pose_ik import Goal, Stop, in_python, layout, length_scaling, sequential
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_start, draw_seeds
from lessons_lib.pose_ik.interruption import Halt, in_threads, interruptible, sigint_guard
from lessons_lib.pose_ik.iteration import scratch_size
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PLAIN, REAL, PreparedProblem, prepare
from lessons_lib.pose_ik.problem import Problem, SearchOutput
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.pose_ik.settings import no_reports, reach_of, settings_of
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain
from lessons_lib.trajectories import python_trace
from lessons_lib.trajectories.branches import Branches, check_branches, trace_branches
from lessons_lib.trajectories.free_directions import trace_free_directions
from lessons_lib.trajectories.path import Path, check_waypoints
from lessons_lib.trajectories.trace_loops import AHEAD, FIRST, GO_ON, PREVIOUS, SKIP, STOP

Start = Literal["previous", "ahead", "first"]
TraceRows = Callable[[Problem, Array, Array, Integers, Integers, Array, Halt], int]
OnFailure = Literal["stop", "skip", "go on"]

CHUNK = 1024
"""Largest number of waypoints traced in one call of compiled code."""

_SEEDS = np.array([FIXED_SEED])

STARTS: dict[str, int] = {"previous": PREVIOUS, "ahead": AHEAD, "first": FIRST}
FAILURES: dict[str, int] = {"stop": STOP, "skip": SKIP, "go on": GO_ON}


@hide_extra_parameters
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
    """Solve for a configuration at each waypoint, each from the previous configuration.

    A waypoint is not reached if `pose_ik.solve` does not converge. That is a status, never an exception: the returned
    path contains the waypoints traced so far, and `print(path)` shows them. Ctrl-C in the main thread ends a trace with
    a warning, within a fraction of a second or after the current compilation.

    >>> from lessons_lib import robots, trajectories
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> poses = trajectories.path_between([arm.forward_kinematics(q), arm.forward_kinematics([0.4] + q[1:])], pieces=5)
    >>> path = trajectories.trace(arm, poses, q)
    >>> path.reached.all().item(), path.q.shape
    (True, (6, 6))

    Args:
        arm: The arm.
        waypoints: Poses T_sd, shape (k, 4, 4), k ≥ 1, or any finite iterable of poses; position in m. All are checked
            before the first is solved.
        q0: Start configuration, within the limits, shape (n,), rad or m; default: zero, clipped to the limits.
        on_failure: If a waypoint is not reached, "stop" ends the trace, "skip" continues with the next one from the
            last that was reached, and "go on" moves to the least error near the current q, as `pose_ik.Near` does.
        start: Initial guess of each solve: "previous", the current configuration; "ahead", its extrapolation, for
            waypoints that are close and evenly spaced; "first", always q0.
        goal: As in `pose_ik.solve`, one for all waypoints.
        method: As in `pose_ik.solve`.
        starts: As in `pose_ik.solve`. With Near there are no random starts, so the arm does not jump to another
            posture.
        stop: As in `pose_ik.solve`.
        rng: Generator of the seeds of random restarts, one integer for each waypoint.
        progress: Whether to show a progress bar on stderr.
        branches: "best" compares all solutions of each waypoint, for arms supported by `pose_ik.all_solutions`, and
            returns the path with the smallest largest joint change; "shortest" returns the path of least length.
            Without q0 the arm may start on any branch. The path is a `BranchPath`, whose `proven` says whether its
            largest move is the least possible. If a goal leaves directions free (`pose_ik.pointing`, `position_only`,
            …), they are chosen as well: from 72 samples of one free direction, 15 of each of two, 7 of each of three,
            with all solutions of each sample; then from finer samples around the path, until cost and length fall by
            less than 1e-4 of themselves at 1/256 of the first spacing, or after 100 passes. The path never costs more
            than that of the search with this goal, if the search reaches these waypoints. No minimum is proven: 64
            paths of a UR10 with one free direction cost 0.02 % more at the median than from 240 samples, and one in
            nine over 3 % more. The errors of the path are those of the goal. 100 waypoints of a UR10 with one free
            direction take about a second; an arm without a closed form takes about ten times as long.

    Returns:
        The path. Each joint of a solution is unwrapped beside the previous configuration, as far as its limits allow;
        the errors are those of the unwrapped configuration.

    Raises:
        TransformError: There is no waypoint, or one is not a pose or contains NaN; the message names it.
        ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument has the wrong type or value.
        UnknownArgument: As in `pose_ik.solve`.
    """
    if unknown or more:
        refuse_unknown_arguments(trace, more, unknown)
    progress = check_flag("progress", progress)
    if branches is not None:
        others = {"method": method, "starts": starts, "stop": stop, "rng": rng}
        by = check_branches(arm, branches, goal, others, on_failure)
        begin = None if q0 is None else check_start(prepare(arm, None, None, None, None).problem, q0)
        poses, skips = check_waypoints(waypoints), _read_code("on_failure", on_failure, FAILURES) == SKIP
        if goal is None:
            return trace_branches(arm, poses, begin, by, skips)
        traced = trace(arm, poses, begin, on_failure="skip", goal=goal)
        if not traced.tried.all():  # interrupted
            return traced
        return trace_free_directions(arm, poses, begin, by, skips, goal, traced, module().search_layers)
    prepared = prepare(arm, goal, method, starts, stop)
    failure_code, start_code = _read_code("on_failure", on_failure, FAILURES), _read_code("start", start, STARTS)
    if rng is None and not progress and not prepared.in_python and prepared.problem.unit == 1.0:
        path = _trace_compiled(prepared, waypoints, q0, start_code, failure_code == GO_ON)
        if path is not None:
            return path
    poses, begin = check_waypoints(waypoints), check_start(prepared.problem, q0)
    seeds, reports, halt = draw_seeds(rng, len(poses)), no_reports(len(poses), arm.dof), Halt()
    unit = prepared.problem.unit
    scaled = length_scaling.scale_poses(poses, unit), begin / length_scaling.joint_units(arm, unit)
    job = _TraceJob(prepared.scaled, *scaled, seeds, reports, start_code, failure_code, halt)
    with sigint_guard(halt):
        with progress_bar(lambda: job.finished, len(poses), "tracing", progress) as tick:
            if prepared.in_python:
                with interruptible(halt):
                    job.trace(python_trace.trace_waypoints, 1, tick)
            else:
                sequential.compile_for(prepared.scaled)
                in_threads(lambda: job.trace(trace_waypoints, CHUNK), 1, halt, tick)
        if halt.requested:
            warnings.warn(f"interrupted: {job.tried} of {len(poses)} waypoints are traced", stacklevel=2)
        length_scaling.unscale_reports(reports, prepared.problem)
        return Path(arm, begin, poses, reports[: job.tried], failure_code == GO_ON)


@dataclass
class _TraceJob:
    """A trace in progress; the first `tried` waypoints have reports."""

    problem: Problem
    poses: Array
    begin: Array
    seeds: Integers
    reports: Array
    start_code: int
    failure_code: int
    halt: Halt
    tried: int = 0

    def trace(self, trace_waypoints: TraceRows, size: int, tick: Callable[[], None] = lambda: None) -> None:
        """Trace chunks of waypoints until a failure stops the arm or a halt is requested."""
        history, codes = np.array([self.begin] * 3), np.array([self.start_code, self.failure_code, 0])
        while self.tried < len(self.poses) and not self.halt.requested:
            rows = slice(self.tried, self.tried + size)
            part = self.poses[rows], history, codes, self.seeds[rows], self.reports[rows]
            self.tried += trace_waypoints(self.problem, *part, self.halt)
            tick()
            if self.failure_code == STOP and self.reports[self.tried - 1, layout.STATUS] != layout.CONVERGED:
                return

    @property
    def finished(self) -> int:
        """Number of finished waypoints, including those of the current chunk."""
        tried = self.tried
        return tried + _count_finished(self.reports[tried : tried + CHUNK])


def _count_finished(reports: Array) -> int:
    """Return the number of reports before the first unfinished one."""
    unfinished = reports[:, layout.STATUS] == layout.INTERRUPTED
    return int(unfinished.argmax()) if unfinished.any() else len(reports)


def trace_waypoints(
    problem: Problem,
    targets: Array,
    history: Array,
    codes: Integers,
    seeds: Integers,
    reports: Array,
    halt: Halt,
) -> int:
    """Trace waypoints in compiled code, and singly those that it does not reach; return the number tried."""
    settings, (run, at), done = halt.settings_for(settings_of, problem), sequential.kernels_for(problem), 0
    scratch, solve = np.zeros(scratch_size(at)), partial(_solve_waypoint, halt)
    follow = module().follow
    while True:
        rest = slice(done, len(targets))
        inputs = targets[rest].reshape(-1, 4), history, codes, problem.arm.joints, reach_of(problem), settings
        done += int(follow(*inputs, seeds[rest], reports[rest], scratch, run, at))
        if done == len(targets) or halt.requested:
            return done
        one = slice(done, done + 1)
        arguments = problem, targets[one], history, codes, seeds[one], reports[one], halt
        if not python_trace.trace_waypoints(*arguments, solve):
            return done
        done += 1
        if codes[1] == STOP and reports[done - 1, layout.STATUS] != layout.CONVERGED:
            return done


def _solve_waypoint(halt: Halt, problem: Problem, target: Array, q0: Array, seed: int) -> SearchOutput:
    sequential.compile_for(problem)
    report = sequential.search(problem, target, q0, seed, halt)
    if report[layout.STATUS] == layout.INVALID_DAMPING:
        return in_python.search(problem, target, q0, seed)
    return report, None


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module of trace_loops.py, for all arms; the first call compiles it."""
    return sequential.load_with_search("trace_waypoints", Plain("lessons_lib.trajectories.trace_loops"))


def _trace_compiled(prepared: PreparedProblem, waypoints: Any, q0: Any, start_code: int, goes_on: bool) -> Path | None:
    """Return the path if the arguments are plain arrays and compiled code reaches all waypoints; otherwise None."""
    search, begin = prepared.sequential, prepared.problem.arm.home if q0 is None else q0
    if not (
        waypoints.__class__ is PLAIN and waypoints.dtype is REAL and begin.__class__ is PLAIN and begin.dtype is REAL
    ):
        return None
    count = len(waypoints)
    if not 0 < count <= CHUNK or waypoints.shape != (count, 4, 4) or begin.shape != prepared.problem.arm.home.shape:
        return None
    poses, begin, reports = waypoints.copy(), begin.copy(), np.empty((count, search.report_size))
    history, codes = np.array((begin, begin, begin)), np.array((start_code, STOP, 0))
    arm, (run, at), scratch = search.scaled.arm, search.kernels, np.zeros(search.scratch_size)
    inputs = poses.reshape(-1, 4), history, codes, arm.joints, reach_of(search.scaled), search.settings
    solved = module().follow(*inputs, _SEEDS, reports, scratch, run, at)
    return Path(prepared.problem.chain, begin, poses, reports, goes_on) if solved == count else None


def _read_code(name: str, value: object, codes: Mapping[str, int]) -> int:
    if not isinstance(value, str) or value not in codes:
        raise ParameterError(f"{name} must be one of {', '.join(map(repr, codes))}, got {value!r}")
    return codes[value]
