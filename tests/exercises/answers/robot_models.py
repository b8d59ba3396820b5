"""Find a fault in a table by measured poses."""

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


def written_out(a, alpha, d, angle):
    """The same row as its table of cosines and sines, for many angles at once."""
    (c, s), (ca, sa), zero = (np.cos(angle), np.sin(angle)), (np.cos(alpha), np.sin(alpha)), np.zeros_like(angle)
    lines = [c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [zero, zero + sa, zero + ca, zero + d]
    return np.moveaxis(np.array([*lines, [zero, zero, zero, zero + 1]]), 2, 0)


def parts(i):
    return slice(i), slice(i + 1, None)


def by_fitting(rows, measurements):
    """Fit the three numbers of each row to all measurements; the row with the least rest is it."""
    found = []
    for i in range(len(rows)):
        before, after = (np.array([tip(rows[part], q[part]) for q, _ in measurements]) for part in parts(i))
        angles, poses = np.array([q[i] for q, _ in measurements]), np.array([T for _, T in measurements])

        def rest(numbers, before=before, angles=angles, after=after, poses=poses):
            return (before @ written_out(*numbers, angles) @ after - poses).ravel()

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
}


def changed(change):
    """The right answer, with its row changed."""

    def find_wrong_row(rows, measurements):
        i, table = by_the_last(rows, measurements)
        table[i] = change(*table[i])
        return i, table

    return {"find_wrong_row": find_wrong_row}


by_the_last = finder(four_quadrants)["find_wrong_row"]


def first_two():
    """Ask the first and the last measurement alone."""
    return finder(four_quadrants, ask=lambda measurements: [measurements[0], measurements[-1]])


SLIPS = {
    "α has the wrong sign": changed(lambda a, alpha, d: (a, -alpha, d)),
    "α has lost its sign": changed(lambda a, alpha, d: (a, abs(alpha), d)),
    "α is in degrees": changed(lambda a, alpha, d: (a, np.degrees(alpha), d)),
    "a and d are exchanged": changed(lambda a, alpha, d: (d, alpha, a)),
    "a has the wrong sign": changed(lambda a, alpha, d: (-a, alpha, d)),
    "d has the wrong sign": changed(lambda a, alpha, d: (a, alpha, -d)),
    "Ask all of them": finder(four_quadrants, ask=lambda measurements: measurements[-1:]),
    "counted from 0": finder(four_quadrants, answer=lambda i, table: (i + 1, table)),
    "return two things": finder(four_quadrants, answer=lambda i, table: table),
    "your function returned None": finder(four_quadrants, answer=lambda i, table: None),
    "Ask all of them; the tip": finder(four_quadrants, ask=lambda measurements: measurements[-2:]),
    "explains the measurements": first_two(),
}
UNNAMED = {"a little off": changed(lambda a, alpha, d: (a + 0.001, alpha, d + 0.002))}


def zero(change=lambda i, by, q: (i, by), wrapped=True):
    """An answer to the second one: each joint's zero from the last measurement, and what is made of it."""

    def find_wrong_zero(rows, measurements):
        q, T = measurements[-1]
        for i, by in found(rows, q, T, wrapped):
            true = by * np.eye(len(rows))[i]
            if max(np.abs(tip(rows, q + true) - T).max() for q, T in measurements) < 1e-8:
                return change(i, by, measurements[0][0])
        raise ValueError("none")

    return {"find_wrong_zero": find_wrong_zero}


def found(rows, q, T, wrapped):
    for i in reversed(range(len(rows))):
        rest = tip(rows[: i + 1], q[: i + 1])
        turn = np.linalg.inv(tip(rows[:i], q[:i])) @ T @ np.linalg.inv(tip(rows[i + 1 :], q[i + 1 :]))
        turn = turn @ np.linalg.inv(rest) @ tip(rows[:i], q[:i])
        by = np.arctan2(turn[1, 0], turn[0, 0])
        yield i, by if wrapped else by + 2 * np.pi


def by_logarithm(rows, measurements):
    """What is left of a motion about z is a rotation vector along z, at every measurement the same."""
    for i in range(len(rows)):
        rests = []
        for q, T in measurements:
            before, after = np.linalg.inv(tip(rows[:i], q[:i])), np.linalg.inv(tip(rows[i:], q[i:]))
            rests.append(lie.log_se3(before @ T @ after))
        if np.ptp(rests, axis=0).max() < 1e-8 and np.abs(np.delete(rests[0], 2)).max() < 1e-8:
            return i, rests[0][2]
    raise ValueError("none")


RIGHT |= {"zero from the last": zero(), "zero by the logarithm": {"find_wrong_zero": by_logarithm}}
SLIPS |= {
    "the joint is at q_i + δ": zero(lambda i, by, q: (i, -by)),
    "δ is in degrees": zero(lambda i, by, q: (i, np.degrees(by))),
    "q_i is still in it": zero(lambda i, by, q: (i, by + q[i])),
    "joints are counted from 0": zero(lambda i, by, q: (i + 1, by)),
    "return two things, the joint's index": zero(lambda i, by, q: by),
    "expected −π to π": zero(wrapped=False),
}
UNNAMED["a zero a little off"] = zero(lambda i, by, q: (i, by + 1e-3))
