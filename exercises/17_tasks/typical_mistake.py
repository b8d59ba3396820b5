"""The typical mistake: a cost is taken for a weight, and not squared."""

import numpy as np


def shared_step(wishes, damping):
    """Return the step with costs that are not squared."""
    n = wishes[0].jacobian.shape[1]
    H, c = damping * np.eye(n), np.zeros(n)
    for wish in wishes:
        J, W = wish.jacobian, np.diag(wish.costs)
        demand = wish.gain * wish.costs * wish.error
        H += J.T @ W @ J + wish.lm_damping * (demand @ demand) * np.eye(n)
        c += wish.gain * J.T @ W @ wish.error
    return -np.linalg.solve(H, c)
