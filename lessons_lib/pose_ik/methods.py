"""The methods: each turns a Jacobian and an error twist into a step, and does nothing else.

A method of the reader's own is any object with `step(jacobian, error)`. It may also have
`frame` ("body" when left out), the frame in which it wants both; `weights`, six numbers, of which a zero means that the
component does not count; and `name`. Such a method runs in the readable loop.

**A weight of zero** asks which component it leaves out. Those of the twist V_b belong to one motion that does all at
once: v_b vanishes where p_d − p does, but until the orientation comes right its components are distances along no axis.
So where a weight is zero and the weights on the position differ, or a frame other than the body's is named, error and
Jacobian are those of the split error e = (ω, r), with ω = log(RᵀR_d) and r = p_d − p, and it is e that is reduced,
compared with the tolerances and reported. The Jacobian is its exact derivative, and `frame` names the axes:

| frame | weights (0, 0, 0, 1, 1, 0) put the tip | weights (1, 1, 0, 1, 1, 1) let it turn about |
|---|---|---|
| "body" | so that its own z axis passes through p_d | its own z axis |
| "space" | on the line through p_d along the z axis of {s} | the z axis of {s} |
| "target" | on the line through p_d along the z axis of {d} | the z axis of {d}, then its own too |
| `Axes` | on the line through p_d along the third of these axes | the third, in {d}, then in {b} too |

With one component of ω left out, the others are zero exactly where a turn about that axis is all that is missing;
|(ω_x, ω_y)| is the tilt of that axis, or up to π/2 times it. With two left out, the turn that is missing is one about
an axis across the third: seldom what a task means.

In the body frame, with equal weights on the position, the twist stays: v_b = 0 is p = p_d. It needs the exact
derivative, and has it. Out of reach it ends where |v_b| is least, "space" and "target" where |p_d − p| is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lie import left_jacobian_inverse_se3
from lessons_lib.pose_ik.axes import Axes
from lessons_lib.pose_ik.damping import Chan, Constant, Policy, TrustRegion
from lessons_lib.pose_ik.least_squares import damped_step, least_squares_step
from lessons_lib.pose_ik.rule import Rule, checked_damping
from lessons_lib.pose_ik.weights import check_weights, leaves_out, splits, weights_of

Frame = Literal["body", "space", "target"] | Axes
FRAMES = ("body", "space", "target")


class Method(Protocol):
    """What the loop asks of a method."""

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,), for a Jacobian, shape (6, n), and an error twist, shape (6,)."""


@dataclass(frozen=True)
class NewtonRaphson:
    """Newton's method for J d = V, with the pseudoinverse where J cannot be inverted: d = J⁺V.

    Where a step takes the whole error away, both frames give the same one. Where a residual remains, they do not: the
    twist that remains is measured in the frame, and the linear part of a space twist depends on where the origin lies.

    The compiled search solves for the step as for a damped one with D = 0, side by side over lanes. A pose on whose way
    a pivot is lost in rounding, or a step takes a joint beyond what the lanes' sines know, is searched again with a
    pseudoinverse in each step, by singular values; that takes some 0.4 ms, see `make bench CLAIMS=methods`.

    Attributes:
        frame: "body" for J_b and V_b, "space" for J_s and V_s.

    Raises:
        ParameterError: Another frame.

    Source: Lynch & Park, Modern Robotics (2017), Section 6.2.2.
    """

    frame: Literal["body", "space"] = "body"

    def __post_init__(self) -> None:
        """Refuse an unknown frame."""
        check_frame(self)

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
    It costs as much as `NewtonRaphson`.

    Attributes:
        weights: Six numbers, zero or more, in the order (ω, v); None for all ones. A zero may mean the split error: see
            the head of this file.
        frame: "body"; with a zero among the weights also "space", "target" or `Axes`, those of the split error.

    Raises:
        ParameterError: Weights of another shape, negative, not finite, or all zero; a frame that does not go with them.

    Source: Solà, Deray & Atchuthan, A micro Lie theory (2018), Section IV and eqs. (143)-(147).
    """

    weights: Sequence[float] | Array | None = None
    frame: Frame = "body"

    def __post_init__(self) -> None:
        """Check the weights and keep them as a tuple."""
        object.__setattr__(self, "weights", check_weights(self.weights))
        check_frame(self)
        if self.frame != "body" and not splits(self):
            raise ParameterError(f"frame is {self.frame!r}, and no weight is zero: the derivative is that in 'body'")

    @property
    def name(self) -> str:
        """What tables and legends call it."""
        return "Gauss-Newton" + in_frame(self.frame)

    @property
    def is_exact(self) -> bool:
        """Whether a step uses the exact derivative of the twist; that of the split error comes from the loop."""
        return not splits(self)

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the shortest d among those that minimise (A d - V)ᵀW(A d - V)."""
        roots = np.sqrt(weights_of(self))
        slope = exact_derivative(jacobian, error) if self.is_exact else jacobian
        return least_squares_step(roots[:, None] * slope, roots * error)


