"""The typical mistake: if the parabola has no root, its root is taken as zero, and an unproven ball is returned."""

import numpy as np


def certify(F, J, K):
    """Return a ball around every configuration whose derivative has an inverse."""
    if np.linalg.matrix_rank(J) < len(F):
        return 0.0, 0.0
    P = np.linalg.inv(J)
    eta, b = np.linalg.norm(P @ F), np.linalg.norm(P) * K
    return 2 * eta / (1 + np.sqrt(max(0.0, 1 - 2 * b * eta))), 1 / b
