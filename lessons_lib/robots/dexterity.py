"""Distance of a configuration from singularities: singular values of its Jacobian, manipulability, condition number."""
# Joint rates of norm one reach an ellipsoid of twists whose semi-axes are the singular values. The upper three rows of
# a Jacobian are in rad/rad, the lower three in m/rad: "all" mixes them, so its values change if lengths are given in
# mm. The values also depend on the frame: "translation" of a body Jacobian is about the tip, of a space Jacobian about
# a point at the origin of {s}. Source: Yoshikawa, Manipulability of robotic mechanisms (1985).

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments

PARTS = {"all": slice(None), "rotation": slice(0, 3), "translation": slice(3, 6)}
"""Rows (ω, v) of a Jacobian that a measure can use."""


@suggest_arguments
def singular_values(jacobian: ArrayLike, part: str = "all") -> Array:
    """Return the singular values of a Jacobian, one for each row, the largest first.

    With fewer joints than rows the missing ones are zero: the arm cannot move in these directions.

    >>> from lessons_lib import robots
    >>> J = robots.planar_2r().body_jacobian([0, 1.5707963267948966])
    >>> robots.singular_values(J[3:5]).round(6).tolist()
    [1.618034, 0.618034]

    Args:
        jacobian: Shape (6, n), rows (ω, v), in any frame; for "all" any (m, n), such as the x and y of a planar tip.
        part: "translation" (in m per rad), "rotation" (in rad per rad), or "all", which mixes both.

    Returns:
        Shape (3,) or, for "all", (m,).

    Raises:
        ParameterError: Unknown part, or the Jacobian is not a matrix of finite numbers with six rows.
    """
    J = _select_rows(jacobian, part)
    values = np.zeros(len(J))
    sigma = np.linalg.svd(J, compute_uv=False)
    values[: len(sigma)] = sigma
    return values


@suggest_arguments
def manipulability(jacobian: ArrayLike, part: str = "all") -> float:
    """Return √det(J Jᵀ), which is the product of the singular values; zero at a singularity.

    >>> from lessons_lib import robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> round(robots.manipulability(arm.body_jacobian(q)), 6)
    0.249928

    Args:
        jacobian: As in `singular_values`.
        part: "translation" (in (m/rad)³), "rotation" (a number), or "all" (in (m/rad)³ for six rows).

    Raises:
        ParameterError: As in `singular_values`.

    Source: Yoshikawa (1985).
    """
    return float(np.prod(singular_values(jacobian, part)))  # det(J Jᵀ) would square the rounding


@suggest_arguments
def condition_number(jacobian: ArrayLike, part: str = "all") -> float:
    """Return σ_max/σ_min, at least 1; infinite if σ_min is zero.

    >>> from lessons_lib import robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> round(robots.condition_number(arm.body_jacobian(q), part="translation"), 6)
    2.844241

    Args:
        jacobian: As in `singular_values`.
        part: "translation" or "rotation", for which it is dimensionless; for "all" it depends on the unit of length.

    Raises:
        ParameterError: As in `singular_values`.
    """
    values = singular_values(jacobian, part)
    return float(values[0] / values[-1]) if values[-1] > 0.0 else float("inf")


def translation_at_fixed_orientation(jacobian: ArrayLike) -> Array:
    """Return the tip velocities for joint rates that do not rotate the hand, as a matrix with three rows.

    Its columns are the velocities for an orthonormal basis of these rates. The manipulability of the full Jacobian is
    the product of that of its rotation and that of this matrix: while the hand can rotate about every axis, the chain
    is singular exactly where this matrix has a rank below three.

    >>> from lessons_lib import robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> robots.translation_at_fixed_orientation(arm.body_jacobian(q)).shape
    (3, 3)

    Args:
        jacobian: Shape (6, n), rows (ω, v), such as J_b.

    Returns:
        Shape (3, k), in m per rad, with k = n − rank of the rotation; directions as in the Jacobian.

    Raises:
        ParameterError: As in `singular_values`.
    """
    rotation, translation = _select_rows(jacobian, "rotation"), _select_rows(jacobian, "translation")
    _, s, Vt = np.linalg.svd(rotation)  # noqa: N806
    rank = np.count_nonzero(s > np.finfo(np.float64).eps * max(rotation.shape) * s.max(initial=0.0))
    velocities: Array = translation @ Vt[rank:].T
    return velocities


def _select_rows(jacobian: ArrayLike, part: str) -> Array:
    if not isinstance(part, str) or part not in PARTS:
        raise ParameterError(f"unknown part {part!r} of a Jacobian; valid are {', '.join(map(repr, PARTS))}")
    J = floats(jacobian, "a Jacobian must be a matrix of numbers, shape (6, n)", ParameterError)
    if J.ndim != 2 or J.size == 0:
        raise ParameterError(f"a Jacobian must be a matrix, shape (6, n), got {J.shape}")
    if part != "all" and len(J) != 6:
        raise ParameterError(f"a Jacobian must have shape (6, n), rows (ω, v), for its {part}; got {J.shape}")
    if not np.isfinite(J).all():
        raise ParameterError(f"a Jacobian must be finite, got {J.tolist()}")
    return J[PARTS[part]]
