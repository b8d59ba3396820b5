"""Whether a damping rule is a straight line in E, D = a + b E: it is run on a line, and SymPy is not needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Line:
    """a + b E with numbers a and b: what a rule is given for E, to see whether it is a straight line."""

    a: float
    b: float

    def __add__(self, other: Line | float) -> Line:
        """Add a number or a line."""
        return (
            Line(self.a + other.a, self.b + other.b) if isinstance(other, Line) else Line(self.a + float(other), self.b)
        )

    def __mul__(self, other: float) -> Line:
        """Multiply by a number; a line times a line is none."""
        factor = float(other)
        return Line(self.a * factor, self.b * factor)

    def __truediv__(self, other: float) -> Line:
        """Divide by a number."""
        divisor = float(other)
        return Line(self.a / divisor, self.b / divisor)

    def __neg__(self) -> Line:
        """Return −a − b E."""
        return Line(-self.a, -self.b)

    def __sub__(self, other: Line | float) -> Line:
        """Subtract a number or a line."""
        return self + (-other)

    def __rsub__(self, other: float) -> Line:
        """Subtract this from a number."""
        return -self + other

    __radd__, __rmul__ = __add__, __mul__


def on_a_line(rule: Callable[..., Any], asked: list[str], numbers: Mapping[str, float]) -> tuple[float, float] | None:
    """Return a and b where a rule is D = a + b E, or None where it is another function.

    Args:
        rule: D as a function of what it names.
        asked: The names of its arguments.
        numbers: The parameters by name.
    """
    if {"V", "W", "J"} & set(asked):
        return None
    try:
        found = rule(**{name: Line(0.0, 1.0) if name == "E" else numbers[name] for name in asked})
        line = found if isinstance(found, Line) else Line(float(found), 0.0)
    except Exception:  # noqa: BLE001 (it holds what a line has not)
        return None
    return (line.a, line.b) if np.isfinite([line.a, line.b]).all() else None
