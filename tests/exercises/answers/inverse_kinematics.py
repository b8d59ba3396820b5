import numpy as np

EDGE = 1e-9


def postures(elbow, corner):
    """A solution made of an angle of the elbow inside the ring, and of the angle between arm and target."""

    def both_solutions(x, y, L_1, L_2):
        r = np.hypot(x, y)
        if r > L_1 + L_2 + EDGE or r < abs(L_1 - L_2) - EDGE:
            return np.empty((0, 2))
        if r > L_1 + L_2 - EDGE:
            return [(np.arctan2(y, x), 0.0)]
        if r < abs(L_1 - L_2) + EDGE:
            return [(np.arctan2(y, x) + (np.pi if L_2 > L_1 else 0.0), np.pi)]
        q_2 = elbow(r, L_1, L_2)
        return [(np.arctan2(y, x) - corner(q, L_1, L_2), q) for q in (q_2, -q_2)]

    return {"both_solutions": both_solutions}


def law_of_cosines(r, L_1, L_2):
    return np.arccos(np.clip((r**2 - L_1**2 - L_2**2) / (2 * L_1 * L_2), -1, 1))


def half_angles(r, L_1, L_2):
    return 2 * np.arctan2(np.sqrt((L_1 + L_2) ** 2 - r**2), np.sqrt(r**2 - (L_1 - L_2) ** 2))


def inner_triangle(q_2, L_1, L_2):
    return np.arctan2(L_2 * np.sin(q_2), L_1 + L_2 * np.cos(q_2))


RIGHT = {
    "law of cosines": postures(law_of_cosines, inner_triangle),
    "half angles": postures(half_angles, inner_triangle),
}
WRONG = {
    "one sign at the base": postures(law_of_cosines, lambda q_2, L_1, L_2: abs(inner_triangle(q_2, L_1, L_2))),
}


def with_change(change):
    """The right rows, each changed."""

    def both_solutions(*given):
        return np.array([change(np.array(q), *given) for q in RIGHT["half angles"]["both_solutions"](*given)])

    return {"both_solutions": both_solutions}


def inside(x, y, L_1, L_2):
    """Whether a point is a millimetre or more away from both edges of the ring."""
    return min(L_1 + L_2 - np.hypot(x, y), np.hypot(x, y) - abs(L_1 - L_2)) > 1e-3


SLIPS = {
    "this q_1 belongs to the elbow that is bent the other way": with_change(
        lambda q, x, y, *_: (2 * np.arctan2(y, x) - q[0], q[1])
    ),
    "np.arctan(y / x) loses the quadrant of both angles": with_change(
        lambda q, x, y, L_1, L_2: q - (np.pi * ((x < 0) != (L_1 + L_2 * np.cos(q[1]) < 0)), 0.0)
    ),
    "q_1 is off by π wherever x is negative": with_change(lambda q, x, *_: q - (np.pi * (x < 0), 0.0)),
    "m inside the ring's edge": {
        "both_solutions": lambda *given: RIGHT["half angles"]["both_solutions"](*given)[: 2 if inside(*given) else 1]
    },
    "Each solution is a row": {
        "both_solutions": lambda *given: np.transpose(RIGHT["half angles"]["both_solutions"](*given))
    },
}

SLIPS |= {
    "the sign is flipped: the arm": {
        "elbow_cosine": lambda x, y, L_1, L_2: (L_1**2 + L_2**2 - x**2 - y**2) / (2 * L_1 * L_2)
    },
    "the denominator is 2 L_1 L_2": {
        "elbow_cosine": lambda x, y, L_1, L_2: (x**2 + y**2 - L_1**2 - L_2**2) / (L_1 * L_2)
    },
}
