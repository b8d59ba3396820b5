"""The theorem of Newton and Kantorovich in numbers: a ball that holds one solution, and one that holds no other.

F is zero near q. P is about the inverse of its derivative there, η = |P F(q)| the first step, g = |I − P J| how well P
inverts, b = |P| K how fast the derivative turns, and h = b η / (1 − g)². Claims 20.5 and 20.6 prove what follows.

Source: Rump, Verification methods, Acta Numerica 19 (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

HALF = sp.Rational(1, 2)


def kantorovich(eta: Any, g: Any, b: Any) -> Any:
    """Return h; up to ½ a ball is shown."""
    return b * eta / (1 - g) ** 2


def radius(eta: Any, g: Any, h: Any) -> Any:
    """Return the radius of the ball around q that holds exactly one solution."""
    return 2 * eta / ((1 - g) * (1 + (1 - 2 * h) ** HALF))


def alone(g: Any, b: Any) -> Any:
    """Return the radius of the ball around q that holds no other."""
    return (1 - g) / b


def second_bound(reaches: Sequence[Any]) -> Any:
    """Return K of the tip's position: a bound on its second derivative at every configuration.

    Two joints i ≤ j add the square of the tip's largest distance from the later one, twice where they differ.

    Args:
        reaches: That distance of each joint, from the first, m.
    """
    return sp.sqrt(sum((2 * j + 1) * reach**2 for j, reach in enumerate(reaches)))
