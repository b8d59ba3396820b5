"""The search as plain Python, for a method with a Python step: search.py with NumPy in place of the derived kernels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie.checks import BOTTOM
from lessons_lib.pose_ik import iteration, layout
from lessons_lib.pose_ik import search as text
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.evaluation import Iterate, evaluate
from lessons_lib.pose_ik.methods import Method, StepMethod
from lessons_lib.pose_ik.problem import Problem, SearchOutput, Stop
from lessons_lib.pose_ik.result import STATUSES, Status, Trace
from lessons_lib.pose_ik.rule import check_damping
from lessons_lib.pose_ik.settings import no_reports, reach_of, settings_for
from lessons_lib.pose_ik.starts import Near, Restarts
from lessons_lib.pose_ik.weights import apply_weights, frame_and_split, sqrt_weights
from lessons_lib.robots import Chain


@np.errstate(over="ignore", invalid="ignore")
def search(
    problem: Problem,
    target: Array,
    q0: Array,
    seed: int,
    trace: bool = False,
    over: Callable[[], bool] = lambda: False,
) -> SearchOutput:
    """Solve one pose as the sequential search does; stop at the first start's best iterate once `over()` is True."""
    n, arm, reach = problem.chain.dof, problem.arm, reach_of(problem)
    settings = settings_for(problem.method, problem.stop, problem.starts, sqrt_weights(problem.method))
    kernels, reports, seeds = Kernels(problem.chain, problem.method, settings, over), no_reports(1, n), np.array([seed])
    kernels.keeps, no_trace = trace, np.empty((0, n + 8))
    scratch = np.zeros(iteration.scratch_size(kernels.at)), kernels, kernels.at
    text.solve_rows(target[None], q0[None], arm.joints, reach, settings, seeds, reports, no_trace, *scratch)
    report = reports[0].copy()
    if report[layout.STATUS] == layout.INTERRUPTED:
        steps = max(1, min(problem.stop.max_iterations, kernels.steps_of_first))
        once = replace(problem, stop=replace(problem.stop, max_iterations=steps))
        return first_start(once, target, q0, seed, trace)
    return report, kernels.trace(report) if trace else None


def first_start(problem: Problem, target: Array, q0: Array, seed: int, trace: bool = False) -> SearchOutput:
    """Return the report of the start at q0 alone, as of a search that is out of time."""
    if isinstance(problem.starts, Near):
        return search(problem, target, q0, seed, trace)
    report, iterates = search(replace(problem, starts=Restarts(0)), target, q0, seed, trace)
    if report[layout.STATUS] != layout.CONVERGED:
        report[layout.STATUS] = STATUSES.index(Status.OUT_OF_TIME)
    return report, iterates


@np.errstate(over="ignore", invalid="ignore")
def steps_from(
    chain: Chain, target: Array, start: Array, method: StepMethod, stop: Stop, joints: Array
) -> tuple[Status, Trace]:
    """Iterate from one start, within the limits `joints` of `Arm`; return its status and iterates."""
    settings = settings_for(method, stop, Restarts(0), sqrt_weights(method))
    kernels, rows = Kernels(chain, method, settings, lambda: False), np.empty((stop.max_iterations + 1, chain.dof + 8))
    status, steps = iteration.retrace(start, target, joints, settings, True, rows, kernels, kernels.at)
    return STATUSES[status], Trace.of_rows(rows[: steps + 1])


