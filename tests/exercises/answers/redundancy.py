"""Keep joints off their limits with what is spare."""

import both_ways
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


def without_z(J, V, q, limits, k):
    return np.linalg.pinv(J) @ (V - J @ secondary(q, limits, k))


def without_the_hand(J, V, q, limits, k):
    z = secondary(q, limits, k)
    return z - np.linalg.pinv(J) @ (J @ z)


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


SLIPS = {
    "you add z without projection": {"rates": not_projected},
    "z goes the other way: ∇H points uphill": {"rates": uphill},
    "z is missing beside J⁺(V − J z)": {"rates": without_z},
    "J⁺V is left out": {"rates": without_the_hand},
    "the rates for z = 0": with_z(lambda z, *_: 0 * z),
    "z is a quarter: h_i is half of the range": with_z(lambda z, *_: z / 4),
    "z is half the right one": with_z(lambda z, *_: z / 2),
    "k is not in z": with_z(lambda z, q, limits, k: z / k),
    "h is squared": with_z(lambda z, q, limits, k: z * half_of(limits)),
    "h is missing in your gradient": with_z(lambda z, q, limits, k: z * half_of(limits) ** 2),
    "the ½ before the sum takes the 2": with_z(lambda z, *_: 2 * z),
    "the hand goes the other way": with_z(lambda z, *_: z, J_V=-1.0),
    "your answer is in degrees": {"rates": lambda *given: np.degrees(projected(*given))},
    "your function returned None": {"rates": lambda *_: None},
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


def joint_by_joint(J, V, z, fastest):
    hand, spare = parts(J, V, z)
    s = 1.0
    for of_hand, of_spare, most in zip(hand, spare, fastest, strict=True):
        if of_hand + of_spare > most:
            s = min(s, (most - of_hand) / of_spare)
        elif of_hand + of_spare < -most:
            s = min(s, (-most - of_hand) / of_spare)
    return hand + s * spare


def with_less_gain(J, V, z, fastest):
    """With s z for z."""
    hand, spare = parts(J, V, z)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.fmax((fastest - hand) / spare, (-fastest - hand) / spare)
    return sum(parts(J, V, z * (min(1.0, np.nanmin(s)) if np.any(spare) else 1.0)))


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


def z_as_it_is(J, V, z, fastest):
    hand = np.linalg.pinv(J) @ V
    room = (np.where(z < 0, -fastest, fastest) - hand) / np.where(z == 0, 1e-300, z)
    return hand + min(1.0, room.min()) * z


def room(hand, spare, fastest):
    return np.min((np.where(spare < 0, -fastest, fastest) - hand) / spare)


def slower(both, fastest):
    return 1 / max(1.0, np.max(np.abs(both) / fastest))


RIGHT["projector"]["rates_of_slow_motors"] = by_halving
RIGHT["null space"]["rates_of_slow_motors"] = joint_by_joint
RIGHT["SVD"]["rates_of_slow_motors"] = with_less_gain
without_rates = {"rates": lambda *_: None}  # nobody waits for ten laps
SLIPS |= {
    said: without_rates | answer
    for said, answer in {
        "the hand is slowed down, too": made_of(lambda both, fastest: slower(both, fastest) * both),
        "each rate is clipped separately": made_of(lambda both, fastest: np.clip(both, -fastest, fastest)),
        "these are J⁺V + N z": made_of(lambda both, fastest: both),
        "you add s z; only Nz is a self-motion": {"rates_of_slow_motors": z_as_it_is},
        "the spare motion is left out": sharing(lambda *_: 0.0),
        "a rate below zero can be too fast": sharing(
            lambda hand, spare, fastest: min(1.0, np.min(((fastest - hand) / spare)[spare > 0], initial=1.0))
        ),
        "the hand's rates are left out": sharing(
            lambda hand, spare, fastest: min(1.0, np.min(fastest / np.abs(spare)))
        ),
        "the sizes of both parts are added": sharing(
            lambda hand, spare, fastest: min(1.0, np.min((fastest - np.abs(hand)) / np.abs(spare)))
        ),
        "your s is beyond 1": sharing(room),
        "by your s all rates would have to be slower": sharing(
            lambda hand, spare, fastest: slower(hand + spare, fastest)
        ),
    }.items()
}
UNNAMED["nine tenths of s"] = sharing(lambda hand, spare, fastest: 0.9 * min(1.0, room(hand, spare, fastest)))
RIGHT |= {
    "stated 1": {"idle_rates": lambda a, b, c: (0, c, -b)},
    "stated 2": {"idle_rates": lambda a, b, c: [-a * b, a**2 + c**2, -b * c]},
}
SLIPS |= {
    "along it the number changes the fastest": {"idle_rates": lambda a, b, c: [a, b, c]},
    "one sign is missing": {"idle_rates": lambda a, b, c: [b, a, 0]},
    "of three equal numbers": {"idle_rates": lambda a, b, c: [1, -1, 0]},
}
UNNAMED["another formula"] = {"idle_rates": lambda a, b, c: [b, c, a]}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.SLIPS
UNNAMED |= both_ways.UNNAMED
