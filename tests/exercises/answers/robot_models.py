import numpy as np

from lessons_lib import lie


def row(a, alpha, d, angle):
    return lie.exp_se3([0, 0, angle, 0, 0, d]) @ lie.exp_se3([alpha, 0, 0, a, 0, 0])


def tip(rows, q):
    T = np.eye(4)
    for numbers, angle in zip(rows, q, strict=True):
        T = T @ row(*numbers, angle)
    return T


def read_parameters(rows, q, T, i, alpha_of):
    before, after = tip(rows[:i], q[:i]), tip(rows[i + 1 :], q[i + 1 :])
    A = row(0, 0, 0, -q[i]) @ np.linalg.inv(before) @ T @ np.linalg.inv(after)
    return A[0, 3], alpha_of(A), A[2, 3]


def finder(alpha_of, ask=lambda measurements: measurements, answer=lambda i, table: (i, table)):
    """A solution that reads each row off the last measurement and asks some of them."""

    def find_wrong_row(rows, measurements):
        for i in reversed(range(len(rows))):
            table = np.array(rows)
            table[i] = read_parameters(rows, *measurements[-1], i, alpha_of)
            if max(np.abs(tip(table, q) - T).max() for q, T in ask(measurements)) < 1e-8:
                return answer(i, table)
        raise ValueError("none")

    return {"find_wrong_row": find_wrong_row}


def four_quadrants(A):
    return np.arctan2(A[2, 1], A[2, 2])


RIGHT = {
    "last measurement, last row first": finder(four_quadrants),
}
WRONG = {
    "arccos": finder(lambda A: np.arccos(np.clip(A[2, 2], -1, 1))),
    "arcsin": finder(lambda A: np.arcsin(np.clip(A[2, 1], -1, 1))),
}


SLIPS = {
    "Check all of them": finder(four_quadrants, ask=lambda measurements: measurements[-1:]),
    "counted from 0": finder(four_quadrants, answer=lambda i, table: (i + 1, table)),
}


def zero(change=lambda i, by, q: (i, by), wrapped=True):
    """An answer to the second one: each joint's zero from the last measurement, and what is made of it."""

    def find_wrong_zero(rows, measurements):
        q, T = measurements[-1]
        for i, by in zero_errors(rows, q, T, wrapped):
            true = by * np.eye(len(rows))[i]
            if max(np.abs(tip(rows, q + true) - T).max() for q, T in measurements) < 1e-8:
                return change(i, by, measurements[0][0])
        raise ValueError("none")

    return {"find_wrong_zero": find_wrong_zero}


def zero_errors(rows, q, T, wrapped):
    for i in reversed(range(len(rows))):
        rest = tip(rows[: i + 1], q[: i + 1])
        turn = np.linalg.inv(tip(rows[:i], q[:i])) @ T @ np.linalg.inv(tip(rows[i + 1 :], q[i + 1 :]))
        turn = turn @ np.linalg.inv(rest) @ tip(rows[:i], q[:i])
        by = np.arctan2(turn[1, 0], turn[0, 0])
        yield i, by if wrapped else by + 2 * np.pi


RIGHT |= {
    "zero from the last": zero(),
}
SLIPS |= {
    "the joint is at q_i + δ": zero(lambda i, by, q: (i, -by)),
    "δ is in degrees": zero(lambda i, by, q: (i, np.degrees(by))),
    "joints are counted from 0": zero(lambda i, by, q: (i + 1, by)),
    "expected two results, the index of the joint": zero(lambda i, by, q: by),
}
