"""Joint frames: each is rotated so that the axis of its joint is z, and one derived formula serves every axis."""

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie import exp_se3


def basis(axis: Array) -> Array:
    """Return a rotation whose third column is the unit vector `axis`; exact for the axes x, y and z."""
    # the first column is x, or y for an axis near x, made orthogonal to the axis
    start = np.eye(3)[1 if abs(axis[0]) > 0.9 else 0]
    first = start - axis * float(axis @ start)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def rotation_pose(rotation: Array) -> Array:
    T = np.eye(4)
    T[:3, :3] = rotation
    return T


def joint_pose(axis: Array, q: float, prismatic: bool) -> Array:
    """Return the constant pose of a joint that is locked at q."""
    twist = np.concatenate([q * axis, np.zeros(3)])
    return exp_se3(np.roll(twist, 3) if prismatic else twist)