class Kernels:
    """The kernels of the sequential search in NumPy, called by the codes of layout.py."""

    # `at`: offsets of the rows, as in `lane_rows.places`; `steps_of_first`: number of steps of the first start;
    # `keeps`: whether the iterates of all starts are kept, or only those of the current one

    def __init__(self, chain: Chain, method: StepMethod, settings: Array, over: Callable[[], bool]) -> None:
        self.chain, self.method, self.settings, self.over, n = chain, method, settings, over, chain.dof
        settings[layout.METHOD] = layout.STATED  # the method gives the step, and no other
        sizes = (n, 12, 6, 6 * n, 6, n, n, max(n, 6), 1, len(settings) - layout.ROOT_WEIGHT, 1, 1)
        ends = [int(end) for end in np.cumsum(sizes)]
        self.at: Integers = np.array([0, *ends, n, 0, -1, -1, -1])
        self._places = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
        self._steps = steps_of(method)
        self._nowhere = Iterate(np.zeros(n), np.full(6, math.inf), np.full((6, n), math.nan), np.full(6, math.nan))
        self._here = self._ahead = self._nowhere
        self._rows: list[Array] = []
        self._starts: dict[bytes, list[Array]] = {}
        self._count, self._begun = 0, 0
        self.steps_of_first, self.keeps = 0, False

    def __call__(self, w: Array, which: int) -> None:
        DO[which](self, w)

    def evaluate(self, w: Array) -> None:
        """Write the error at q, infinite if the pose of the tip overflows."""
        if self.over():
            self.settings[layout.EVALUATIONS] = 0.0
        q, target = self._in(w, layout.AT_Q).copy(), np.vstack([self._in(w, layout.AT_TARGET).reshape(3, 4), BOTTOM])
        try:
            self._ahead = evaluate(self.chain, target, q, self._steps.frame, self._steps.split)
        except TransformError:
            self._ahead = self._nowhere
        self._in(w, layout.AT_ERROR)[:] = self._ahead.error_twist

    def form_model(self, w: Array) -> None:
        J, error = self._ahead.jacobian, self._ahead.error
        A, e = self._steps.model(J, error) if np.isfinite(np.sum(J**2) + np.sum(error**2)) else (J, J[:, 0] * math.nan)
        self._in(w, layout.AT_MODEL)[:], self._in(w, layout.AT_RESIDUAL)[:] = A.ravel(), e

    def accept(self, w: Array) -> None:
        """Write whether the step is accepted; restore the previous iterate if it is not."""
        begins, is_accepted = self._in(w, layout.AT_IS_FIRST), True
        if begins[0] > 0.0:
            self._steps, self._count, self._begun = steps_of(self.method), 0, self._begun + 1
            if not self.keeps:
                self._starts.clear()
            self._rows = self._starts[self._ahead.q.tobytes()] = []
        else:
            step = self._in(w, layout.AT_STEP).copy()
            is_accepted = self._steps.accepts(self._free(w), self._here.error, step, self._ahead.error)
        self._here = self._ahead = self._ahead if is_accepted else self._here
        if not is_accepted:
            self._in(w, layout.AT_Q)[:], self._in(w, layout.AT_ERROR)[:] = self._here.q, self._here.error_twist
            self.form_model(w)
        begins[:], self._in(w, layout.AT_ACCEPTED)[:] = 0.0, float(is_accepted)
        self._record(w, is_accepted)
        self.steps_of_first = self._count if self._begun == 1 else self.steps_of_first
        self._count += 1

    def damp(self, w: Array) -> None:
        self._in(w, layout.AT_DIAGONAL)[:] = self._steps.damping_value(self._free(w), self._here.error)

    def step(self, w: Array) -> None:
        """Write the next step; no pivot is uncertain."""
        self._in(w, layout.AT_STEP)[:] = self._steps.propose(self._free(w), self._here.error)
        self._in(w, layout.AT_MARGINS)[:] = 1.0
        self._record(w, False)  # stays so where nothing is finite after it

    def predict(self, w: Array) -> None:
        """Do nothing: `accept` computes the predicted reduction."""

    def trace(self, report: Array) -> Trace:
        """Return the iterates of the reported start."""
        start = report[layout.JOINTS + self.chain.dof :]
        nothing = np.concatenate([start, self._nowhere.error_twist, [-1.0, 0.0]])
        return Trace.of_rows(np.array(self._starts.get(start.tobytes()) or [nothing]))

    def _in(self, w: Array, place: int) -> Array:
        return w[self._places[place]]

    def _free(self, w: Array) -> Array:
        """Return the Jacobian, with zero columns for the joints of the active set."""
        free: Array = np.where(self._in(w, layout.AT_ACTIVE) > 0.0, 0.0, self._here.jacobian)
        return free

    def _record(self, w: Array, accepted: bool) -> None:
        """Record an iterate, as `search_rules.record_iterate` does."""
        last = [*self._in(w, layout.AT_DIAGONAL), float(accepted)]
        self._rows[self._count :] = [np.concatenate([self._here.q, self._here.error_twist, last])]


DO = (
    Kernels.evaluate,
    Kernels.form_model,
    Kernels.accept,
    Kernels.damp,
    Kernels.step,
    Kernels.step,
    Kernels.predict,
)
"""The kernel of each number in layout.py."""


