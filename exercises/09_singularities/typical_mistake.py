"""A typical mistake, to be put in place of the solution: one zero of each factor, though a revolution has two."""

import numpy as np


def singular_angles(lengths, q, joint):
    """Take what arc tangent and arc cosine return for the only solution."""
    (L_1, L_2), (_, q_2, q_3) = lengths, q
    if joint == 1:
        return []
    if joint == 2:
        return [np.arctan2(L_1 + L_2 * np.cos(q_3), L_2 * np.sin(q_3))]
    cosine = -L_1 * np.cos(q_2) / L_2
    return [0.0] if abs(cosine) > 1 else [0.0, np.arccos(cosine) - q_2]
