"""Screw axes: a line with a pitch as a normalised twist, and a twist as an axis and how far to go along it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.lie.checks import finite


def screw_axis(point: ArrayLike, direction: ArrayLike, pitch: float = 0.0) -> Array:
    """Return the screw axis S = (ω, −ω × point + pitch·ω) of a line, ‖ω‖ = 1, shape (6,).

    exp [S θ] turns by θ rad about the line and slides by pitch·θ m along it. Of an infinite pitch only the slide is
    left: S = (0, v) with ‖v‖ = 1.

    Args:
        point: Any point of the line, shape (3,), m.
        direction: Along the line, shape (3,), any length but zero.
        pitch: Slide per angle, m/rad; 0 for a pure rotation, `math.inf` for a pure translation.

    Raises:
        TransformError: The direction is zero, or something has another shape or is not finite.

    Source: Lynch & Park (2017), §3.3.2.2; `ScrewToAxis` of modern_robotics takes a direction of length one.
    """
    through, arrow = finite(point, (3,), "point"), finite(direction, (3,), "direction")
    length = math.hypot(*arrow)
    if length == 0.0:
        raise TransformError("a screw axis needs a direction that is not zero, got [0.0, 0.0, 0.0]")
    unit = arrow / length
    slide = floats(pitch, "pitch must be a number, in m/rad", TransformError)
    if slide.shape != () or np.isnan(slide):
        raise TransformError(f"pitch is {pitch!r}; it is a number in m/rad, or math.inf for a translation")
    if np.isinf(slide):
        return np.concatenate([np.zeros(3), np.sign(slide) * unit])
    return np.concatenate([unit, slide * unit - np.cross(unit, through)])


def axis_angle_so3(omega: ArrayLike) -> tuple[Array, float]:
    """Return the axis, of length one, shape (3,), and the angle θ ≥ 0 [rad] of a rotation vector ω = axis·θ.

    Raises:
        TransformError: ω has another shape than (3,), is not finite, or is zero, which turns about no axis.

    Source: Lynch & Park (2017), §3.2.3.1; `AxisAng3` of modern_robotics.
    """
    vector = finite(omega, (3,), "omega")
    theta = math.hypot(*vector)
    if theta == 0.0:
        raise TransformError("omega is zero: it turns by 0 rad, about no axis")
    return vector / theta, theta


def axis_angle_se3(xi: ArrayLike) -> tuple[Array, float]:
    """Return the screw axis S, shape (6,), and the distance θ ≥ 0 of a twist ξ = S θ.

    θ is an angle, rad, and ‖ω‖ of S is 1; where ξ does not turn, θ is a length, m, and ‖v‖ of S is 1.

    Raises:
        TransformError: ξ has another shape than (6,), is not finite, or is zero, which moves along no axis.

    Source: Lynch & Park (2017), §3.3.3.1; `AxisAng6` of modern_robotics.
    """
    twist = finite(xi, (6,), "xi")
    theta = math.hypot(*twist[:3]) or math.hypot(*twist[3:])
    if theta == 0.0:
        raise TransformError("xi is zero: it moves along no axis")
    return twist / theta, theta
