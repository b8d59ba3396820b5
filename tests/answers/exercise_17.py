"""Two hands."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def objective(wishes, damping, cost_power=2):
    n = wishes[0].jacobian.shape[1]
    H, c = damping * np.eye(n), np.zeros(n)
    for wish in wishes:
        W, e = np.diag(wish.costs**cost_power), wish.gain * wish.error
        H += wish.jacobian.T @ W @ wish.jacobian + wish.lm_damping * (e @ W @ e) * np.eye(n)
        c += wish.jacobian.T @ W @ e
    return H, c


def inverted(wishes, damping):
    H, c = objective(wishes, damping)
    return -np.linalg.inv(H) @ c


def cholesky(wishes, damping):
    H, c = objective(wishes, damping)
    return cho_solve(cho_factor(H), -c)


def stacked(wishes, damping):
    n = wishes[0].jacobian.shape[1]
    rows, rests, price = [], [], damping
    for wish in wishes:
        demand = wish.gain * wish.costs * wish.error
        rows.append(wish.costs[:, None] * wish.jacobian)
        rests.append(-demand)
        price += wish.lm_damping * demand @ demand
    A = np.vstack([*rows, np.sqrt(price) * np.eye(n)])
    return np.linalg.lstsq(A, np.concatenate([*rests, np.zeros(n)]), rcond=None)[0]


def costs_once(wishes, damping):
    H, c = objective(wishes, damping, cost_power=1)
    return -np.linalg.solve(H, c)


def steps_added(wishes, damping):
    return sum(inverted([wish], damping) for wish in wishes)


def first_alone(wishes, damping):
    return inverted(wishes[:1], damping)


RIGHT = {f.__name__: {"shared_step": f} for f in (inverted, cholesky, stacked)}
WRONG = {f.__name__: {"shared_step": f} for f in (costs_once, steps_added, first_alone)}
