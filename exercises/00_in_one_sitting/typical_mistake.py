"""A typical mistake, to be put in place of the solution: half is forgotten, twice."""

import numpy as np


def fading_step(V, J, c, weights):
    """Take λ² = c VᵀWV."""
    W = np.diag(weights)
    return np.linalg.solve(J.T @ W @ J + c * (V @ W @ V) * np.eye(J.shape[1]), J.T @ W @ V)
