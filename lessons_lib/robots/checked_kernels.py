"""Kernels of a chain that check q in compiled code, so that calls from Python are cheap, and loops over rows of q."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array

if TYPE_CHECKING:
    from lessons_lib.robots.chain_code import DOF, chain_kernel, pose_kernel, space_kernel


def is_configuration(q: Array) -> bool:
    """Return whether q has DOF entries with a finite sum; otherwise the caller raises the precise error."""
    if q.shape[0] != DOF:
        return False
    total = 0.0
    for i in range(DOF):
        total += q[i]
    return math.isfinite(total)


def checked_pose_kernel(q: Array, T: Array) -> bool:
    """Write T_sb(q); return False if q is not a configuration."""
    if not is_configuration(q):
        return False
    pose_kernel(q, T)
    return True


def checked_space_kernel(q: Array, J_s: Array) -> bool:
    """Write J_s(q); return False if q is not a configuration."""
    if not is_configuration(q):
        return False
    space_kernel(q, np.empty((4, 4)), J_s)
    return True


def checked_body_kernel(q: Array, J_b: Array) -> bool:
    """Write J_b(q); return False if q is not a configuration."""
    if not is_configuration(q):
        return False
    chain_kernel(q, np.empty((4, 4)), J_b)
    return True


def checked_chain_kernel(q: Array, T: Array, J_b: Array) -> bool:
    """Write T_sb(q) and J_b(q); return False if q is not a configuration."""
    if not is_configuration(q):
        return False
    chain_kernel(q, T, J_b)
    return True


def pose_rows(q: Array, T: Array) -> None:
    """Write T_sb of k configurations, shape (k, n), into T, shape (k, 4, 4)."""
    for row in range(q.shape[0]):
        pose_kernel(q[row], T[row])


def space_rows(q: Array, T: Array, J_s: Array) -> None:
    """Write T_sb and J_s of k configurations."""
    for row in range(q.shape[0]):
        space_kernel(q[row], T[row], J_s[row])


def chain_rows(q: Array, T: Array, J_b: Array) -> None:
    """Write T_sb and J_b of k configurations."""
    for row in range(q.shape[0]):
        chain_kernel(q[row], T[row], J_b[row])
