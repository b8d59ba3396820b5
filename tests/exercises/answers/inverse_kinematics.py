"""Find both postures of a planar arm."""

import numpy as np

EDGE = 1e-9


def postures(elbow, corner):
    """A solution made of an angle of the elbow inside the ring, and of the angle between arm and target."""

    def both_postures(x, y, L_1, L_2):
        r = np.hypot(x, y)
        if r > L_1 + L_2 + EDGE or r < abs(L_1 - L_2) - EDGE:
            return np.empty((0, 2))
        if r > L_1 + L_2 - EDGE:
            return [(np.arctan2(y, x), 0.0)]
        if r < abs(L_1 - L_2) + EDGE:
            return [(np.arctan2(y, x) + (np.pi if L_2 > L_1 else 0.0), np.pi)]
        q_2 = elbow(r, L_1, L_2)
        return [(np.arctan2(y, x) - corner(q, L_1, L_2), q) for q in (q_2, -q_2)]

    return {"both_postures": both_postures}


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


def changed(change):
    """The right rows, each changed."""

    def both_postures(*given):
        return np.array([change(np.array(q), *given) for q in RIGHT["half angles"]["both_postures"](*given)])

    return {"both_postures": both_postures}


def inside(x, y, L_1, L_2):
    """Whether a point is a millimetre or more away from both edges of the ring."""
    return min(L_1 + L_2 - np.hypot(x, y), np.hypot(x, y) - abs(L_1 - L_2)) > 1e-3


SLIPS = {
    "your answer is in degrees": changed(lambda q, *_: np.degrees(q)),
    "this q_1 belongs to the elbow that is bent the other way": changed(
        lambda q, x, y, *_: (2 * np.arctan2(y, x) - q[0], q[1])
    ),
    "m inside the ring's edge": {
        "both_postures": lambda *given: RIGHT["half angles"]["both_postures"](*given)[: 2 if inside(*given) else 1]
    },
    "A posture is a row here": {
        "both_postures": lambda *given: np.transpose(RIGHT["half angles"]["both_postures"](*given))
    },
}
UNNAMED = {"a little off": changed(lambda q, *_: q + (0.0123, 0.0))}


def ring(nearest, farthest):
    """An answer about one's own arm with the usual numbers: links of 0.7 m and 0.4 m, elbow from −50° to 120°."""
    return {"my_ring": lambda: (nearest, farthest)}


def apart(degrees, links=(0.7, 0.4), sign=1):
    L_1, L_2 = links
    return np.sqrt(L_1**2 + L_2**2 + sign * 2 * L_1 * L_2 * np.cos(np.radians(degrees)))


RIGHT |= {
    "law of cosines": ring(apart(120), apart(0)),
}
SLIPS |= {
    "on the way from one to the other it is straight": ring(apart(120), apart(-50)),
    "it is the elbow's other end": ring(apart(-50), 1.1),
}
UNNAMED["a ring a little off"] = ring(0.61, 1.1)
SLIPS |= {
    "the sign is flipped: the arm": {
        "elbow_cosine": lambda x, y, L_1, L_2: (L_1**2 + L_2**2 - x**2 - y**2) / (2 * L_1 * L_2)
    },
    "the square of a sum has its product twice": {
        "elbow_cosine": lambda x, y, L_1, L_2: (x**2 + y**2 - L_1**2 - L_2**2) / (L_1 * L_2)
    },
}
