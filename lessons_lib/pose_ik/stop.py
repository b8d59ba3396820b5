"""The stopping rule: two tolerances in their own units, and a bound on the steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lessons_lib.arrays import Array, check_count, check_number
from lessons_lib.errors import ParameterError

FLOOR = 1e-15
"""The smallest tolerance, rad or relative to the arm's size: a few units of rounding."""


@dataclass(frozen=True)
class Stop:
    """The stopping rule: a pose is reached if |ω_b| ≤ orientation and |v_b| ≤ position.

    Both are parts of the body twist V_b = log(T_sb⁻¹ T_sd), for which |p - p_d| ≤ |v_b| ≤ (π/2) |p - p_d|. (The linear
    part of a space twist also grows with the distance of the tip from the origin.) Only components with a positive
    weight count; if a weight is zero, they may be those of the split error, ω and p_d − p along named axes.

    Attributes:
        orientation: Tolerance on |ω_b|, rad, at least 1e-15.
        position: Tolerance on |v_b|, m; `solve` refuses less than 1e-15 times the arm's size, which is rounding.
        max_iterations: Steps from one start, at most.

    Raises:
        ParameterError: A tolerance is not positive and finite, or below 1e-15 rad; max_iterations is not a whole number
            above zero.
    """

    orientation: float = 1e-6
    position: float = 1e-6
    max_iterations: int = 30

    def __post_init__(self) -> None:
        """Check the fields."""
        for name in ("orientation", "position"):
            object.__setattr__(self, name, _check_tolerance(name, getattr(self, name)))
        if self.orientation < FLOOR:
            raise ParameterError(
                f"Stop.orientation is {self.orientation!r}; a tolerance is at least {FLOOR} rad: rounding hides less"
            )
        check_count("Stop.max_iterations", self.max_iterations, 1)


def norms(twist: Array) -> tuple[float, float]:
    """Return |ω| and |v| of a twist (ω, v)."""
    return math.hypot(*twist[:3]), math.hypot(*twist[3:])


def _check_tolerance(name: str, given: object) -> float:
    value = check_number(f"Stop.{name}", given, "a positive number")
    if not 0.0 < value < math.inf:
        free = "; to leave errors out, give them weights of zero" if value == math.inf else ""
        raise ParameterError(f"Stop.{name} is {given!r}; a tolerance is positive and finite{free}")
    return value
