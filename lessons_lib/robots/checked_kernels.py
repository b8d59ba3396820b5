"""Kernels that check q before they use it, so that a call from Python costs hardly more than the call, and over rows.

The linker copies this text behind a chain's derived kernels.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array

if TYPE_CHECKING:
    from lessons_lib.robots.chain_code import DOF, chain_kernel, pose_kernel, space_kernel


def check(q: Array) -> None:
    """Raise ValueError where q is not DOF numbers with a finite sum; the caller finds out what is wrong with it."""
    if q.shape != (DOF,):
        raise ValueError("shape")
    total = 0.0
    for i in range(DOF):
        total += q[i]
    if not math.isfinite(total):
        raise ValueError("sum")


def checked_pose_kernel(q: Array, T: Array) -> None:
    """Write T_sb(q)."""
    check(q)
    pose_kernel(q, T)


def checked_space_kernel(q: Array, J_s: Array) -> None:
    """Write J_s(q)."""
    check(q)
    space_kernel(q, np.empty((4, 4)), J_s)


def checked_body_kernel(q: Array, J_b: Array) -> None:
    """Write J_b(q)."""
    check(q)
    chain_kernel(q, np.empty((4, 4)), J_b)


def checked_chain_kernel(q: Array, T: Array, J_b: Array) -> None:
    """Write T_sb(q) and J_b(q)."""
    check(q)
    chain_kernel(q, T, J_b)


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
