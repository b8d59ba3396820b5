"""Where to begin: strategies for the first guess, each with a bound on its work."""

from __future__ import annotations

from dataclasses import dataclass

from lessons_lib.pose_ik.counts import check_count


@dataclass(frozen=True)
class MonteCarlo:
    """Begin at the best of some random configurations: lowest ½ VᵀWV of the body twist, orientation included.

    The given (or home) configuration is a candidate as well. Restarts are plain random configurations.

    Attributes:
        samples: Random configurations drawn, exactly.
    """

    samples: int = 100

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("MonteCarlo.samples", self.samples, 1)


@dataclass(frozen=True)
class MultiStart:
    """Make several starts and return the solution nearest to the first guess, |q - q0| smallest.

    The first start is the given (or home) configuration, the others are random. Whole revolutions bring each solution
    to where it is nearest to the first guess, within the limits. When no start solves the pose the best iterate is
    returned; `Stop.restarts` is not used.

    Attributes:
        starts: Starts made, exactly.
    """

    starts: int = 10

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("MultiStart.starts", self.starts, 1)


@dataclass(frozen=True)
class StayNear:
    """Stay near the first guess: go downhill from it, within the limits, and make no random start.

    Each step is taken only if it lowers the error ½ VᵀWV, and stops at the limits, so the arm slides to the solution of
    its own surroundings, or to where the error is smallest there: the status is then LOCAL_MINIMUM. Where the descent
    ends without a solution, it is begun once more a tenth of a radian aside, because a place where the slope is zero
    need be no minimum; the better end is reported, of two equally good ones that nearest to the first guess. Whole
    revolutions bring each joint to where it is nearest to the guess.

    The method is LevenbergMarquardt(TrustRegion(), derivative="exact"); another with a TrustRegion may be given, with
    weights for instance. `Stop.max_iterations` and `Stop.restarts` are not used.

    Attributes:
        steps: Steps tried of a descent, at most; there are two at most.
    """

    steps: int = 50

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("StayNear.steps", self.steps, 1)


Initial = MonteCarlo | MultiStart | StayNear
"""A strategy for the first guess."""
