"""One pose to be solved: everything that the search needs, checked, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.arm import Arm
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.result import Status, Trace
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain


@dataclass(frozen=True)
class Problem:
    """How poses are to be solved, whatever the pose.

    Attributes:
        chain: The arm.
        arm: Its numbers.
        method: The method, with the weights and axes of a goal.
        stop: When to stop.
        starts: Where to begin, and how often.
        unit: The length that the search measures in, m; see own_length.py.
    """

    chain: Chain
    arm: Arm
    method: Stepping
    stop: Stop
    starts: Starts
    unit: float = 1.0


class Outcome(NamedTuple):
    """What a search found, in either loop; `start` is where the reported start began."""

    status: Status
    iterations: int
    restarts: int
    orientation_error: float
    position_error: float
    q: Array
    start: Array
    trace: Trace | None
