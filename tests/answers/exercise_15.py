"""Keep off a limit."""

import numpy as np
from scipy.linalg import null_space


def secondary(q, limits, k):
    with np.errstate(invalid="ignore"):
        middle, half = limits.mean(axis=1), np.diff(limits)[:, 0] / 2
    return np.where(np.isfinite(limits).all(axis=1), -k * (q - middle) / half**2, 0.0)


def projected(J, V, q, limits, k):
    inverse = np.linalg.pinv(J)
    return inverse @ V + (np.eye(len(q)) - inverse @ J) @ secondary(q, limits, k)


def by_null_space(J, V, q, limits, k):
    N = null_space(J)
    return np.linalg.lstsq(J, V, rcond=None)[0] + N @ N.T @ secondary(q, limits, k)


def nearest_to_z(J, V, q, limits, k):
    z = secondary(q, limits, k)
    return z + np.linalg.lstsq(J, V - J @ z, rcond=1e-12)[0]


def by_svd(J, V, q, limits, k):
    U, s, Yt = np.linalg.svd(J)
    rank = int(np.sum(s > 1e-12 * s[0]))
    mine, free = Yt[:rank], Yt[rank:]
    return mine.T @ ((U.T @ V)[:rank] / s[:rank]) + free.T @ (free @ secondary(q, limits, k))


def not_projected(J, V, q, limits, k):
    return np.linalg.pinv(J) @ V + secondary(q, limits, k)


def uphill(J, V, q, limits, k):
    return projected(J, V, q, limits, -k)


def damped(J, V, q, limits, k):
    inverse = J.T @ np.linalg.inv(J @ J.T + 1e-4 * np.eye(len(J)))
    return inverse @ V + (np.eye(len(q)) - inverse @ J) @ secondary(q, limits, k)


RIGHT = {
    "projector": {"rates": projected},
    "null space": {"rates": by_null_space},
    "nearest to z": {"rates": nearest_to_z},
    "SVD": {"rates": by_svd},
}
WRONG = {
    "not projected": {"rates": not_projected},
    "uphill": {"rates": uphill},
    "z left out": {"rates": lambda J, V, q, limits, k: projected(J, V, q, limits, 0.0)},
    "damped": {"rates": damped},
}
