from functools import partial

import numpy as np
from scipy.optimize import linprog


def by_program(first, second, v, a):
    """A linear program in the acceleration along the path and the square of the speed."""
    rows = np.column_stack([first, second])
    with np.errstate(divide="ignore"):
        top = np.min((v / np.abs(first)) ** 2)
    scale = min(top, 1e6)
    A = np.concatenate([rows, -rows]) * [1.0, scale]
    found = linprog([0, -1], A, np.tile(a, 2), bounds=[(None, None), (0, top / scale)], options={"presolve": False})
    return np.sqrt(found.x[1] * scale)


def as_lists(speeds, without):
    place = list(speeds).index(min(speeds))
    row = list(without[place])
    return [place, row.index(max(row))]


def by_pairs(first, second, v, a):
    """Claim 22.3 with the limits in the place of the accelerations."""
    speed = np.min(v / np.maximum(np.abs(first), 1e-300))
    for i, j in zip(*np.triu_indices(len(first), 1), strict=True):
        square = (first[j] * a[i] - first[i] * a[j]) / (first[j] * second[i] - first[i] * second[j])
        speed = min(speed, np.sqrt(abs(square)))
    return speed


def without_a_size(first, second, v, a):
    """Claim 22.3 without the absolute value of its right side: the root of a negative number is no bound."""
    speed = np.min(v / np.maximum(np.abs(first), 1e-300))
    for i, j in np.argwhere(np.tri(len(first), k=-1)):
        room = abs(first[j]) * a[i] + abs(first[i]) * a[j]
        with np.errstate(all="ignore"):
            speed = min(speed, np.sqrt(room / (first[j] * second[i] - first[i] * second[j])))
    return speed


def pairs_with(one, first, second, v, a):
    """Only the pairs that contain one joint."""
    others = np.delete(np.arange(len(first)), one)
    return min(by_program(*(np.array([row[one], row[k]]) for row in (first, second, v, a))) for k in others)


RIGHT = {"a linear program": {"top_speed": by_program}, "in lists": {"limiting": as_lists}}
SLIPS = {
    "the signs of q'": {"top_speed": by_pairs},
    "is negative for some pairs of joints": {"top_speed": without_a_size},
    "ignores the acceleration limits": {"top_speed": lambda first, second, v, a: np.min(v / np.abs(first))},
}
WRONG = {
    "pairs with joint 0": {"top_speed": partial(pairs_with, 0)},
    "pairs with the last joint": {"top_speed": partial(pairs_with, -1)},
    "the largest relative gain": {"limiting": lambda v, w: (np.argmin(v), np.argmax((w / v[:, None]).max(axis=0)))},
    "by the largest slope": {"limiting": lambda speeds, without: (int(np.argmin(speeds)), 0)},
    "by the slowest place": {"limiting": lambda speeds, without: (np.argmin(speeds), np.argmax(without.min(axis=0)))},
    "ignores speeds": {"limiting": lambda _, without: ((k := int(without.min(axis=1).argmin())), without[k].argmax())},
}
