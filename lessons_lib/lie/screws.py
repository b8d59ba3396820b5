"""Screw axes: a line with a pitch as a normalised twist."""

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
