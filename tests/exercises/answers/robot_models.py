import numpy as np

from lessons_lib import lie


def row(a, alpha, d, angle):
    return lie.exp_se3([0, 0, angle, 0, 0, d]) @ lie.exp_se3([alpha, 0, 0, a, 0, 0])


def tip(rows, q):
    T = np.eye(4)
    for numbers, angle in zip(rows, q, strict=True):
        T = T @ row(*numbers, angle)
    return T


def own_motion(rows, q, T, i):
    """The motion of row i with its joint, when the others are believed."""
    return np.linalg.inv(tip(rows[:i], q[:i])) @ T @ np.linalg.inv(tip(rows[i + 1 :], q[i + 1 :]))


def four_quadrants(A):
    return np.arctan2(A[2, 1], A[2, 2])


def finder(alpha_of=four_quadrants, ask=lambda measurements: measurements, first=0, within=1e-8):
    """A solution that reads each row off the last measurement and asks some of them."""

    def find_wrong_row(rows, measurements):
        q, T = measurements[-1]
        for i in reversed(range(len(rows))):
            table = np.array(rows)
            A = row(0, 0, 0, -q[i]) @ own_motion(rows, q, T, i)
            table[i] = A[0, 3], alpha_of(A), A[2, 3]
            if max(np.abs(tip(table, q) - T).max() for q, T in ask(measurements)) < within:
                return i + first, table
        raise ValueError("none")

    return {"find_wrong_row": find_wrong_row}


def in_another_order(rows, measurements):
    """The row with the least error, where the inverse of a product has the order of the product."""
    q, T = measurements[-1]
    tables = [np.array(rows) for _ in rows]
    for i, table in enumerate(tables):
        before, after = tip(rows[:i], q[:i]), tip(rows[i + 1 :], q[i + 1 :])
        A = np.linalg.inv(before) @ row(0, 0, 0, -q[i]) @ T @ np.linalg.inv(after)
        table[i] = A[0, 3], four_quadrants(A), A[2, 3]
    errors = [max(np.abs(tip(table, q) - T).max() for q, T in measurements) for table in tables]
    return int(np.argmin(errors)), tables[int(np.argmin(errors))]


def zero(change=lambda i, by: (i, by), ask=lambda measurements: measurements, at=-1):
    """An answer to the second one: each joint's zero from one measurement, and what is made of it."""

    def find_wrong_zero(rows, measurements):
        q, T = measurements[at]
        for i in range(len(rows)):
            turn = own_motion(rows, q, T, i) @ np.linalg.inv(row(*rows[i], q[i]))
            by = np.arctan2(turn[1, 0], turn[0, 0])
            true = by * np.eye(len(rows))[i]
            if max(np.abs(tip(rows, q + true) - T).max() for q, T in ask(measurements)) < 1e-8:
                return change(i, by)
        raise ValueError("none")

    return {"find_wrong_zero": find_wrong_zero}


RIGHT = {"last measurement, last row first": finder(), "zero from the last": zero()}
WRONG = {
    "arccos": finder(lambda A: np.arccos(np.clip(A[2, 2], -1, 1))),
    "arcsin": finder(lambda A: np.arcsin(np.clip(A[2, 1], -1, 1))),
    "a tolerance of 1 cm": finder(within=1e-2),
    "a zero that explains the first measurement": zero(ask=lambda measurements: measurements[:1], at=0),
}
SLIPS = {
    "Check all measurements": finder(ask=lambda measurements: measurements[-1:]),
    "the right factors in the wrong order": {"find_wrong_row": in_another_order},
    "counted from 0": finder(first=1),
    "the joint is at q_i + δ": zero(lambda i, by: (i, -by)),
    "δ is in degrees": zero(lambda i, by: (i, np.degrees(by))),
    "joints are counted from 0": zero(lambda i, by: (i + 1, by)),
    "expected two results, the index of the joint": zero(lambda i, by: by),
}
