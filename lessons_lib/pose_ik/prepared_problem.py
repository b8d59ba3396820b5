"""A problem that is prepared once, kept on the arm by the values of its parts, and solved many times."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import CONVERSION_ERRORS, Array
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik import in_python, interruption, lanes, length_scaling
from lessons_lib.pose_ik.arguments import check_problem, check_seconds, check_start
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.interruption import Halt, OutOfTime
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    DESCENDS,
    EVALUATIONS,
    EVALUATIONS_TIMES_JOINTS,
    INVALID_DAMPING,
    JOINTS,
    NEEDS_FALLBACK,
    STATUS,
    UNCONSTRAINED_STARTS_FAILED,
    has_ended,
)
from lessons_lib.pose_ik.least_error import Descent, needs_descent
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.problem import Problem, SearchOutput, Stop
from lessons_lib.pose_ik.result import Result, Trace, place_of_q
from lessons_lib.pose_ik.sequential import SequentialSearch, one_at_a_time
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.variant import is_compiled
from lessons_lib.robots import Chain

REAL = np.dtype(np.float64)
"""NumPy's own dtype of a double in this machine's byte order: an array's dtype is this very object."""

NUMBERS = frozenset({float, int, np.float64})
"""The types of most entries of a list of numbers."""

PLAIN = np.ndarray
"""The class of an array without a mask; compiled code would ignore the mask."""

_empty = np.empty


def doubles(numbers: Any) -> Array:
    """Convert numbers to a C-ordered float64 array; after a TypeError or ValueError arguments.py explains the fault."""
    if numbers.__class__ is not PLAIN:
        listed = numbers.__class__ in (list, tuple) and numbers
        rows = numbers if listed and numbers[0].__class__ in (list, tuple) else (numbers,)
        for row in rows:
            if not (row.__class__ in (list, tuple) and NUMBERS.issuperset(map(type, row))):
                raise TypeError
        return np.array(numbers, dtype=np.float64)
    if numbers.dtype is REAL and numbers.flags.c_contiguous:
        return numbers
    if numbers.dtype.kind not in "fiu":
        raise TypeError
    return np.ascontiguousarray(numbers, dtype=np.float64)


