"""How near a configuration is to a singularity: the singular values of its Jacobian, their product and their ratio.

The joint rates of length one reach an ellipsoid of twists, whose half axes are as long as the singular values. Its
volume is proportional to the manipulability √det(J Jᵀ), and the condition number is its longest axis by its shortest.

Mind the units. The upper three rows of a Jacobian are rad/rad, the lower three m/rad: "rotation" and "translation" have
a unit each, "all" mixes them, and its numbers change when lengths are written in mm. They change with the frame, too:
"translation" of a body Jacobian speaks of the tip, of a space Jacobian it speaks of a point at the origin of {s}.

Source: Yoshikawa, Manipulability of robotic mechanisms (1985).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError

PARTS = {"all": slice(None), "rotation": slice(0, 3), "translation": slice(3, 6)}
"""The rows that a measure can take, of a Jacobian with rows (ω, v)."""


def singular_values(jacobian: ArrayLike, part: str = "all") -> Array:
    """Return the singular values of a Jacobian, one for each row, the largest first.

    With fewer joints than rows the missing ones are zero: there is no motion in these directions.

    Args:
        jacobian: Shape (6, n), rows (ω, v), in any frame; for "all" any (m, n), such as the x and y of a planar tip.
        part: "translation" (in m per rad), "rotation" (in rad per rad), or "all", which mixes both.

    Returns:
        Shape (3,) or, for "all", (m,).

    Raises:
        ParameterError: Unknown part, or a Jacobian that is not a matrix of finite numbers with six rows.
    """
    J = _select_rows(jacobian, part)
    values = np.zeros(len(J))
    found = np.linalg.svd(J, compute_uv=False)
    values[: len(found)] = found
    return values


def manipulability(jacobian: ArrayLike, part: str = "all") -> float:
    """Return √det(J Jᵀ), which is the product of the singular values; zero at a singularity.

    Args:
        jacobian: As in `singular_values`.
        part: "translation" (in (m/rad)³), "rotation" (a number), or "all" (in (m/rad)³ for six rows).

    Raises:
        ParameterError: As in `singular_values`.

    Source: Yoshikawa (1985).
    """
    return float(np.prod(singular_values(jacobian, part)))  # det(J Jᵀ) itself would square the rounding


def condition_number(jacobian: ArrayLike, part: str = "all") -> float:
    """Return σ_max/σ_min, at least 1; infinite where σ_min is zero.

    Args:
        jacobian: As in `singular_values`.
        part: "translation" or "rotation", for which it is a number; for "all" it depends on the unit of length.

    Raises:
        ParameterError: As in `singular_values`.
    """
    values = singular_values(jacobian, part)
    return float(values[0] / values[-1]) if values[-1] > 0.0 else float("inf")


def translation_at_fixed_orientation(jacobian: ArrayLike) -> Array:
    """Return the tip's velocities for joint rates that do not turn the hand, as a matrix with three rows.

    Its columns are the velocities for an orthonormal basis of these rates. The full Jacobian's manipulability is the
    product of two, that of its rotation and that of this matrix: as long as the hand can turn about every axis, the
    chain is singular exactly where the held tip cannot move in every direction.

    Args:
        jacobian: Shape (6, n), rows (ω, v), such as J_b.

    Returns:
        Shape (3, k), in m per rad, with k = n − rank of the rotation; directions as in the Jacobian.

    Raises:
        ParameterError: As in `singular_values`.
    """
    turning, moving = _select_rows(jacobian, "rotation"), _select_rows(jacobian, "translation")
    _, s, Vt = np.linalg.svd(turning)  # noqa: N806
    rank = np.count_nonzero(s > np.finfo(np.float64).eps * max(turning.shape) * s.max(initial=0.0))
    held: Array = moving @ Vt[rank:].T
    return held


def _select_rows(jacobian: ArrayLike, part: str) -> Array:
    """Return the rows of a part, after checking them."""
    if not isinstance(part, str) or part not in PARTS:
        raise ParameterError(f"unknown part {part!r} of a Jacobian; valid are {', '.join(map(repr, PARTS))}")
    J = floats(jacobian, "a Jacobian must be a matrix of numbers, shape (6, n)", ParameterError)
    if J.ndim != 2 or J.size == 0:
        raise ParameterError(f"a Jacobian must be a matrix, shape (6, n), got {J.shape}")
    if part != "all" and len(J) != 6:
        raise ParameterError(f"the {part} of a Jacobian is taken from shape (6, n), rows (ω, v); got {J.shape}")
    if not np.isfinite(J).all():
        raise ParameterError(f"a Jacobian must be finite, got {J.tolist()}")
    return J[PARTS[part]]
