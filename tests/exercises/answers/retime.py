"""Find the place and the joint that slow a path."""

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


def changed(change):
    return {"top_speed": lambda *given: change(by_halving(*given))}


def blamed(choose):
    return {"limiting": choose}


def listed(speeds, without):
    place = list(speeds).index(min(speeds))
    row = list(without[place])
    return [place, row.index(max(row))]


RIGHT = {
    "a linear program": {"top_speed": by_program},
    "in lists": blamed(listed),
}
WRONG = {
    "by the largest slope": blamed(lambda speeds, without: (int(np.argmin(speeds)), 0)),
}
SLIPS = {
    "your speed ignores the acceleration limits": {"top_speed": speeds_alone},
    "without this joint's limits the place would gain least": blamed(
        lambda speeds, without: (np.argmin(speeds), np.argmin(without[np.argmin(speeds)]))
    ),
}
UNNAMED = {
    "a little fast": changed(lambda speed: 1.01 * speed),
}
