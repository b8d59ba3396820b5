import numpy as np


def nearest_to_z(J, V, q, limits, k):
    with np.errstate(invalid="ignore"):
        middle, half = limits.mean(axis=1), np.diff(limits)[:, 0] / 2
    z = np.where(np.isfinite(limits).all(axis=1), -k * (q - middle) / half**2, 0.0)
    return z + np.linalg.lstsq(J, V - J @ z, rcond=1e-12)[0]


def by_halving(J, V, z, fastest):
    hand, spare = np.linalg.pinv(J) @ V, z - np.linalg.pinv(J) @ (J @ z)
    low, high = 0.0, 1.0
    if np.all(np.abs(hand + spare) <= fastest):
        return hand + spare
    while high - low > 1e-13:
        s = (low + high) / 2
        low, high = (s, high) if np.all(np.abs(hand + s * spare) <= fastest) else (low, s)
    return hand + low * spare


RIGHT = {"nearest to z": {"rates": nearest_to_z, "rates_of_slow_motors": by_halving}}
WRONG = {
    "distances from the middle modulo revolutions": {
        "rates": lambda J, V, q, limits, k: nearest_to_z(
            J, V, q - 2 * np.pi * np.nan_to_num(np.rint((q - limits.mean(axis=1)) / (2 * np.pi))), limits, k
        )
    },
}
