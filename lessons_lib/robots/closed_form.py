"""Both configurations of the planar 2R that reach a point, by the formulas of `symbolic.planar_2r`."""
# the formulas also decide whether the point lies on an edge of the reachable ring, where rounding would otherwise turn
# one configuration into two that differ by 1e-8 rad, or into none

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import derivations
from lessons_lib.robots.library import link_lengths

RECIPE = Recipe("planar_2r", (Derived(derivations.planar_2r, "numpy"),))

BOTH_ELBOWS = np.array([1.0, -1.0])
"""Sign of q₂ in each row of the solutions."""


@suggest_arguments
def planar_2r_solutions(tip: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> Array:
    """Return all configurations of the planar 2R whose tip is at a given point.

    Inside the ring |L₁ − L₂| < r < L₁ + L₂ there are two, the one with q₂ > 0 first. On its edges (to 4 units in the
    last place of L₁ + L₂) there is one, and outside none. If the links are equally long and the tip is at the base, q₂
    = π with any q₁ is a solution; the returned row has q₁ = 0.

    >>> from lessons_lib import robots
    >>> robots.planar_2r_solutions([1, 1]).round(6).tolist()
    [[0.0, 1.570796], [1.570796, -1.570796]]

    Args:
        tip: Position (x, y) in {s}, shape (2,), m.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Returns:
        Shape (k, 2), k = 0, 1 or 2: a row (q₁, q₂) for each configuration, rad, q₁ in (−π, π] and q₂ in [−π, π].

    Raises:
        TransformError: `tip` has another shape or is not finite.
        ParameterError: A length is not positive and finite.

    Source: derived in lesson 01; Lynch & Park (2017), ch. 6, solve the same arm with the arc cosine.
    """
    point = _check_point(tip)
    lengths = link_lengths(length_1, length_2)
    exponent = int(np.frexp(lengths.max())[1])
    with np.errstate(over="ignore"):  # a tip that overflows is out of reach
        point, lengths = np.ldexp(point, -exponent), np.ldexp(lengths, -exponent)  # angles do not depend on the scale
        count, *gaps = _kernels().count_kernel(np.array([np.hypot(*point)]), lengths)
    elbows = BOTH_ELBOWS[: int(count), None]
    q: Array = _kernels().angles_kernel(point, np.array(gaps), lengths, elbows)
    q[q[:, 0] == -np.pi, 0] = np.pi  # −π and π are the same angle
    return q


@suggest_arguments
def planar_2r_corners(q: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> Array:
    """Return base, elbow and tip of the planar 2R, for one configuration or many.

    >>> from lessons_lib import robots
    >>> robots.planar_2r_corners([0, 1.5707963267948966]).round(6).tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]

    Args:
        q: Configurations, shape (..., 2), rad.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Returns:
        Shape (..., 3, 2): points (x, y) in {s}, m.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: A length is not positive and finite.
    """
    angles = floats(q, "q of the planar 2R must be numbers", ConfigurationError)
    if angles.shape[-1:] != (2,):
        raise ConfigurationError(f"q of the planar 2R must have shape (..., 2), got {angles.shape}")
    if not np.isfinite(angles).all():
        raise ConfigurationError(f"q of the planar 2R must be finite, got {angles.tolist()}")
    lengths = link_lengths(length_1, length_2)
    points: Array = _kernels().corners_kernel(angles, lengths)
    return points


def _check_point(tip: ArrayLike) -> Array:
    point = floats(tip, "tip must be 2 numbers (x, y)", TransformError)
    if point.shape != (2,):
        raise TransformError(f"tip must have shape (2,), the point (x, y); got {point.shape}")
    if not np.isfinite(point).all():
        raise TransformError(f"tip must be finite, got {point.tolist()}")
    return point


def planar_2r_source(target: str) -> str:
    """Return the generated code of both directions: count_kernel, angles_kernel and corners_kernel.

    >>> from lessons_lib import robots
    >>> "def " in robots.planar_2r_source("numpy")
    True

    Args:
        target: "numpy" (vectorised) or "javascript" (for a browser).

    Raises:
        CodegenError: Unknown target.
    """
    from lessons_lib import codegen

    return codegen.source(derivations.planar_2r(), target)


@lru_cache(maxsize=1)
def _kernels() -> ModuleType:
    return linker.load(RECIPE)
