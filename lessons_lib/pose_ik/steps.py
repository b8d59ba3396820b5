"""The steps of one start in the Python search, with the state of a trust region: methods are frozen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.methods import Method, StepMethod
from lessons_lib.pose_ik.rule import check_damping
from lessons_lib.pose_ik.weights import apply_weights, frame_and_split


class StepState:
    """The steps of a method without state; every step is accepted."""

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
    from lessons_lib.symbolic import damping, objective
    from lessons_lib.symbolic.damped_step import jacobian
    from lessons_lib.symbolic.piecewise import replace_extremes

    A, e, d = jacobian(n), sp.Matrix(sp.symbols("e0:6", real=True)), sp.Matrix(sp.symbols(f"d0:{n}", real=True))
    after, D, growth, accept = sp.symbols("after D growth accept", real=True)
    before, promised, rho = sp.symbols("before promised rho", real=True)
    steps = [(before, objective.half_square(e)), (promised, damping.predicted_reduction(A, e, d, D))]
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
