"""What a search needs besides target, start and seed, checked."""

from __future__ import annotations

from dataclasses import dataclass

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.arm import Arm
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Trace
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain


@dataclass(frozen=True)
class Problem:
    """How to solve, for any target.

    Attributes:
        chain: The arm.
        arm: Its numbers.
        method: The method, with the weights and axes of a goal.
        stop: When to stop.
        starts: Where to begin, and how often.
        unit: The length unit of the search, m; see length_scaling.py.
        descends: Whether a failed search ends with a descent to the least error; see least_error.py.
    """

    chain: Chain
    arm: Arm
    method: StepMethod
    stop: Stop
    starts: Starts
    unit: float = 1.0
    descends: bool = False


SearchOutput = tuple[Array, Trace | None]
"""What a search found: a report, shape (5 + 2 n,), see layout.py for its places, and the iterates where asked for."""
