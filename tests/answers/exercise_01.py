"""Both postures of the 2R."""

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