class PreparedProblem:
    """A problem with everything that its searches need; kernels are compiled on demand."""

    # problem: in the units of the caller; scaled: in units of the arm's characteristic length; in_python: only Python
    # can take the method's steps; solve_pose, solve_rows: the compiled SIMD searches, None before that; bounded: the
    # same problem with limits of its own (within.py); report_nearest: the compiled choice among closed-form solutions

    __slots__ = (
        "_descent",
        "_place",
        "_sequential",
        "_size",
        "_timed",
        "batch_settings",
        "bounded",
        "in_python",
        "problem",
        "report_nearest",
        "scaled",
        "scratch",
        "solve_pose",
        "solve_rows",
        "uses_simd",
    )

    def __init__(self, problem: Problem, timed: bool = False, in_python: bool = False) -> None:
        """Prepare a problem; if `timed`, the SIMD search checks the clock every 0.1 ms."""
        self.problem, self.scaled, self._timed = problem, length_scaling.scale_problem(problem), timed
        self.in_python = in_python or not is_compiled(problem.method)
        self.uses_simd = not self.in_python and lanes.can_solve(self.scaled)
        self.solve_pose: Any = None
        self.solve_rows: Any = None
        self.report_nearest: Any = None
        self.bounded: Any = None
        self.scratch, self.batch_settings = np.empty(0), np.empty(0)
        self._sequential: SequentialSearch | None = None
        self._descent: Descent | None = None
        self._size, self._place = JOINTS + 2 * problem.chain.dof, place_of_q(problem.chain.dof)

    def solve(self, target: Any, q0: Any, seed: int, traced: bool, max_time: float | None) -> Result:
        """Solve for one target as `pose_ik.solve` does."""
        # The compiled searches check shapes, limits and whether the target is a pose to rounding. Arguments that they
        # reject and long searches go through the checks of `arguments.py`.
        after_simd = False
        if max_time is not None and max_time.__class__ not in NUMBERS:
            max_time = check_seconds(max_time)
        try:
            start = self.problem.arm.home if q0 is None else q0
            pose = target
            if not (
                target.__class__ is PLAIN and target.ndim == 2 and target.dtype is REAL and target.flags.c_contiguous
            ):
                pose = doubles(target)
            if q0 is not None and not (start.__class__ is PLAIN and start.ndim == 1 and start.dtype is REAL):
                start = doubles(start)
            report = _empty(self._size)
            if self.uses_simd and not traced:
                solve_pose = self.solve_pose or self.compile_simd()
                begun = 0.0 if max_time is None else interruption.clock()
                if solve_pose(pose, start, self.scratch, seed, report):
                    if max_time is None or interruption.clock() - begun <= max_time:
                        return self._converged_result(report, None)
                elif max_time is None:
                    status = int(report[STATUS])
                    if has_ended(status):
                        return self._result(pose, report, None, False)
                    after_simd = status == UNCONSTRAINED_STARTS_FAILED
            if max_time is None and not self.in_python:
                status, trace = (self._sequential or self.sequential).solve_quickly(
                    pose, start, seed, report, traced, after_simd
                )
                if status == CONVERGED:
                    return self._converged_result(report, trace)
                if status == NEEDS_FALLBACK:  # the target is not orthonormal to rounding, or an argument is invalid
                    pose, start = check_target(pose), check_start(self.problem, start)
                    status, trace = self.sequential.solve_quickly(pose, start, seed, report, traced, after_simd)
                if has_ended(status):
                    return self._result(pose, report, trace, traced)
        except CONVERSION_ERRORS:
            pass
        return self._solve_checked(target, q0, seed, traced, check_seconds(max_time), after_simd)

    def _converged_result(self, report: Array, trace: Trace | Array | None) -> Result:
        """Return the same as `Result.of` for a converged report, faster."""
        report.setflags(False)  # type: ignore[call-arg]  # write=False, in half the time of a keyword
        result = Result()
        result._report, result._q = report, report[self._place]
        result._code, result._trace, result._branch, result._certificate = CONVERGED, trace, None, None
        return result

    def compile_simd(self) -> Any:
        search = one_at_a_time(lanes.entry_for(self.scaled, "solve_pose"))
        self.scratch = lanes.make_scratch(self.scaled, lanes.TIMED_SLICE if self._timed else EVALUATIONS_TIMES_JOINTS)
        lanes.settings_in(self.scratch, self.scaled)[DESCENDS] = self.scaled.descends
        self.solve_pose = search if self.problem.unit == 1.0 else length_scaling.scale_search(self.problem, search)
        return self.solve_pose

    def compile_batch(self) -> Any:
        self.batch_settings = lanes.simd_settings(self.scaled)
        self.batch_settings[DESCENDS] = self.scaled.descends
        self.batch_settings[EVALUATIONS] = EVALUATIONS_TIMES_JOINTS // self.problem.chain.dof
        self.solve_rows = lanes.row_search(self.scaled)
        return self.solve_rows

    def settings_of_batch(self, _problem: Problem) -> Array:
        """Return the settings of the SIMD search of a batch; see `Halt.settings_for`."""
        return self.batch_settings

    @property
    def sequential(self) -> SequentialSearch:
        """The sequential search, compiled at first use."""
        if self._sequential is None:
            self._sequential = SequentialSearch(self.problem)
        return self._sequential

    def _result(self, target: Array, report: Array, trace: Trace | Array | None, traced: bool) -> Result:
        """Return the result of a report; a failed default search ends with the descent of least_error.py."""
        if needs_descent(self.problem, report):
            if self._descent is None:
                self._descent = Descent(self.problem, self.in_python)
            own = self._descent.lower(target, report, traced)
            trace = trace if own is None else own
        return Result.of(report, trace)

    def _solve_checked(
        self, target: ArrayLike, q0: ArrayLike | None, seed: int, traced: bool, seconds: float, after_simd: bool
    ) -> Result:
        """Check the arguments and solve, within the allowed time."""
        T_sd, start = check_target(target), check_start(self.problem, q0)
        report, trace = self._solve_long(T_sd, start, seed, traced, Halt(seconds), after_simd)
        return self._result(T_sd, report, trace, traced)

    def _solve_long(
        self,
        T_sd: Array,  # noqa: N803
        start: Array,
        seed: int,
        traced: bool,
        halt: Halt,
        after_simd: bool,
    ) -> tuple[Array, Trace | Array | None]:
        """Return the report and the trace of a search of any length."""
        scaled = length_scaling.scale_poses(T_sd, self.problem.unit), start / self._joint_units
        try:
            if self.uses_simd and not traced and not after_simd:
                report = lanes.pose_search(self.scaled, halt)(*scaled, seed)
                if has_ended(int(report[STATUS])):
                    return self._in_caller_units(report, None)
                after_simd = bool(report[STATUS] == UNCONSTRAINED_STARTS_FAILED)
            if not self.in_python:
                with halt.compiling():
                    sequential = self.sequential
                if halt.expired:
                    raise OutOfTime
                report, trace = sequential.solve(T_sd, start, seed, traced, halt, after_simd)
                if report[STATUS] != INVALID_DAMPING:
                    return report, trace
            search = partial(in_python.search, trace=traced, over=lambda: halt.expired)
        except OutOfTime:
            search = partial(in_python.first_start, trace=traced)
        return self._in_caller_units(*search(self.scaled, *scaled, seed))

    @property
    def _joint_units(self) -> Array:
        return length_scaling.joint_units(self.problem.chain, self.problem.unit)

    def _in_caller_units(self, report: Array, trace: Trace | None) -> SearchOutput:
        if self.problem.unit == 1.0:
            return report, trace
        length_scaling.unscale_reports(report, self.problem)
        return report, None if trace is None else length_scaling.unscale_trace(trace, self.problem)


def prepare(
    arm: Chain,
    goal: Goal | None,
    method: StepMethod | None,
    starts: Starts | None,
    stop: Stop | None,
    timed: bool = False,
) -> PreparedProblem:
    """Return the prepared problem kept on the arm for these arguments; raise ParameterError if one is invalid."""
    key, known = None, None
    try:
        if method is not None or stop is not None or goal is not None or starts is not None or timed:
            key = method, stop, goal, starts, timed
        known = arm.prepared.get(key)
    except CONVERSION_ERRORS:  # a method without a hash, or no chain
        pass
    if known is None:
        known = PreparedProblem(check_problem(arm, method, stop, starts, goal), timed)
        if is_compiled(known.problem.method):  # a method with a step of its own may change
            arm.prepare(key, known)
    return known
