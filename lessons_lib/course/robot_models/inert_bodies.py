"""Bodies that do not move: why the MATLAB library needed an indexing offset, and a chain of screws none.

Until January 2023 that library walked through the bodies of a rigid-body tree and took the joint of body i + offset for
the i-th column of its Jacobian. Its manual said what this asks for: as many inert bodies first as the offset skips, and
none after them. Since then it moves each joint alone at home, and takes the logarithm of what the tip does. A
chain of screws has no bodies: each joint is an axis in {s}, and what is fixed has only moved the axes that come after.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Chain, from_dh
from lessons_lib.robots.library import UR10_DH

PEDESTAL = (0.0, 0.0, 0.6)
"""A row (a, α, d) that holds still: a column of 0.6 m below the arm."""

SPACER = (0.1, np.pi / 2, 0.05)
"""Another one, in the middle of the arm: a bracket with a quarter turn."""


def mounted_ur10(pedestals: int = 0, spacer: bool = False) -> tuple[list[tuple[float, float, float]], list[str]]:
    """Return standard rows and joint types of a UR10 with inert bodies.

    Args:
        pedestals: Fixed rows before the first joint.
        spacer: Whether a fixed row stands between the third joint and the fourth.

    Raises:
        ParameterError: `pedestals` is not a whole number, 0 or more.
    """
    if not is_whole(pedestals) or pedestals < 0:
        raise ParameterError(f"pedestals is {pedestals!r}; it is a whole number, 0 or more")
    rows, kinds = list(UR10_DH), ["revolute"] * len(UR10_DH)
    if spacer:
        rows.insert(3, SPACER)
        kinds.insert(3, "fixed")
    return [PEDESTAL] * pedestals + rows, ["fixed"] * pedestals + kinds


def chain_of(rows: ArrayLike, kinds: Sequence[str]) -> Chain:
    """Return the chain of such rows; there is nothing to tell it about those that hold still."""
    return from_dh(rows, "standard", name="UR10, mounted", joint_types=kinds)


def indexed_space_jacobian(rows: ArrayLike, kinds: Sequence[str], q: ArrayLike, offset: int = 0) -> Array:
    """Return the space Jacobian as an index into bodies gives it: column i from body i + offset, whatever that is.

    Args:
        rows: Standard rows (a, α, d), shape (m, 3), m and rad.
        kinds: What moves, for each row; the index does not look at it, only the poses of the bodies do.
        q: Values of the joints that move, shape (n,), rad.
        offset: Bodies to skip at the beginning, 0 to m - n.

    Returns:
        Shape (6, n), rows (ω, v) in {s}. It is right when all inert bodies come first and the offset is their number.

    Raises:
        ParameterError: The offset leaves too few bodies.
    """
    table, angles = np.array(rows, dtype=np.float64), np.array(q, dtype=np.float64)
    most = len(table) - len(angles)
    if not 0 <= offset <= most:
        raise ParameterError(f"offset is {offset!r}; {len(table)} bodies and {len(angles)} joints leave 0 to {most}")
    T, frames, joint = np.eye(4), [], 0
    for (a, alpha, d), kind in zip(table, kinds, strict=True):
        frames.append(T)
        angle = angles[joint] if kind != "fixed" else 0.0
        joint += kind != "fixed"
        turn, across = lie.exp_se3([0.0, 0.0, angle, 0.0, 0.0, d]), lie.exp_se3([alpha, 0.0, 0.0, a, 0.0, 0.0])
        T = T @ turn @ across
    about_z = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    return np.column_stack([lie.adjoint(frames[offset + i]) @ about_z for i in range(len(angles))])
