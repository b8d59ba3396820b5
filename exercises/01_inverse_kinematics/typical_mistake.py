"""A typical mistake, to be put in place of the solution: an arc tangent of y/x, and an arc cosine that is trusted."""

import numpy as np


def both_solutions(x, y, L_1, L_2):
    """Take both signs of the elbow, but half of the plane only, and no care at the edges."""
    bent = np.arccos((x**2 + y**2 - L_1**2 - L_2**2) / (2 * L_1 * L_2))
    rows = []
    for q_2 in (bent, -bent):
        corner = np.arctan(L_2 * np.sin(q_2) / (L_1 + L_2 * np.cos(q_2)))
        rows.append([np.arctan(np.divide(y, x)) - corner, q_2])
    return np.array(rows)
