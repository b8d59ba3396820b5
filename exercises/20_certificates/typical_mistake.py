"""The typical mistake: where the parabola has no root zero is taken for it, and a ball is given all the same."""

import numpy as np


def certify(F, J, K):
    """Return a ball around every configuration whose derivative has an inverse."""
    least = np.linalg.svd(J, compute_uv=False)[-1]
    if least < 1e-12:
        return 0.0, 0.0
    eta, b = np.linalg.norm(np.linalg.solve(J, F)), K / least
    return 2 * eta / (1 + np.sqrt(max(0.0, 1 - 2 * b * eta))), 1 / b
