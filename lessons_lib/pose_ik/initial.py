"""Where to begin: strategies for the first guess, each with a bound on its samples."""

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

    The first start is the given (or home) configuration, the others are random. When none of them solves the pose the
    best iterate is returned; `Stop.restarts` is not used.

    Attributes:
        starts: Starts made, exactly.
    """

    starts: int = 10

    def __post_init__(self) -> None:
        """Refuse what is not a count."""
        check_count("MultiStart.starts", self.starts, 1)
