import numpy as np

EDGE = 1e-9


def by_half_angles(x, y, L_1, L_2, size=lambda corner: corner):
    """Half of the elbow's angle, and the angle between arm and target; a mistake changes what is made of the latter."""
    r, towards = np.hypot(x, y), np.arctan2(y, x)
    if r > L_1 + L_2 + EDGE or r < abs(L_1 - L_2) - EDGE:
        return np.empty((0, 2))
    if r > L_1 + L_2 - EDGE:
        return [(towards, 0.0)]
    if r < abs(L_1 - L_2) + EDGE:
        return [(towards + (np.pi if L_2 > L_1 else 0.0), np.pi)]
    q_2 = 2 * np.arctan2(np.sqrt((L_1 + L_2) ** 2 - r**2), np.sqrt(r**2 - (L_1 - L_2) ** 2))
    return [(towards - size(np.arctan2(L_2 * np.sin(q), L_1 + L_2 * np.cos(q))), q) for q in (q_2, -q_2)]


def with_change(change):
    """The right rows, each changed."""
    return {"both_solutions": lambda *given: np.array([change(np.array(q), *given) for q in by_half_angles(*given)])}


def inside(x, y, L_1, L_2):
    """Whether a point is a millimetre or more away from both edges of the ring."""
    return min(L_1 + L_2 - np.hypot(x, y), np.hypot(x, y) - abs(L_1 - L_2)) > 1e-3


RIGHT = {"half angles": {"both_solutions": by_half_angles}}
WRONG = {
    "one sign at the base": {"both_solutions": lambda *given: by_half_angles(*given, size=abs)},
    "an edge of 1e-12": {
        "both_solutions": lambda *given: by_half_angles(*given)[
            : 2 if np.hypot(*given[:2]) <= sum(given[2:]) + 1e-12 else 0
        ]
    },
    "an edge that is not thick inside": {
        "both_solutions": lambda x, y, *links: [
            by_half_angles(x, y, *links),
            [(np.arctan2(y, x), q) for q in (1e-6, -1e-6)],
        ][0 < sum(links) - np.hypot(x, y) < EDGE]
    },
}
SLIPS = {
    "this q_1 belongs to the elbow that is bent the other way": with_change(
        lambda q, x, y, *_: (2 * np.arctan2(y, x) - q[0], q[1])
    ),
    "np.arctan(y / x) loses the quadrant of both angles": with_change(
        lambda q, x, y, L_1, L_2: q - (np.pi * ((x < 0) != (L_1 + L_2 * np.cos(q[1]) < 0)), 0.0)
    ),
    "np.arctan2(y, x) does not divide": {
        "both_solutions": lambda x, y, *links: [
            (q_1 - np.arctan2(y, x) + np.arctan(y / x), q_2) for q_1, q_2 in by_half_angles(x, y, *links)
        ]
    },
    "q_1 is off by π wherever x is negative": with_change(lambda q, x, *_: q - (np.pi * (x < 0), 0.0)),
    "np.arctan of the quotient loses the quadrant": with_change(lambda q, *_: q - (np.pi * (np.cos(q[0]) < 0), 0.0)),
    "m inside the ring's edge": {"both_solutions": lambda *given: by_half_angles(*given)[: 2 if inside(*given) else 1]},
    "every q_1 is a solution; return any one": {
        "both_solutions": lambda *given: by_half_angles(*given) if any(given[:2]) else np.empty((0, 2))
    },
    "Each solution must be a row": {"both_solutions": lambda *given: np.transpose(by_half_angles(*given))},
    "each solution is a column": {"both_solutions": lambda *given: np.transpose(by_half_angles(*given))},
    "your q_2 is half the correct angle": with_change(
        lambda q, x, y, L_1, L_2: (np.angle((x + y * 1j) / (L_1 + L_2 * np.exp(q[1] / 2 * 1j))), q[1] / 2)
    ),
    "both rows have the same q_1": {
        "both_solutions": lambda *given: [(by_half_angles(*given)[0][0], q) for _, q in by_half_angles(*given)]
    },
    "the sign is flipped: the arm": {
        "elbow_cosine": lambda x, y, L_1, L_2: (L_1**2 + L_2**2 - x**2 - y**2) / (2 * L_1 * L_2)
    },
    "put the denominator in brackets": {"elbow_cosine": lambda x, y, a, b: (x**2 + y**2 - a**2 - b**2) / 2 * a * b},
    "the denominator is 2 L_1 L_2": {
        "elbow_cosine": lambda x, y, L_1, L_2: (x**2 + y**2 - L_1**2 - L_2**2) / (L_1 * L_2)
    },
}
