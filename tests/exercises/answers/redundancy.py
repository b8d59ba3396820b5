"""Keep joints off their limits with what is spare."""

import numpy as np


def secondary(q, limits, k):
    with np.errstate(invalid="ignore"):
        middle, half = limits.mean(axis=1), np.diff(limits)[:, 0] / 2
    return np.where(np.isfinite(limits).all(axis=1), -k * (q - middle) / half**2, 0.0)


def projected(J, V, q, limits, k):
    inverse = np.linalg.pinv(J)
    return inverse @ V + (np.eye(len(q)) - inverse @ J) @ secondary(q, limits, k)


def nearest_to_z(J, V, q, limits, k):
    z = secondary(q, limits, k)
    return z + np.linalg.lstsq(J, V - J @ z, rcond=1e-12)[0]


def not_projected(J, V, q, limits, k):
    return np.linalg.pinv(J) @ V + secondary(q, limits, k)


def damped(J, V, q, limits, k):
    inverse = J.T @ np.linalg.inv(J @ J.T + 1e-4 * np.eye(len(J)))
    return inverse @ V + (np.eye(len(q)) - inverse @ J) @ secondary(q, limits, k)


RIGHT = {
    "nearest to z": {"rates": nearest_to_z},
}


SLIPS = {
    "you add z without projection": {"rates": not_projected},
    "your answer is in degrees": {"rates": lambda *given: np.degrees(projected(*given))},
}
UNNAMED = {"damped": {"rates": damped}}


def parts(J, V, z, *_):
    """Return the rates for the hand, and the spare ones."""
    return np.linalg.pinv(J) @ V, z - np.linalg.pinv(J) @ (J @ z)


def by_halving(J, V, z, fastest):
    hand, spare = parts(J, V, z)
    low, high = 0.0, 1.0
    if np.all(np.abs(hand + spare) <= fastest):
        return hand + spare
    while high - low > 1e-13:
        s = (low + high) / 2
        low, high = (s, high) if np.all(np.abs(hand + s * spare) <= fastest) else (low, s)
    return hand + low * spare


def sharing(share):
    """An answer to the second one, made of the share of the spare motion: share(hand, spare, fastest)."""

    def answer(J, V, z, fastest):
        hand, spare = parts(J, V, z)
        with np.errstate(divide="ignore"):
            return hand + share(hand, spare, fastest) * spare

    return {"rates_of_slow_motors": answer}


def made_of(change):
    """An answer to the second one, made of all rates: change(both, fastest)."""
    return {"rates_of_slow_motors": lambda J, V, z, fastest: change(sum(parts(J, V, z)), fastest)}


def room(hand, spare, fastest):
    return np.min((np.where(spare < 0, -fastest, fastest) - hand) / spare)


def slower(both, fastest):
    return 1 / max(1.0, np.max(np.abs(both) / fastest))


RIGHT["nearest to z"]["rates_of_slow_motors"] = by_halving
without_rates = {"rates": lambda *_: None}  # nobody waits for ten laps
SLIPS |= {
    said: without_rates | answer
    for said, answer in {
        "the hand is slowed down, too": made_of(lambda both, fastest: slower(both, fastest) * both),
    }.items()
}
UNNAMED["nine tenths of s"] = sharing(lambda hand, spare, fastest: 0.9 * min(1.0, room(hand, spare, fastest)))
