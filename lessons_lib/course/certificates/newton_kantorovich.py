"""The Newton-Kantorovich theorem in numbers: radii of balls that contain exactly one solution, and no other."""
# F(q) is nearly zero and P an approximate inverse of its derivative J: η = |P F(q)| is the first step, g = |I − P J|
# the inversion error, b = |P| K bounds the change of the derivative, and h = b η / (1 − g)². Claims 20.5 and 20.6 prove
# the consequences. Source: Rump, Verification methods, Acta Numerica 19 (2010).

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

HALF = sp.Rational(1, 2)


def kantorovich_number(eta: Any, g: Any, b: Any) -> Any:
    """Return h; a solution is proven for h ≤ ½."""
    return b * eta / (1 - g) ** 2


def existence_radius(eta: Any, g: Any, h: Any) -> Any:
    """Return the radius of a ball around q that contains exactly one solution."""
    return 2 * eta / ((1 - g) * (1 + (1 - 2 * h) ** HALF))


def uniqueness_radius(g: Any, b: Any) -> Any:
    """Return the radius of a ball around q that contains no other solution."""
    return (1 - g) / b


def second_derivative_bound(reaches: Sequence[Any]) -> Any:
    """Return K of the tip's position, a bound on its second derivative; reaches: farthest tip from each joint, m."""
    # joints i ≤ j contribute the squared largest distance of the tip from joint j, twice if i ≠ j
    return sp.sqrt(sum((2 * j + 1) * reach**2 for j, reach in enumerate(reaches)))
