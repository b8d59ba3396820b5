"""A typical mistake, to be put in place of the solution: the body Jacobian, T⁻¹·dT."""

import numpy as np

from lessons_lib import lie


def space_jacobian(pose, q, h=1e-5):
    """Measure the motion in the frame of the tool."""
    T_inverse = lie.inverse(pose(q))
    steps = h * np.eye(len(q))
    slopes = [(pose(q + step) - pose(q - step)) / (2 * h) for step in steps]
    return np.column_stack([lie.vee_se3(T_inverse @ slope) for slope in slopes])


def pitches(J):
    """Return the pitch of each joint."""
    turns = np.sum(J[:3] ** 2, axis=0)
    climbs = np.sum(J[:3] * J[3:], axis=0)
    return np.array([climb / turn if turn > 1e-12 else np.inf for climb, turn in zip(climbs, turns, strict=True)])
