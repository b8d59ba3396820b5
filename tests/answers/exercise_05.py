"""The wrong row of a table."""

import numpy as np
from scipy.optimize import least_squares

from lessons_lib import lie


def row(a, alpha, d, angle):
    return lie.exp_se3([0, 0, angle, 0, 0, d]) @ lie.exp_se3([alpha, 0, 0, a, 0, 0])


def tip(rows, q):
    T = np.eye(4)
    for numbers, angle in zip(rows, q, strict=True):
        T = T @ row(*numbers, angle)
    return T


def read_off(rows, q, T, i, alpha_of):
    before, after = tip(rows[:i], q[:i]), tip(rows[i + 1 :], q[i + 1 :])
    A = row(0, 0, 0, -q[i]) @ np.linalg.inv(before) @ T @ np.linalg.inv(after)
    return A[0, 3], alpha_of(A), A[2, 3]


def finder(alpha_of, ask=lambda measurements: measurements, answer=lambda i, table: (i, table)):
    """A solution that reads each row off the last measurement and asks some of them."""

    def find_wrong_row(rows, measurements):
        for i in reversed(range(len(rows))):
            table = np.array(rows)
            table[i] = read_off(rows, *measurements[-1], i, alpha_of)
            if max(np.abs(tip(table, q) - T).max() for q, T in ask(measurements)) < 1e-8:
                return answer(i, table)
        raise ValueError("none")

    return {"find_wrong_row": find_wrong_row}


def by_fitting(rows, measurements):
    """Fit the three numbers of each row to all measurements; the row with the least rest is it."""
    found = []
    for i in range(len(rows)):

        def rest(numbers, i=i):
            table = np.array(rows)
            table[i] = numbers
            return np.concatenate([(tip(table, q) - T).ravel() for q, T in measurements])

        starts = ([rows[i][0], alpha, rows[i][2]] for alpha in (-2.0, 0.0, 2.0))
        best = min((least_squares(rest, x, xtol=1e-14, ftol=1e-14, gtol=1e-14) for x in starts), key=lambda s: s.cost)
        found.append((best.cost, i, best.x))
    _, i, numbers = min(found, key=lambda entry: entry[0])
    table = np.array(rows)
    table[i] = numbers
    return i, table


def four_quadrants(A):
    return np.arctan2(A[2, 1], A[2, 2])


RIGHT = {
    "last measurement, last row first": finder(four_quadrants),
    "a list": finder(four_quadrants, answer=lambda i, table: [i, table]),
    "least squares": {"find_wrong_row": by_fitting},
}
WRONG = {
    "arccos": finder(lambda A: np.arccos(np.clip(A[2, 2], -1, 1))),
    "one measurement asked": finder(four_quadrants, ask=lambda measurements: measurements[-1:]),
}
