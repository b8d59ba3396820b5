"""Where to begin, and how often: strategies for the starts of a solve, each with a bound on its work."""

from __future__ import annotations

from dataclasses import dataclass

from lessons_lib.arrays import check_count


@dataclass(frozen=True)
class Restarts:
    """Begin at q0, then at random configurations, until one start solves the pose.

    Where limits leave a pose few solutions, dozens of starts may be needed; a thousand that fail take some hundredths
    of a second. Four starts are tried side by side, because most poses need one or two; a pose of the UR10 that a
    hundred do not solve would take two thirds of the time with eight. The first 32 starts may pass the limits, which
    whole revolutions may undo; from then on the steps stop at them. Lanes do not do that: a pose that these 32 did not
    solve goes on one start after the other, which takes it some twenty times as long as the others of a batch (of the
    Panda's poses one in two hundred).

    Attributes:
        count: Further starts after the first, at most; 0 for q0 alone.
    """

    count: int = 1000

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("Restarts.count", self.count, 0)


@dataclass(frozen=True)
class BestOf:
    """Begin at the best of some random configurations: lowest ½ VᵀWV of the body twist, orientation included.

    The given (or home) configuration is a candidate as well. Restarts are plain random configurations.

    Attributes:
        samples: Random configurations drawn, exactly.
        restarts: Further starts after the first, at most.
    """

    samples: int = 100
    restarts: int = 1000

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("BestOf.samples", self.samples, 1)
        check_count("BestOf.restarts", self.restarts, 0)


@dataclass(frozen=True)
class Nearest:
    """Make several starts and return the solution nearest to the first guess, |q - q0| smallest.

    The first start is the given (or home) configuration, the others are random. Whole revolutions bring each solution
    to where it is nearest to the first guess, within the limits. When no start solves the pose the best iterate is
    returned.

    Attributes:
        count: Starts made, exactly.
    """

    count: int = 10

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("Nearest.count", self.count, 1)


@dataclass(frozen=True)
class Near:
    """Stay near the first guess: go downhill from it, within the limits, and make no random start.

    Each step is taken only if it lowers the error ½ VᵀWV, and stops at the limits, so the arm slides to the solution of
    its own surroundings, or to where the error is smallest there: the status is then LOCAL_MINIMUM. Where the descent
    ends without a solution, it is begun once more a tenth of a radian aside, because a place where the slope is zero
    need be no minimum; the better end is reported, of two equally good ones that nearest to the first guess. Whole
    revolutions bring each joint to where it is nearest to the guess.

    The method is LevenbergMarquardt(TrustRegion(), derivative="exact"); another with a TrustRegion may be given.
    `Stop.max_iterations` is not used.

    Attributes:
        steps: Steps tried of a descent, at most; there are two at most.
    """

    steps: int = 50

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("Near.steps", self.steps, 1)


@dataclass(frozen=True)
class AllBranches:
    """Know every configuration of the pose, and take the nearest to the first guess, |q - q0| smallest: no search.

    For `solve` of a whole pose, on an arm whose axes allow it (see `all_solutions`); `Result.branch` says which branch
    it is. Where no configuration is within the limits, the status says so with proof: OUTSIDE_LIMITS, or UNREACHABLE
    where there is none at all. Where that is not proven it is the status of a search from the first guess, whose q is
    reported in either case.
    """


Starts = Restarts | BestOf | Nearest | Near
"""A strategy for the starts of a search."""

STARTS = (Restarts, BestOf, Nearest, Near)


def number_of_starts(starts: Starts) -> int:
    """Return how many starts may be made."""
    match starts:
        case Restarts(count):
            return 1 + count
        case BestOf(restarts=restarts):
            return 1 + restarts
        case Nearest(count):
            return count
    return 1
