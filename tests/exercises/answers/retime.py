"""Find the place and the joint that slow a path."""

import both_ways
import numpy as np
import sympy as sp
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


def by_halving(first, second, v, a):
    """Halve the interval of speeds: of each one it is known whether the intervals of the joints meet."""

    def allowed(speed):
        low, high = -np.inf, np.inf
        for p, b, a_j in zip(first, second, a, strict=True):
            rest = b * speed**2
            if p == 0:
                if abs(rest) > a_j:
                    return False
                continue
            ends = sorted([(-a_j - rest) / p, (a_j - rest) / p])
            low, high = max(low, ends[0]), min(high, ends[1])
        return low <= high

    with np.errstate(divide="ignore"):
        below, above = 0.0, float(np.min(v / np.abs(first)))
    if allowed(above):
        return above
    for _ in range(200):
        middle = (below + above) / 2
        below, above = (middle, above) if allowed(middle) else (below, middle)
    return below


def speeds_alone(first, second, v, a):
    with np.errstate(divide="ignore"):
        return np.min(v / np.abs(first))


def steady(first, second, v, a):
    return min(speeds_alone(first, second, v, a), np.sqrt(np.min(a / np.abs(second))))


def changed(change):
    return {"top_speed": lambda *given: change(by_halving(*given))}


def no_root(first, second, v, a):
    endless = np.full(len(v), 1e12)
    return min(speeds_alone(first, second, v, a), by_halving(first, second, endless, a) ** 2)


def no_speeds(first, second, v, a):
    return by_halving(first, second, np.full(len(v), 1e7), a)


def blamed(choose):
    return {"guilty": choose}


def listed(speeds, without):
    place = list(speeds).index(min(speeds))
    row = list(without[place])
    return [place, row.index(max(row))]


def of_gain(speeds, without):
    place = np.argsort(speeds)[0]
    return np.array([place, np.argmax(without[place] - speeds[place])])


RIGHT = {
    "a linear program": {"top_speed": by_program},
    "halving": {"top_speed": by_halving},
    "in lists": blamed(listed),
    "by the gain": blamed(of_gain),
}
WRONG = {
    "by the largest slope": blamed(lambda speeds, without: (int(np.argmin(speeds)), 0)),
}
SLIPS = {
    "the accelerations are left out": {"top_speed": speeds_alone},
    "the acceleration along the path is taken as zero": {"top_speed": steady},
    "a root is missing": {"top_speed": no_root},
    "the largest speeds of the joints are left out": {"top_speed": no_speeds},
    "this is the square of the speed": changed(lambda speed: speed**2),
    "this is the reciprocal of the right speed": changed(lambda speed: 1 / speed),
    "your answer is half the right one": changed(lambda speed: speed / 2),
    "your function returned None": {"top_speed": lambda *_: None},
    "without this joint's limits the place would hardly be faster": blamed(
        lambda speeds, without: (np.argmin(speeds), np.argmin(without[np.argmin(speeds)]))
    ),
    "places and joints are counted from 0": blamed(lambda *given: [index + 1 for index in listed(*given)]),
    "the place comes first": blamed(lambda *given: listed(*given)[::-1]),
    "this is the fastest place": blamed(
        lambda speeds, without: (np.argmax(speeds), np.argmax(without[np.argmax(speeds)]))
    ),
    "judged by its mean over the path": blamed(
        lambda speeds, without: (np.argmin(speeds), np.argmax(without.mean(axis=0)))
    ),
}
UNNAMED = {
    "a little fast": changed(lambda speed: 1.01 * speed),
    "a little slow": changed(lambda speed: 0.98 * speed),
}
RIGHT |= {
    "stated 1": {"own_scaling": lambda tau: (1 - sp.cos(sp.pi * tau)) / 2},
    "stated 2": {"own_scaling": lambda tau: tau**3 * (10 - 15 * tau + 6 * tau**2)},
}
SLIPS |= {
    "and stops at full speed": {"own_scaling": lambda tau: tau},
    "at the beginning alone": {"own_scaling": lambda tau: tau**2},
    "at the end alone": {"own_scaling": lambda tau: 2 * tau - tau**2},
    "it goes from 1 to 0": {"own_scaling": lambda tau: 1 - 3 * tau**2 + 2 * tau**3},
    "it does not arrive at 1": {"own_scaling": lambda tau: 3 * tau**2 + 2 * tau**3},
}
UNNAMED["another formula"] = {"own_scaling": lambda tau: sp.sin(tau)}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.UNFILLED
UNNAMED |= both_ways.UNNAMED
