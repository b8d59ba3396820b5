"""The methods: each turns a Jacobian and an error twist into a step, and does nothing else.

A method of the reader's own is any object with `step(jacobian, error)`. It may also have
`frame` ("body" when left out), the frame in which it wants both; `weights`, six numbers, of which a zero means that the
component does not count when the pose is judged; and `name`. Such a method runs in the readable loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from lessons_lib.errors import ParameterError
from lessons_lib.lie import left_jacobian_inverse_se3
from lessons_lib.pose_ik.damping import Chan, Constant, Damping, TrustRegion
from lessons_lib.pose_ik.least_squares import damped_step, least_squares_step
from lessons_lib.pose_ik.weights import check_weights, weights_of

Array = NDArray[np.float64]
Frame = Literal["body", "space"]


class Method(Protocol):
    """What the loop asks of a method."""

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,), for a Jacobian, shape (6, n), and an error twist, shape (6,)."""


@dataclass(frozen=True)
class NewtonRaphson:
    """Newton's method for J d = V, with the pseudoinverse where J cannot be inverted: d = J⁺V.

    When J is square and regular both frames give the same step. When it is not, they do not: the shortest twist that
    remains is measured in the frame, and the linear part of a space twist depends on where the origin lies.

    Attributes:
        frame: "body" for J_b and V_b, "space" for J_s and V_s.

    Raises:
        ParameterError: Another frame.

    Source: Lynch & Park, Modern Robotics (2017), Section 6.2.2.
    """

    frame: Frame = "body"

    def __post_init__(self) -> None:
        """Refuse an unknown frame."""
        check_frame(self.frame)

    @property
    def name(self) -> str:
        """What tables and legends call it."""
        return f"Newton-Raphson ({self.frame})"

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return J⁺V."""
        return least_squares_step(jacobian, error)


@dataclass(frozen=True)
class GaussNewton:
    """Gauss-Newton on ½ VᵀWV, with the exact derivative of V_b = log(T_sb⁻¹ T_sd).

    For a small step d, V_b becomes V_b - A d with A = J_l(V_b)⁻¹ J_b, and the step minimises (A d - V)ᵀW(A d - V).
    When J_b is square and regular this is Newton's step after all, because J_l(V) V = V.

    Attributes:
        weights: Six numbers, zero or more, in the order (ω, v); None for all ones.

    Raises:
        ParameterError: Weights of another shape, negative, not finite, or all zero.

    Source: Solà, Deray & Atchuthan, A micro Lie theory (2018), Section IV and eqs. (143)-(147).
    """

    weights: Sequence[float] | Array | None = None

    def __post_init__(self) -> None:
        """Check the weights and keep them as a tuple."""
        object.__setattr__(self, "weights", check_weights(self.weights))

    @property
    def frame(self) -> Frame:
        """The body frame, for which the derivative is written."""
        return "body"

    @property
    def name(self) -> str:
        """What tables and legends call it."""
        return "Gauss-Newton"

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the shortest d among those that minimise (A d - V)ᵀW(A d - V)."""
        roots = np.sqrt(weights_of(self))
        return least_squares_step(roots[:, None] * exact_derivative(jacobian, error), roots * error)


@dataclass(frozen=True)
class LevenbergMarquardt:
    """Damped least squares: (JᵀWJ + D I) d = JᵀWV, with D from a damping policy.

    Attributes:
        damping: The policy that chooses D; Constant, Wampler, Chan, Sugihara, TrustRegion, or the reader's own.
        weights: Six numbers, zero or more, in the order (ω, v), in the objective ½ VᵀWV; None for all ones.
        frame: "body" for J_b and V_b, "space" for J_s and V_s.
        derivative: "geometric" uses J itself, as the literature does, which is exact at the solution; "exact" uses
            J_l(V_b)⁻¹ J_b, for the body frame only. With equal weights they need about the same number of iterations;
            with weights that leave components out, "exact" needs a third.

    Raises:
        ParameterError: Weights of another shape, negative, not finite, or all zero; an unknown frame or derivative; a
            damping that is no policy; the exact derivative in the space frame.

    Source: Levenberg 1944; Marquardt 1963; Wampler 1986.
    """

    damping: Damping | TrustRegion = Chan()
    weights: Sequence[float] | Array | None = None
    frame: Frame = "body"
    derivative: Literal["geometric", "exact"] = "geometric"

    def __post_init__(self) -> None:
        """Check everything and keep the weights as a tuple."""
        check_frame(self.frame)
        check_derivative(self.derivative, self.frame)
        check_policy(self.damping)
        object.__setattr__(self, "weights", check_weights(self.weights))

    @property
    def name(self) -> str:
        """What tables and legends call it."""
        frame = "" if self.frame == "body" else " (space)"
        return f"Levenberg-Marquardt, {type(self.damping).__name__}{frame}"

    def model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return √W A and √W V, whose least squares the step solves; A is J or the exact derivative."""
        roots = np.sqrt(weights_of(self))
        slope = exact_derivative(jacobian, error) if self.derivative == "exact" else jacobian
        return roots[:, None] * slope, roots * error

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D; for a TrustRegion that of its first step."""
        if isinstance(self.damping, TrustRegion):
            slope, _ = self.model(jacobian, error)
            return self.damping.first_value(np.sum(slope * slope, axis=0))
        return self.damping.matrix_value(error, weights_of(self))

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step; for a TrustRegion its first one."""
        return damped_step(*self.model(jacobian, error), self.damping_value(jacobian, error))


def exact_derivative(jacobian: Array, error: Array) -> Array:
    """Return A = J_l(V_b)⁻¹ J_b, so that log(T(q + d)⁻¹ T_sd) = V_b - A d + O(d²); shape (6, n)."""
    return left_jacobian_inverse_se3(error) @ jacobian


def check_frame(frame: object) -> None:
    """Raise ParameterError unless `frame` is "body" or "space"."""
    if frame not in ("body", "space"):
        raise ParameterError(f"frame is {frame!r}; a method works in the frame 'body' or 'space'")


def check_derivative(derivative: object, frame: str) -> None:
    """Raise ParameterError unless the derivative exists, in this frame."""
    if derivative not in ("geometric", "exact"):
        raise ParameterError(f"derivative is {derivative!r}; it is 'geometric' or 'exact'")
    if derivative == "exact" and frame != "body":
        raise ParameterError("derivative 'exact' is that of the body twist; use it with frame='body'")


def check_policy(policy: object) -> None:
    """Raise ParameterError unless `policy` can choose a damping."""
    if not isinstance(policy, TrustRegion) and not callable(getattr(policy, "matrix_value", None)):
        raise ParameterError(
            f"damping is {policy!r}; it is a policy such as {Constant()!r}, {Chan()!r} or {TrustRegion()!r}, "
            "or an object with matrix_value(error, weights)"
        )
