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
    "arcsine at the elbow": postures(lambda r, *L: np.arcsin(np.sin(law_of_cosines(r, *L))), inner_triangle),
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
    "[mirrored]": changed(lambda q, *_: (np.pi / 2 - q[0], -q[1])),
    "np.arctan2 takes the sine, or y, first": changed(lambda q, *_: (np.pi / 2 - q[0], q[1])),
    "that is the opposite point": changed(lambda q, *_: (q[0] + np.pi, q[1])),
    "[elbow]": changed(lambda q, *_: (q[0], -q[1])),
    "is the angle between the links": changed(lambda q, *_: (q[0], np.pi - q[1])),
    "is the second link's angle to the x-axis": changed(lambda q, *_: (q[0], q[0] + q[1])),
    "y / x has lost the quadrant": changed(lambda q, x, *_: (q[0] - (np.pi if x < 0 else 0), q[1])),
    "m inside the ring's edge": {
        "both_postures": lambda *given: RIGHT["half angles"]["both_postures"](*given)[: 2 if inside(*given) else 1]
    },
    "your function returned None": {"both_postures": lambda *_: None},
    "A posture is a row here": {
        "both_postures": lambda *given: np.transpose(RIGHT["half angles"]["both_postures"](*given))
    },
    "both rows are one posture": {
        "both_postures": lambda *given: [RIGHT["half angles"]["both_postures"](*given)[0]] * 2
    },
}
UNNAMED = {"a little off": changed(lambda q, *_: q + (0.0123, 0.0))}


def ring(nearest, farthest):
    """An answer about one's own arm with the usual numbers: links of 0.7 m and 0.4 m, elbow from −50° to 120°."""
    return {"my_ring": lambda: (nearest, farthest)}


def apart(degrees, links=(0.7, 0.4), sign=1):
    L_1, L_2 = links
    return np.sqrt(L_1**2 + L_2**2 + sign * 2 * L_1 * L_2 * np.cos(np.radians(degrees)))


RIGHT["an empty list outside"] = {"both_postures": lambda *given: list(RIGHT["half angles"]["both_postures"](*given))}
RIGHT |= {"typed numbers": ring(0.6083, 1.1), "law of cosines": ring(apart(120), apart(0))}
SLIPS |= {
    "on the way from one to the other it is straight": ring(apart(120), apart(-50)),
    "it is the elbow's other end": ring(apart(-50), 1.1),
    "an elbow that can fold completely": ring(0.3, 1.1),
    "q_2 is measured from the straight arm, so its cosine": ring(apart(120, sign=-1), 1.1),
    "and np.cos takes radians": ring(apart(np.degrees(120)), 1.1),
    "nearest and farthest are exchanged": ring(1.1, 0.6083),
    "your answer is in mm": ring(608.276, 1100),
    "it is the square": ring(0.6083**2, 1.1**2),
}
UNNAMED["a ring a little off"] = ring(0.61, 1.1)
RIGHT |= {
    "stated 1": {"elbow_cosine": lambda x, y, L_1, L_2: ((x**2 + y**2) - (L_1 - L_2) ** 2) / (2 * L_1 * L_2) - 1},
    "stated 2": {
        "elbow_cosine": lambda x, y, L_1, L_2: (
            x**2 / (2 * L_1 * L_2) + (y**2 - L_1**2) / (2 * L_1 * L_2) - L_2 / L_1 / 2
        )
    },
}
SLIPS |= {
    "the sign is flipped: the arm": {
        "elbow_cosine": lambda x, y, L_1, L_2: (L_1**2 + L_2**2 - x**2 - y**2) / (2 * L_1 * L_2)
    },
    "the square of a sum has its product twice": {
        "elbow_cosine": lambda x, y, L_1, L_2: (x**2 + y**2 - L_1**2 - L_2**2) / (L_1 * L_2)
    },
    "the squares of the lengths are added": {
        "elbow_cosine": lambda x, y, L_1, L_2: (x**2 + y**2 + L_1**2 + L_2**2) / (2 * L_1 * L_2)
    },
}
UNNAMED["another formula"] = {"elbow_cosine": lambda x, y, L_1, L_2: x / (L_1 + L_2)}