@dataclass(frozen=True)
class LevenbergMarquardt:
    """Damped least squares: (JᵀWJ + D I) d = JᵀWV, with D from a damping policy.

    Attributes:
        damping: The policy that chooses D; Constant, Wampler, Chan, Sugihara, TrustRegion; a formula of
            the reader's own, `Damping(...)`; or an object with `matrix_value(error, weights)`, which runs in the
            readable loop, hundreds of times slower.
        weights: Six numbers, zero or more, in the order (ω, v), in the objective ½ VᵀWV; None for all ones. A zero may
            mean the split error: see the head of this file.
        frame: "body" for J_b and V_b, "space" for J_s and V_s; with a zero among the weights the axes of the split
            error, "target" among them.
        derivative: None takes the exact one where a weight is zero, and otherwise the geometric one. The others
            name a derivative of the twist and keep to it, whatever the weights: "geometric" is J itself, as in the
            literature, exact where all six components vanish; "exact" is J_l(V_b)⁻¹ J_b, for the body frame only. An
            exact one costs a 6×6 matrix a step. It gains little where every component goes to zero; where
            the orientation stays off, the geometric one needs several times the steps, and beyond 109° never arrives.

    Raises:
        ParameterError: Weights of another shape, negative, not finite, or all zero; an unknown frame or derivative; a
            damping that is no policy; the exact derivative of the twist in another frame than the body's.

    Source: Levenberg 1944; Marquardt 1963; Wampler 1986.
    """

    damping: Rule | Policy | TrustRegion = Chan()
    weights: Sequence[float] | Array | None = None
    frame: Frame = "body"
    derivative: Literal["geometric", "exact"] | None = None

    def __post_init__(self) -> None:
        """Check everything and keep the weights as a tuple."""
        object.__setattr__(self, "weights", check_weights(self.weights))
        check_derivative(self.derivative, self.frame)
        check_frame(self)
        check_policy(self.damping)

    @property
    def name(self) -> str:
        """What tables and legends call it."""
        return f"Levenberg-Marquardt, {type(self.damping).__name__}{in_frame(self.frame)}"

    @property
    def is_exact(self) -> bool:
        """Whether a step uses the exact derivative of the twist; that of the split error comes from the loop."""
        return self.derivative == "exact" or (leaves_out(self) and not splits(self))

    def model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return √W A and √W V, whose least squares the step solves; A is J or the exact derivative."""
        roots = np.sqrt(weights_of(self))
        slope = exact_derivative(jacobian, error) if self.is_exact else jacobian
        return roots[:, None] * slope, roots * error

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D; for a TrustRegion that of its first step.

        Raises:
            ParameterError: A policy of the reader's own returned something else than a number, zero or more.
        """
        if isinstance(self.damping, TrustRegion):
            slope, _ = self.model(jacobian, error)
            return self.damping.first_value(np.sum(slope * slope, axis=0))
        if isinstance(self.damping, Rule) and type(self.damping).matrix_value is Rule.matrix_value:
            return self.damping.matrix_value(error, weights_of(self), jacobian)
        value = self.damping.matrix_value(error, weights_of(self))
        return checked_damping(value, f"{type(self.damping).__name__}.matrix_value")

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step; for a TrustRegion its first one."""
        return damped_step(*self.model(jacobian, error), self.damping_value(jacobian, error))


def exact_derivative(jacobian: Array, error: Array) -> Array:
    """Return A = J_l(V_b)⁻¹ J_b, so that log(T(q + d)⁻¹ T_sd) = V_b - A d + O(d²); shape (6, n)."""
    return left_jacobian_inverse_se3(error) @ jacobian


def in_frame(frame: Frame) -> str:
    """Return how the name of a method ends."""
    return "" if frame == "body" else f" ({frame})"


def check_frame(method: object) -> None:
    """Raise ParameterError unless a method's frame is "body" or "space", or, with a zero weight, "target" or `Axes`."""
    frame = getattr(method, "frame", "body")
    if not isinstance(frame, Axes) and (not isinstance(frame, str) or frame not in FRAMES):
        raise ParameterError(
            f"frame is {frame!r}; a method works in 'body' or 'space', and where a weight is zero also in 'target' "
            "or in Axes(…)"
        )
    if (frame == "target" or isinstance(frame, Axes)) and not splits(method):
        raise ParameterError(f"frame is {frame!r}; its axes are meant where a weight is zero: use 'body' or 'space'")


def check_derivative(derivative: object, frame: Frame) -> None:
    """Raise ParameterError unless the derivative exists, in this frame."""
    if derivative is not None and not (isinstance(derivative, str) and derivative in ("geometric", "exact")):
        raise ParameterError(f"derivative is {derivative!r}; it is None, 'geometric' or 'exact'")
    if derivative == "exact" and frame != "body":
        raise ParameterError("derivative 'exact' is that of the body twist; use it with frame='body'")


def check_policy(policy: object) -> None:
    """Raise ParameterError unless `policy` can choose a damping."""
    if not isinstance(policy, TrustRegion) and not callable(getattr(policy, "matrix_value", None)):
        raise ParameterError(
            f"damping is {policy!r}; it is a policy such as {Constant()!r}, {Chan()!r} or {TrustRegion()!r}, "
            "Damping(lambda E, c: c * E, c=0.1), or an object with matrix_value(error, weights)"
        )
