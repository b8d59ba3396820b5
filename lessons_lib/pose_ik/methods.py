"""Methods: the derivative, the formula of a step, its damping, and the frame of the error.

`NewtonRaphson`, `GaussNewton`, `LevenbergMarquardt` and `Halley` return a `Method`, which also takes a user-defined
formula. Weights belong to the goal. An object with `step(jacobian, error)`, and optionally `frame` and `name`, is a
method too; Python then runs the search, hundreds of times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError, how_to_call
from lessons_lib.lie import left_jacobian_inverse_se3
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik.damping import Chan, Constant, TrustRegion
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.weights import apply_weights, weights_of

Frame = Literal["body", "space"]
Derivative = Literal["geometric", "exact"]
Formula = Callable[[Any, Any, Any], Any]
FRAMES = ("body", "space")
CHAN = Chan()
"""The damping of the default method."""


class StepMethod(Protocol):
    """Interface of a user-defined method."""

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,), for a Jacobian, shape (6, n), and an error, shape (6,)."""


def least_squares(J: Any, V: Any, solve: Callable[[Any, Any], Any]) -> Any:
    """Return the step of a method that solves one linear problem, J d ≈ V."""
    return solve(J, V)


@suggest_arguments
@dataclass(frozen=True, repr=False)
class Method:
    """How a step is computed from the Jacobian J and the error V.

    >>> import sympy as sp
    >>> from lessons_lib import pose_ik
    >>> def capped(J, V, solve):
    ...     d = solve(J, V)
    ...     return d / sp.Max(1, d.norm())
    >>> pose_ik.Method(capped)
    <capped>

    Attributes:
        formula: The step d as a function of J, V and `solve`. `solve(A, e)` returns the shortest d that minimizes
            (A d − e)ᵀW(A d − e), or with damping the d that minimizes (A d − e)ᵀW(A d − e) + D |d|². The formula is
            called once, with SymPy matrices, 6×n and 6×1; the weights W come from the goal.
        damping: The policy that chooses D: Constant, Wampler, Chan, Sugihara, TrustRegion, or a user-defined
            `Damping(...)`; None for an undamped method.
        frame: "body" for J_b and V_b, "space" for J_s and V_s.
        derivative: The matrix J of the formula. "geometric" is the Jacobian, as in the literature; it is exact where V
            vanishes. "exact" is J_l(V_b)⁻¹ J_b, for the body frame only; it costs a 6×6 matrix per step. None selects
            "exact" if the goal masks components, otherwise "geometric". The exact derivative gains little if all
            components go to zero. If the orientation error stays large, the geometric derivative needs several times
            as many steps, and beyond 109° it never converges.
        name: Name in tables and legends.

    Raises:
        ParameterError: formula is not callable, damping is not a policy, frame or derivative is unknown, or the exact
            derivative is combined with the space frame.
    """

    formula: Formula = least_squares
    damping: Rule | TrustRegion | None = None
    frame: Frame = "body"
    derivative: Derivative | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Check the fields, and set a default name."""
        if not callable(self.formula):
            raise ParameterError(f"formula must be a function of J, V and solve that returns d, got {self.formula!r}")
        check_frame(self)
        check_derivative(self.derivative, self.frame)
        check_policy(self.damping)
        if isinstance(self.damping, TrustRegion) and not self.is_single_linear_solve:
            raise ParameterError(
                f"{self.damping!r} needs a method that solves one linear problem; for a user-defined formula choose "
                "another damping policy, or None"
            )
        if not isinstance(self.name, str):
            raise ParameterError(f"name must be a string, got {self.name!r}")
        if not self.name:
            object.__setattr__(self, "name", getattr(self.formula, "__name__", "method") + frame_suffix(self.frame))

    def __hash__(self) -> int:
        """Return the hash, computed once: `solve` looks problems up by value in each call."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash((self.formula, self.damping, self.frame, self.derivative, self.name))
            object.__setattr__(self, "_hash", known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without the hash, which differs between processes."""
        return {name: value for name, value in vars(self).items() if name != "_hash"}

    def __repr__(self) -> str:
        """Return the name, and the fields that differ from their defaults."""
        names = [field.name for field in fields(self) if field.name not in ("name", "formula")]
        changed = [f"{one}={getattr(self, one)!r}" for one in names if getattr(self, one) != getattr(Method, one, None)]
        return f"<{', '.join([self.name, *changed])}>"

    @property
    def is_single_linear_solve(self) -> bool:
        """Whether a step solves the one linear problem J d ≈ V."""
        return self.formula is least_squares

    @property
    def is_exact(self) -> bool:
        """Whether J is the exact derivative of the twist."""
        return self.derivative == "exact"

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,); for a TrustRegion the first one.

        Args:
            jacobian: J_b or J_s, according to `frame`, shape (6, n), rows (ω, v) in rad and m.
            error: V_b or V_s, shape (6,), (ω, v) in rad and m.
        """
        return self.step_with_damping(jacobian, error, self.damping_value(jacobian, error))

    def step_with_damping(self, jacobian: Array, error: Array, damping: float) -> Array:
        """Return the step with a given damping D, shape (n,)."""
        slope = self.error_derivative(jacobian, error)

        def solve(A: Array, e: Array) -> Array:
            return damped_step(*apply_weights(self, A, e), damping)

        if self.is_single_linear_solve:
            return solve(slope, error)
        from lessons_lib.pose_ik.stated_step import step_of

        return step_of(self.formula, slope, error, solve)

    def error_derivative(self, jacobian: Array, error: Array) -> Array:
        """Return the matrix J of the formula, shape (6, n)."""
        return exact_derivative(jacobian, error) if self.is_exact else jacobian

    def weighted_model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return the weighted linear model of the error, √W A and √W V."""
        return apply_weights(self, self.error_derivative(jacobian, error), error)

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D, zero for an undamped method; for a TrustRegion that of the first step."""
        if isinstance(self.damping, TrustRegion):
            slope, _ = self.weighted_model(jacobian, error)
            return self.damping.initial * float(np.max(np.sum(slope * slope, axis=0)))
        return 0.0 if self.damping is None else self.damping.value(error, weights_of(self), jacobian)


@suggest_arguments
def NewtonRaphson(frame: Frame = "body") -> Method:  # noqa: N802 (a constructor)
    """Return Newton's method for J d = V, with the pseudoinverse if J is singular: d = J⁺V.

    Both frames give the same step if it removes the whole error. Otherwise they differ: the remaining twist is
    minimized in the frame, and the linear part of a space twist depends on the origin of {s}.

    The SIMD search solves a step as a damped one with D = 0. A pose with a lost pivot, or with a joint beyond the range
    of the SIMD sines, is searched again with a pseudoinverse at each step, by singular values, which takes about
    0.4 ms; see `make bench CLAIMS=methods`.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> start = [0.2, -1.1, 1.4, -0.5, 1.0, 0.5]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), start, method=pose_ik.NewtonRaphson()).converged
    True

    Args:
        frame: "body" for J_b and V_b, "space" for J_s and V_s.

    Raises:
        ParameterError: The frame is unknown.

    Source: Lynch & Park, Modern Robotics (2017), Section 6.2.2.
    """
    return _newton_raphson(frame) if isinstance(frame, str) else Method(frame=frame)


@lru_cache(maxsize=4)
def _newton_raphson(frame: Frame) -> Method:
    return Method(frame=frame, name=f"Newton-Raphson ({frame})")


@lru_cache(maxsize=1)
def GaussNewton() -> Method:  # noqa: N802 (a constructor)
    """Return Gauss-Newton on ½ VᵀWV, with the exact derivative of V_b = log(T_sb⁻¹ T_sd).

    A small step d changes V_b to V_b - A d with A = J_l(V_b)⁻¹ J_b, and the step minimizes (A d - V)ᵀW(A d - V). If
    J_b is square and regular, this is Newton's step, because J_l(V) V = V. It costs as much as `NewtonRaphson`.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.GaussNewton()
    <Gauss-Newton, derivative='exact'>

    Source: Solà, Deray & Atchuthan, A micro Lie theory (2018), Section IV and eqs. (143)-(147).
    """
    return Method(derivative="exact", name="Gauss-Newton")


@suggest_arguments
def LevenbergMarquardt(  # noqa: N802 (a constructor)
    damping: Rule | TrustRegion = CHAN, frame: Frame = "body", derivative: Derivative | None = None
) -> Method:
    """Return damped least squares: (JᵀWJ + D I) d = JᵀWV, with D from a damping policy.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.LevenbergMarquardt(pose_ik.Constant(0.1))
    <Levenberg-Marquardt, Constant, damping=Constant(damping=0.1)>

    Args:
        damping: The policy, not None.
        frame: As in `Method`.
        derivative: As in `Method`.

    Raises:
        ParameterError: damping is None, or as in `Method`.

    Source: Levenberg 1944; Marquardt 1963; Wampler 1986.
    """
    try:
        return _levenberg_marquardt(damping, frame, derivative)
    except TypeError:  # an argument without a hash
        return _levenberg_marquardt.__wrapped__(damping, frame, derivative)


@lru_cache(maxsize=64)
def _levenberg_marquardt(damping: Rule | TrustRegion, frame: Frame, derivative: Derivative | None) -> Method:
    if damping is None:
        raise ParameterError(
            "damping must be a policy, got None; undamped methods are GaussNewton() and NewtonRaphson()"
        )
    name = f"Levenberg-Marquardt, {type(damping).__name__}{frame_suffix(frame)}"
    return Method(damping=damping, frame=frame, derivative=derivative, name=name)


@suggest_arguments
def Halley(damping: Rule | None = None) -> Method:  # noqa: N802 (a constructor)
    """Return Halley's method for V_b = 0, of third order: Newton's step, then one with the derivative halfway along it.

    Near the solution a step reduces an error e to the order of e³, Newton's step to the order of e²; it costs two to
    three times as much. If joints are coupled, the compiled searches differentiate the columns of the uncoupled joints;
    `step`, which has only J, treats its columns as those of uncoupled joints.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Halley(pose_ik.Chan(0.1))
    <Halley, Chan, damping=Chan(damping=0.1), derivative='geometric'>

    Args:
        damping: As in `Method`, for both linear problems; None for an undamped method.

    Raises:
        ParameterError: As in `Method`.

    Source: Ortega & Rheinboldt, Iterative Solution of Nonlinear Equations in Several Variables (1970), §7.4.
    """
    from lessons_lib.symbolic.step_formula import halley

    name = "Halley" if damping is None else f"Halley, {type(damping).__name__}"
    return Method(halley, damping=damping, derivative="geometric", name=name)


def exact_derivative(jacobian: Array, error: Array) -> Array:
    """Return A = J_l(V_b)⁻¹ J_b with log(T(q + d)⁻¹ T_sd) = V_b - A d + O(d²), shape (6, n)."""
    return left_jacobian_inverse_se3(error) @ jacobian


def frame_suffix(frame: str) -> str:
    """Return the suffix of a method's name for a frame other than the body's."""
    return "" if isinstance(frame, str) and frame == "body" else f" ({frame})"


def check_frame(method: object) -> None:
    """Raise ParameterError unless a method's frame is "body" or "space"."""
    frame = getattr(method, "frame", "body")
    if not isinstance(frame, str) or frame not in FRAMES:
        raise ParameterError(
            f"frame must be 'body' or 'space', got {frame!r}; choose other axes in the goal: pose(weights, axes=…)"
        )


def check_derivative(derivative: object, frame: object) -> None:
    """Raise ParameterError unless the derivative exists in this frame."""
    if derivative is not None and not (isinstance(derivative, str) and derivative in ("geometric", "exact")):
        raise ParameterError(f"derivative must be None, 'geometric' or 'exact', got {derivative!r}")
    if derivative == "exact" and frame != "body":
        raise ParameterError("derivative 'exact' is the derivative of the body twist; use it with frame='body'")


def check_policy(policy: object) -> None:
    if policy is not None and not isinstance(policy, Rule | TrustRegion):
        valid = f"{Constant()!r}, {Chan()!r}, {TrustRegion()!r} or Damping(lambda E, c: c * E, c=0.1)"
        raise ParameterError(f"damping must be a policy, such as {valid}, got {policy!r}{how_to_call(policy, valid)}")


def least_squares_step(jacobian: Array, error: Array) -> Array:
    """Return the shortest d that minimizes |J d - V|, for J of shape (6, n) and V of shape (6,)."""
    return np.linalg.pinv(jacobian) @ error


def damped_step(jacobian: Array, error: Array, damping: float) -> Array:
    """Return the d that minimizes |J d - V|² + D |d|²; without D if the matrix is singular to rounding."""
    # (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹; only the smaller system (without zero rows and columns) is regular for D = 0
    wide = jacobian.any(axis=0).sum() > jacobian.any(axis=1).sum()
    normal = jacobian @ jacobian.T if wide else jacobian.T @ jacobian
    factor = _cholesky(normal + damping * np.eye(len(normal))) if damping > 0.0 else None
    if factor is None:
        return least_squares_step(jacobian, error)
    right = error if wide else jacobian.T @ error
    solution: Array = np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    return jacobian.T @ solution if wide else solution


def _cholesky(matrix: Array) -> Array | None:
    """Return the lower triangular factor, or None if a pivot is zero to rounding."""
    rounding = len(matrix) * np.finfo(np.float64).eps * np.trace(matrix)
    try:
        factor = np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return factor if np.min(np.diag(factor)) ** 2 > rounding else None
