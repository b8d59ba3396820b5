"""Strategies for the starts of a solve; each bounds the number of starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lessons_lib.arrays import check_count
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments


@suggest_arguments
@dataclass(frozen=True)
class Restarts:
    """Start at q0, then at random configurations, until one start solves the pose.

    If the limits leave few solutions, a solve may need dozens of starts; a thousand failed starts take some hundredths
    of a second. The SIMD search runs four starts side by side. The steps of the first 32 starts may pass the limits,
    because whole revolutions may bring q back; the steps of later starts stop at the limits. Later starts run one after
    another, which takes about twenty times as long as the other poses of a batch (for one in two hundred poses of the
    Panda).

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Restarts(100)
    Restarts(count=100)

    Attributes:
        count: Largest number of starts after the first; 0 for q0 alone.

    Raises:
        ParameterError: count is not a whole number, zero or more.
    """

    count: int = 1000

    def __post_init__(self) -> None:
        """Check the fields."""
        check_count("Restarts.count", self.count, 0)


@suggest_arguments
@dataclass(frozen=True)
class BestOf:
    """Start at the best of q0 and several random configurations: the lowest ½ VᵀWV of the body twist.

    Restarts are random configurations.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.BestOf(samples=50)
    BestOf(samples=50, restarts=1000)

    Attributes:
        samples: Number of random configurations drawn.
        restarts: Largest number of starts after the first.

    Raises:
        ParameterError: samples is not a whole number above zero, or restarts is not one of zero or more.
    """

    samples: int = 100
    restarts: int = 1000

    def __post_init__(self) -> None:
        """Check the fields."""
        check_count("BestOf.samples", self.samples, 1)
        check_count("BestOf.restarts", self.restarts, 0)


@suggest_arguments
@dataclass(frozen=True)
class Nearest:
    """Make several starts and return the solution nearest to the initial guess.

    The first start is q0, the others are random. Whole revolutions bring each solution as near to q0 as the limits
    allow. If no start solves the pose, the best iterate is returned.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Nearest(5, norm="max")
    Nearest(count=5, norm='max')

    Attributes:
        count: Number of starts.
        norm: The distance: "euclidean" is |q - q0|, "max" the longest move of a joint, rad or m.

    Raises:
        ParameterError: count is not a whole number above zero, or there is no such norm.
    """

    count: int = 10
    norm: Literal["euclidean", "max"] = "euclidean"

    def __post_init__(self) -> None:
        """Check the fields."""
        check_count("Nearest.count", self.count, 1)
        if not isinstance(self.norm, str) or self.norm not in ("euclidean", "max"):
            raise ParameterError(f"Nearest.norm must be 'euclidean' or 'max', got {self.norm!r}")


@suggest_arguments
@dataclass(frozen=True)
class Near:
    """Stay near the initial guess: descend from it within the limits, without random starts.

    A step is accepted only if it lowers ½ VᵀWV, and it stops at the limits. The descent stops at a nearby solution, or
    at a nearby local minimum of the error, with the status LOCAL_MINIMUM. If it does not reach the pose, a second
    descent starts 0.1 rad away, because a stationary point need not be a minimum. The result is the better of both; of
    two equal ones, the one nearer to q0. Whole revolutions bring each joint as near to q0 as the limits allow.

    The method is LevenbergMarquardt(TrustRegion(), derivative="exact"), or another one with a TrustRegion.
    `Stop.max_iterations` is not used.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), [0.2] * 6, starts=pose_ik.Near()).status.name
    'CONVERGED'

    Attributes:
        steps: Largest number of steps of a descent; there are at most two descents.

    Raises:
        ParameterError: steps is not a whole number above zero.
    """

    steps: int = 50

    def __post_init__(self) -> None:
        """Check the fields."""
        check_count("Near.steps", self.steps, 1)


@suggest_arguments
@dataclass(frozen=True)
class AllBranches:
    """Compute all solutions of the pose, without a search, and return the nearest to the initial guess.

    For `solve` of a whole pose, on an arm that `all_solutions` supports; `Result.branch` names the branch. If no
    solution is within the limits, the status is proven: OUTSIDE_LIMITS, or UNREACHABLE if there is no solution at all.
    If neither can be proven, it is the status of a search from q0. In both cases q is the result of that search.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), q, starts=pose_ik.AllBranches()).branch
    ('shoulder left', 'elbow up', 'wrist not flipped')
    """


Starts = Restarts | BestOf | Nearest | Near
"""A strategy for the starts of a search."""


def number_of_starts(starts: Starts) -> int:
    match starts:
        case Restarts(count):
            return 1 + count
        case BestOf(restarts=restarts):
            return 1 + restarts
        case Nearest(count):
            return count
    return 1
