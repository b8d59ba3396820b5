"""Fixed bodies: why the MATLAB library needed an index offset, and a chain of screws needs none.

Until January 2023 that library iterated over the bodies of a rigid-body tree and used the joint of body i + offset for
the i-th column of its Jacobian. As its manual states, this requires as many inert bodies first as the offset skips, and
none after them. Since then it moves each joint alone at home, and takes the logarithm of the tip's displacement. A
chain of screws has no bodies: each joint is an axis in {s}, and a fixed body only displaces the axes after it.
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
"""A fixed row (a, α, d): a column of 0.6 m below the arm."""

SPACER = (0.1, np.pi / 2, 0.05)
"""A fixed row in the middle of the arm: a bracket with a quarter revolution."""


def mounted_ur10(pedestals: int = 0, spacer: bool = False) -> tuple[list[tuple[float, float, float]], list[str]]:
    """Return standard rows and joint types of a UR10 with inert bodies.

    Args:
        pedestals: Number of fixed rows before the first joint.
        spacer: Whether there is a fixed row between the third and the fourth joint.

    Raises:
        ParameterError: `pedestals` is not a whole number, 0 or more.
    """
    if not is_whole(pedestals) or pedestals < 0:
        raise ParameterError(f"pedestals must be a nonnegative integer, got {pedestals!r}")
    rows, kinds = list(UR10_DH), ["revolute"] * len(UR10_DH)
    if spacer:
        rows.insert(3, SPACER)
        kinds.insert(3, "fixed")
    return [PEDESTAL] * pedestals + rows, ["fixed"] * pedestals + kinds


def chain_of(rows: ArrayLike, kinds: Sequence[str]) -> Chain:
    """Return the chain of such rows; fixed rows need no special treatment."""
    return from_dh(rows, "standard", name="UR10, mounted", joint_types=kinds)


def indexed_space_jacobian(rows: ArrayLike, kinds: Sequence[str], q: ArrayLike, offset: int = 0) -> Array:
    """Return the space Jacobian by an index into bodies: column i is from body i + offset, of any kind.

    Args:
        rows: Standard rows (a, α, d), shape (m, 3), m and rad.
        kinds: Joint type of each row; only the poses of the bodies use it, not the index.
        q: Values of the moving joints, shape (n,), rad.
        offset: Number of bodies to skip at the beginning, 0 to m - n.

    Returns:
        Shape (6, n), rows (ω, v) in {s}. It is right when all inert bodies come first and the offset is their number.

    Raises:
        ParameterError: The offset leaves too few bodies.
    """
    table, angles = np.array(rows, dtype=np.float64), np.array(q, dtype=np.float64)
    most = len(table) - len(angles)
    if not 0 <= offset <= most:
        given = f"{len(table)} bodies and {len(angles)} joints"
        raise ParameterError(f"offset must be an integer from 0 to {most} for {given}, got {offset!r}")
    T, frames, joint = np.eye(4), [], 0
    for (a, alpha, d), kind in zip(table, kinds, strict=True):
        frames.append(T)
        angle = angles[joint] if kind != "fixed" else 0.0
        joint += kind != "fixed"
        turn, across = lie.exp_se3([0.0, 0.0, angle, 0.0, 0.0, d]), lie.exp_se3([alpha, 0.0, 0.0, a, 0.0, 0.0])
        T = T @ turn @ across
    about_z = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    return np.column_stack([lie.adjoint(frames[offset + i]) @ about_z for i in range(len(angles))])
