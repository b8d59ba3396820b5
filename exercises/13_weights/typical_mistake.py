"""The typical mistake: the error is weighed, the Jacobian is not."""

import numpy as np


def weighted_step(jacobian, error, weights, damping):
    """Return the damped step towards W V."""
    normal = jacobian.T @ jacobian + damping**2 * np.eye(jacobian.shape[1])
    return np.linalg.solve(normal, jacobian.T @ (weights * error))
