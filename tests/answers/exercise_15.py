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


def with_z(change, J_V=1.0):
    """Projected rates of another secondary task."""

    def rates(J, V, q, limits, k):
        inverse = np.linalg.pinv(J)
        z = change(secondary(q, limits, k), q, limits, k)
        return J_V * inverse @ V + (np.eye(len(q)) - inverse @ J) @ z

    return {"rates": rates}


def half_of(limits):
    return np.where(np.isfinite(limits).all(axis=1), np.diff(limits)[:, 0] / 2, 1.0)


def in_place(J, V, q, limits, k):
    answer = projected(J, V, q, limits, k)
    J *= 0
    return answer


SLIPS = {
    "you add z as it is, and the hand feels it": {"rates": not_projected},
    "They go the other way: ∇H points uphill": {"rates": uphill},
    "You have left z out": with_z(lambda z, *_: 0 * z),
    "That is a quarter: h_i is half of the range": with_z(lambda z, *_: z / 4),
    "Is k in it?": with_z(lambda z, q, limits, k: z / k),
    "h is squared": with_z(lambda z, q, limits, k: z * half_of(limits)),
    "Your gradient knows no h": with_z(lambda z, q, limits, k: z * half_of(limits) ** 2),
    "The ½ before the sum takes the 2": with_z(lambda z, *_: 2 * z),
    "The hand goes the other way": with_z(lambda z, *_: z, J_V=-1.0),
    "Your rates are in degrees a second": {"rates": lambda *given: np.degrees(projected(*given))},
    "your function returns None": {"rates": lambda *_: None},
    "changes an array that it is given": {"rates": in_place},
}
UNNAMED = {"damped": {"rates": damped}}
