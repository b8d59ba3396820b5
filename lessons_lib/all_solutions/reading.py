"""One way to read any six hinges: fourteen equations, and a determinant that is zero at an answer's angle.

Here is what belongs to the arm; what is done for each target stands in determinant.py.

Three joints carry the axis of the next one to where the other two, undone, carry it from the target. Fourteen equations
say so, of products of sines and cosines; six combinations of them are free of these two. In two half angles they have
a common root where a determinant of the third angle is zero: of degree 16 in e^iθ where that is the angle of the first
of the three, of degree 24 for the others.

Source: Raghavan and Roth, Inverse kinematics of the general 6R manipulator, J. Mech. Des. 115 (1993), 502-508.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from lessons_lib.all_solutions.determinant import (
    EQUATIONS,
    LEFT,
    direction,
    foot,
    line_equations,
    third,
    write_products,
)
from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.robots.triples import minus, plus, turned

DENSE = 16
"""Places at which a function is looked at, for each of its waves."""

ASIDE = 0.1
"""Where the circle is begun, rad: determinants may be zero where an angle is."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read an arm.

    Attributes:
        screws: Axes in the order of reading, shape (6, 6).
        first: Of the three joints that stand together, 0 for the first joint: 2, so that joints 1 and 2 are undone and
            axis 6 is carried; or 1, so that joints 6 and 1 are, and axis 5 is.
        kept: Which of the three angles is kept, 0, 1 or 2.
    """

    screws: Array
    first: int
    kept: int

    @cached_property
    def axes(self) -> Array:
        """A direction and a point of each joint, (6, 6)."""
        directions = self.screws[:3].T
        return np.ascontiguousarray(np.hstack([directions, np.cross(directions, self.screws[3:].T)]))

    @cached_property
    def left(self) -> Array:
        """Factors of the fourteen expressions, of the kept angle's products and the others' half angles, (14, 27)."""
        axes, found = self.axes, np.empty((EQUATIONS, LEFT))
        for at, places in enumerate(product(range(3), repeat=3)):
            point, line = foot(axes, self.first + 3), direction(axes, self.first + 3)
            for n in (2, 1, 0):
                k, o = direction(axes, self.first + n), foot(axes, self.first + n)
                point = plus(o, turned(k, *third(places[n]), minus(point, o)))
                line = turned(k, *third(places[n]), line)
            line_equations(minus(point, foot(axes, self.first - 1)), line, found, at)
        for apart, at in product((1, 3, 9), range(9)):
            write_products(found, at % apart + 3 * apart * (at // apart), apart)
        cube = np.moveaxis(found.reshape(EQUATIONS, 3, 3, 3), 1 + self.kept, 1)
        return halves(halves(cube, 2), 3).reshape(EQUATIONS, LEFT)


def halves(factors: Array, axis: int) -> Array:
    """Return factors of 1, x, x² with x = tan of half an angle, times 1 + x², of those of sin, cos and 1."""
    s, c, one = np.moveaxis(factors, axis, 0)
    return np.stack([one + c, 2.0 * s, one - c], axis)


def waves(degree: int, count: int) -> Array:
    """Return a row of 1, cos α, sin α, cos 2α, … for each of so many angles α around the circle, off by 16 U."""
    wrapped = (np.outer(np.arange(count), np.arange(1, degree + 1)) + count // 2) % count - count // 2
    turns = np.exp(2j * np.pi * wrapped / count)
    pairs = np.stack([turns.real, turns.imag], axis=2).reshape(count, -1)
    return np.hstack([np.ones((count, 1)), pairs])


@cache
def around(degree: int) -> Array:
    """Return what a function of an angle, a sum of so many waves, is known by and looked at.

    A row of `waves` for each of 2 · degree + 1 angles around the circle, and behind them one for each of many.
    """
    return np.vstack([waves(degree, count) for count in (2 * degree + 1, DENSE * degree)])


@cache
def places(degree: int) -> Array:
    """Return `waves` of 2 · degree + 1 angles, and sine and cosine of α + ASIDE, off by 16 U at most, too."""
    count = 2 * degree + 1
    angles = ASIDE + 2 * np.pi * ((np.arange(count) + degree) % count - degree) / count
    return np.hstack([waves(degree, count), np.sin(angles)[:, None], np.cos(angles)[:, None]])
