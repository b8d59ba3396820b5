"""The problem that a search solves for any target: arm, method, stopping rule and starts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lessons_lib.arrays import Array, check_count, check_number
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik.arm import Arm
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Trace
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain

FLOOR = 1e-15
"""The smallest tolerance, rad or relative to the arm's size: a few units of rounding."""


@suggest_arguments
@dataclass(frozen=True)
class Stop:
    """The stopping rule: a pose is reached if |ω_b| ≤ orientation and |v_b| ≤ position.

    Both are parts of the body twist V_b = log(T_sb⁻¹ T_sd), for which |p - p_d| ≤ |v_b| ≤ (π/2) |p - p_d|. (The linear
    part of a space twist also grows with the distance of the tip from the origin.) Only components with a positive
    weight count; if a weight is zero, they may be those of the split error, ω and p_d − p along named axes.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Stop(orientation=1e-4, position=1e-5)
    Stop(orientation=0.0001, position=1e-05, max_iterations=30)

    Attributes:
        orientation: Tolerance on |ω_b|, rad, at least 1e-15.
        position: Tolerance on |v_b|, m; `solve` requires at least 1e-15 times the arm's size, because of rounding.
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
                f"Stop.orientation must be at least {FLOOR} rad, got {self.orientation!r}: rounding hides smaller "
                "errors"
            )
        check_count("Stop.max_iterations", self.max_iterations, 1)


def _check_tolerance(name: str, bound: object) -> float:
    value = check_number(f"Stop.{name}", bound, "a positive number")
    if not 0.0 < value < math.inf:
        advice = "; to ignore an error, give it a weight of zero" if value == math.inf else ""
        raise ParameterError(f"Stop.{name} must be positive and finite, got {bound!r}{advice}")
    return value


@dataclass(frozen=True)
class Problem:
    """Arm, method, stopping rule and starts.

    Attributes:
        chain: The arm.
        arm: Its search data.
        method: The method, with the weights and axes of a goal.
        stop: The stopping rule.
        starts: The strategy for the starts.
        unit: The length unit of the search, m; see length_scaling.py.
        descends: Whether a descent to the least error follows a failed search; see least_error.py.
    """

    chain: Chain
    arm: Arm
    method: StepMethod
    stop: Stop
    starts: Starts
    unit: float = 1.0
    descends: bool = False


SearchOutput = tuple[Array, Trace | None]
"""A report, shape (5 + 2 n,), see layout.py, and the iterates if a trace is requested."""
