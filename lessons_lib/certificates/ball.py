"""Certificates: a ball around a configuration that contains exactly one exact solution, or the reason against it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.certificates.kantorovich import ANGLE_TOO_LARGE, PROVEN, ROTATED_TOO_FAR, SINGULAR, H
from lessons_lib.certificates.module import module
from lessons_lib.certificates.scaled_arm import ScaledArm, extend_planar_arm, scale_arm, scale_pose
from lessons_lib.lie.checks import check_target
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain


@dataclass(frozen=True)
class Certificate:
    """A ball around q that contains exactly one exact solution; false if this is not proven.

    Distances are √Σ qᵢ², with prismatic joints in units of `arm.length`. With more than six joints the ball lies in the
    row space of the Jacobian, perpendicular to the motions that keep the tip in place.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.certificate(arm, arm.forward_kinematics(q), q).holds
    True

    Attributes:
        holds: Whether exactly one exact solution is proven to lie within `radius` of q.
        radius: Radius of the ball, rad and arm lengths; inf if nothing is proven.
        alone: Radius of the ball that contains no other solution; 0 if nothing is proven.
        h: Kantorovich's number, at most ½ if the ball is proven; inf if it cannot be computed.
        smallest_singular_value: Of the residual's derivative: a lower bound, or an approximation if nothing is proven.
        reason: Why nothing is proven; "" if the ball is.
    """

    holds: bool
    radius: float
    alone: float
    h: float
    smallest_singular_value: float
    reason: str

    def __bool__(self) -> bool:
        return self.holds


@suggest_arguments
def certificate(arm: Chain, T: ArrayLike, q: ArrayLike) -> Certificate:  # noqa: N803
    """Return a ball around q that contains exactly one exact solution of a pose, or the reason why none is proven.

    The solution is exact for the pose whose rotation is nearest to that of T, and for the arm whose axes are unit
    vectors within 8e-16 of `arm.screws`. All rounding errors are bounded. Arms with fewer than six joints have
    certificates only in a plane parallel to one of {s}, with three degrees of freedom and the target exactly in it.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> found = pose_ik.certificate(arm, arm.forward_kinematics(q), q)
    >>> found.holds, bool(found.radius < 1e-10)
    (True, True)

    Args:
        arm: The arm.
        T: T_sd, shape (4, 4), position in m.
        q: Configuration, shape (n,), rad or m; it may lie outside the limits.

    Raises:
        TransformError: T is not a pose.
        ConfigurationError: q has another shape or is not finite.
        ParameterError: arm is not a chain.

    Source: Kantorovich and Akilov, Functional Analysis (1982), ch. 18.
    """
    check_chain(arm, "arm")
    return find_certificate(arm, check_target(T), arm.check_configuration(q))


def find_certificate(arm: Chain, target: Array, q: Array) -> Certificate:
    if arm.dof < 6:
        extended = extend_planar_arm(arm, target)
        if extended is not None:
            return find_certificate(extended, target, np.concatenate([np.zeros(extended.dof - arm.dof), q]))
        return _refuse(f"six equations for {arm.dof} joints: any rounding of the target leaves no solution")
    scaled, numbers = scale_arm(arm), np.zeros(4)
    at, T = q / scaled.units, scale_pose(target, scaled.length)
    outcome = module().certify(*scaled.arguments(at), at, T, numbers)
    if outcome == PROVEN:
        radius, unique, h, smallest = numbers.tolist()
        return Certificate(True, radius, unique, h, smallest, "")
    if outcome == ANGLE_TOO_LARGE:
        largest = module().LARGEST_ANGLE
        return _refuse(f"a joint is at {np.abs(q).max():.3g}; the bounds of sine and cosine hold up to {largest:g} rad")
    if outcome == ROTATED_TOO_FAR:
        return _refuse("the tip is rotated by more than 60° from the target")
    F, J, _ = _residual(scaled, at, T)
    smallest = float(np.linalg.svd(J, compute_uv=False)[-1])
    if outcome == SINGULAR:
        return _refuse(f"the derivative is singular up to rounding: its smallest singular value is {smallest:.1g}")
    size, h = float(np.linalg.norm(F)), float(numbers[H])
    reason = f"the residual {size:.1g} is too large for a smallest singular value of {smallest:.1g}"
    return _refuse(f"h is {h:.2g}, above ½: {reason}", h, smallest)


def _refuse(reason: str, h: float = np.inf, smallest: float = 0.0) -> Certificate:
    return Certificate(False, np.inf, 0.0, h, smallest, reason)


def _residual(scaled: ScaledArm, q: Array, T: Array) -> tuple[Array, Array, float]:
    """Return residual, derivative and the radius of the residual."""
    F, J = np.empty(6), np.empty((6, len(q)))
    radius = module().coupled_residual(*scaled.arguments(q), q, T, F, J)[0]
    return F, J, float(radius)


def residual_rounding(arm: Chain, target: Array, q: Array) -> float:
    """Return a bound on the rounding error of the residual at q, rad and arm lengths."""
    scaled = scale_arm(arm)
    return _residual(scaled, q / scaled.units, scale_pose(target, scaled.length))[2]


def polish(arm: Chain, target: Array, q: Array, steps: int) -> Array:
    """Return q after Newton steps within the limits; unchanged for an arm with fewer than six joints."""
    if arm.dof < 6:
        return q
    scaled = scale_arm(arm)
    improved: Array = q / scaled.units
    limits, T = arm.limits / scaled.units[:, None], scale_pose(target, scaled.length)
    module().polish(*scaled.arguments(improved), limits, T, steps, improved)
    return np.clip(improved * scaled.units, *arm.limits.T)