class StepState:
    """The steps of one start by a method without state; every step is accepted."""

    def __init__(self, method: StepMethod) -> None:
        self.method = method
        self.frame, self.split = frame_and_split(method)

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D of the next step, 0 for a method without damping; ParameterError if it is not a number ≥ 0."""
        method = self.method
        if isinstance(method, Method):
            return method.damping_value(jacobian, error)
        value = getattr(method, "damping_value", None)
        if value is None:
            return 0.0
        return check_damping(value(jacobian.copy(), error.copy()), f"{type(method).__name__}.damping_value")

    def propose(self, jacobian: Array, error: Array) -> Array:
        """Return the next step, shape (n,), NaN if the linear algebra failed; ParameterError unless it is n numbers."""
        name, copies = type(self.method).__name__, (jacobian.copy(), error.copy())
        try:
            step = floats(self.method.step(*copies), f"{name}.step must return numbers", ParameterError)
        except np.linalg.LinAlgError:  # a step that is not finite ends its start, not the search
            return np.full(jacobian.shape[1], np.nan)
        if step.shape != (jacobian.shape[1],):
            raise ParameterError(f"{name}.step must return shape ({jacobian.shape[1]},), got {step.shape}")
        return step

    def model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return √W A and √W V of the objective, with the derivative A that the method uses."""
        if isinstance(self.method, Method):
            return self.method.weighted_model(jacobian, error)
        return apply_weights(self.method, jacobian, error)

    def accepts(self, jacobian: Array, error: Array, step: Array, error_ahead: Array) -> bool:
        """Return whether a step is accepted, given the error after it."""
        return True


class TrustRegionState(StepState):
    """The steps of Levenberg-Marquardt with a TrustRegion: D of the next step, and its growth after a rejection."""

    def __init__(self, method: Method, policy: TrustRegion) -> None:
        super().__init__(method)
        self.stated, self.policy = method, policy
        self.value: float | None = None
        self.growth = 2.0

    def damping_value(self, jacobian: Array, error: Array) -> float:
        if self.value is None:
            self.value = super().damping_value(jacobian, error)
        return self.value

    def propose(self, jacobian: Array, error: Array) -> Array:
        """Return the step with the present D."""
        return self.stated.step_with_damping(jacobian, error, self.damping_value(jacobian, error))

    def accepts(self, jacobian: Array, error: Array, step: Array, error_ahead: Array) -> bool:
        """Return whether the step is accepted, and update D and its growth."""
        A, e = self.model(jacobian, error)
        ahead = self.model(jacobian, error_ahead)[1]
        D, accept = self.damping_value(jacobian, error), self.policy.accept
        with np.errstate(all="ignore"):  # the choice of the gain evaluates both of its branches
            outcome = _trust_region(len(step))(A, e, step, np.array([0.5 * (ahead @ ahead), D, self.growth, accept]))
        gain, self.value, self.growth = map(float, outcome)
        return gain > accept


@lru_cache(maxsize=64)
def _trust_region(n: int) -> Callable[..., Any]:
    """Return the NumPy function of (A, e, d, (E after the step, D, growth, accept)): gain, next D, next growth."""
    import sympy as sp

    from lessons_lib.codegen import Kernel, source, syntax
    from lessons_lib.symbolic import damping, pose_error
    from lessons_lib.symbolic.damped_step import jacobian
    from lessons_lib.symbolic.piecewise import replace_extremes

    A, e, d = jacobian(n), sp.Matrix(sp.symbols("e0:6", real=True)), sp.Matrix(sp.symbols(f"d0:{n}", real=True))
    after, D, growth, accept = sp.symbols("after D growth accept", real=True)
    before, promised, rho = sp.symbols("before promised rho", real=True)
    steps = [(before, pose_error.half_square(e)), (promised, damping.predicted_reduction(A, e, d, D))]
    steps += [(rho, damping.gain_ratio(before, after, promised))]
    value = replace_extremes(damping.next_damping(D, growth, rho, accept), steps)
    learned = sp.Matrix([rho, value, damping.next_growth(growth, rho, accept)])
    inputs = {"A": A, "e": e, "d": d, "state": sp.Matrix([after, D, growth, accept])}
    kernel = Kernel("trust_region", inputs, {"learned": learned}, tuple(steps), "The gain, D, growth.", ["A"])
    function: Callable[..., Any] = syntax.functions_of(source([kernel], "numpy"))["trust_region"]
    return function


def steps_of(method: StepMethod) -> StepState:
    if isinstance(method, Method) and isinstance(method.damping, TrustRegion):
        return TrustRegionState(method, method.damping)
    return StepState(method)
