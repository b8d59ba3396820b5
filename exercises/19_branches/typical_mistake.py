"""The typical mistake: the arm always faces the point, so the solutions over the shoulder are missing."""

import numpy as np


def branches(arm, p):
    """Return the two solutions with the point ahead."""
    (a, d, L_1, L_2), (x, y, z) = arm, p
    found = []
    if np.hypot(x, y) < abs(d):
        return found
    r = np.sqrt(x**2 + y**2 - d**2)
    ahead = r - a
    cosine = (ahead**2 + z**2 - L_1**2 - L_2**2) / (2 * L_1 * L_2)
    if abs(cosine) <= 1:
        for q_3 in np.arccos(cosine) * np.array([1, -1]):
            lever = np.arctan2(L_2 * np.sin(q_3), L_1 + L_2 * cosine)
            found.append((np.arctan2(y, x) - np.arctan2(d, r), np.arctan2(z, ahead) - lever, q_3))
    return found
