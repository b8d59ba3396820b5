"""The typical mistake: the lever is a weight of the rotation, and no entry couples it with the translation."""

import numpy as np


def tool_weights(position_cost, orientation_cost, tool):
    """Return a diagonal with ‖p_t‖² before all of ω."""
    angular = orientation_cost**2 + position_cost**2 * np.dot(tool, tool)
    return np.diag([angular] * 3 + [position_cost**2] * 3)


def weighted_step(J, V, W, damping):
    """Return the damped step."""
    return np.linalg.solve(J.T @ W @ J + damping**2 * np.eye(J.shape[1]), J.T @ W @ V)
