"""A typical mistake, to be put in place of the solution: return the first row that explains one measurement."""

import numpy as np

from lessons_lib import lie


def tip(rows, q):
    """Return the pose of the tip, as in the set-up cell."""
    T = np.eye(4)
    for (a, alpha, d), angle in zip(rows, q, strict=True):
        T = T @ lie.exp_se3([0, 0, angle, 0, 0, d]) @ lie.exp_se3([alpha, 0, 0, a, 0, 0])
    return T


def find_wrong_row(rows, measurements):
    """Use one measurement only."""
    q, T = measurements[0]
    for i in range(len(rows)):
        before, after = tip(rows[:i], q[:i]), tip(rows[i + 1 :], q[i + 1 :])
        A = lie.exp_se3([0, 0, -q[i], 0, 0, 0]) @ lie.inverse(before) @ T @ lie.inverse(after)
        table = np.array(rows, dtype=float)
        table[i] = A[0, 3], np.arctan2(A[2, 1], A[2, 2]), A[2, 3]
        if np.abs(tip(table, q) - T).max() < 1e-6:
            return i, table
    raise ValueError("no single row explains the measurement")
