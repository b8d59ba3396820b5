"""Slices of a joint's range, each halved until every answer on it is outside the limits, or until too many were made.

On a slice the closed form of the other six joints gives all answers at once, cosine and sine of each turn as numbers of
along.py. A joint at θ is outside of limits that are m, give or take h, where cos(θ − m) < cos h, for whole turns too:
one product more tells it, and no angle is formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.along import E, follow, highest, number, times, total
from lessons_lib.arrays import Array, Integers

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import ANGLES, sine_cosine_near

DEEP = 64
"""Slices that wait at most: more than a double has digits."""

NARROW = 1e-7
"""A slice so narrow, rad, that is not decided ends the search."""


def looked_through(
    low: float,
    high: float,
    sign: float,
    steps: Integers,
    X: Array,
    turns: Integers,
    roots: Integers,
    sides: Array,
    budget: int,
) -> tuple[int, bool]:
    """Return how many slices were looked at, and whether no answer on any of them is within the limits.

    Args:
        low: Least value of the joint that is held, rad.
        high: Largest one, rad.
        sign: Of its turn in what is given.
        steps: See `traced.Line`.
        X: Its numbers, with what is given; the first two rows are written.
        turns: See `traced.Line`.
        roots: See `traced.Line`.
        sides: Of each turn of the closed form cos m, sin m and cos h, shape (6, 3).
        budget: How many slices are looked at, at most.
    """
    begins, ends = np.empty(DEEP), np.empty(DEEP)
    begins[0], ends[0] = low, high
    left, used = 1, 0
    while left > 0:
        if used >= budget:
            return used, False
        begin, end = begins[left - 1], ends[left - 1]
        left, used = left - 1, used + 1
        hold(begin, end, sign, X)
        follow(steps, X)
        if not all_outside(X, turns, roots, sides):
            if left + 2 > DEEP or end - begin < NARROW:
                return used, False
            middle = 0.5 * (begin + end)
            begins[left], ends[left] = middle, end
            begins[left + 1], ends[left + 1] = begin, middle
            left += 2
    return used, True


def hold(begin: float, end: float, sign: float, X: Array) -> None:
    """Write cosine and sine of the joint: cos h ε is 1 − h²/4, give or take h²/4, and sin h ε is h ε, to h³/6."""
    middle = 0.5 * (begin + end)
    h = max(end - middle, middle - begin) * (1.0 + 4.0 * E)
    s, c = sine_cosine_near(sign * middle)
    part, third, rounded = 0.25 * h * h, h * h * h / 6.0, (ANGLES + 8.0 * E) * (1.0 + h) * (1.0 + h)
    X[0, 0], X[0, 1], X[0, 2] = c * (1.0 - part), -sign * s * h, abs(c) * part + abs(s) * third + rounded
    X[1, 0], X[1, 1], X[1, 2] = s * (1.0 - part), sign * c * h, abs(s) * part + abs(c) * third + rounded


def all_outside(X: Array, turns: Integers, roots: Integers, sides: Array) -> bool:
    """Return whether each answer is surely none, or has a joint surely outside its limits."""
    for i in range(turns.shape[0]):
        outside = False
        for k in range(roots.shape[1]):
            outside = outside or highest(number(X, roots[i, k])) < 0.0
        for j in range(6):
            along = times(number(X, turns[i, 2 * j]), (sides[j, 0], 0.0, E))
            across = times(number(X, turns[i, 2 * j + 1]), (sides[j, 1], 0.0, E))
            outside = outside or highest(total(along, across)) < sides[j, 2]
        if not outside:
            return False
    return True
