"""Haviland and Corke's comparison of solvers on the UR5, and our run of the same experiment.

Theirs: 10,000 random reachable poses, all from one random start, at most 500 iterations. Their error is the difference
of the positions with the angle-axis vector of the rotation that is missing, and their loop ends when half its square is
below 1e-6, which is an error of about 1e-3. They count evaluations, one more than there are steps. The limits of
their arm bound what is drawn at random; the loop does not know them.

Source: Haviland & Corke, Manipulator Differential Kinematics, Part I (2023), as stored in the notebooks beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts, Stop, solve_batch
from lessons_lib.robots import Chain, from_dh
from lessons_lib.studies.method_registry import method

STOP = Stop(orientation=1e-3, position=1e-3, max_iterations=500)
"""The rule of ours that is nearest to theirs: |ω| and |v| of 1e-3 each make half the square of their error 1e-6."""

PUBLISHED_POSES = 10_000


@dataclass(frozen=True)
class Published:
    """One row of their table.

    Attributes:
        method: The name of the method of ours that is set beside it.
        damping: Its number; None where it has none.
        mean: Mean iterations over the solved poses.
        median: Median of the same.
        failures: How many of the 10,000 poses were not solved.
        variant: How they invert the matrix, where their table has a row for each: "inv" or "pinv".
    """

    method: str
    damping: float | None
    mean: float
    median: float
    failures: int
    variant: str | None = None


PUBLISHED = (
    Published("newton", None, 21.06, 16, 1102, "inv"),
    Published("gauss-newton", None, 21.91, 16, 1073, "pinv"),
    Published("wampler", 1e-4, 20.41, 14, 921),
    Published("wampler", 1e-6, 30.42, 17, 535),
    Published("chan", 1.0, 16.58, 14, 1011),
    Published("chan", 0.1, 9.43, 9, 961),
    Published("sugihara", 1e-3, 20.54, 15, 1024),
    Published("sugihara", 1e-4, 17.01, 14, 1011),
)


@dataclass(frozen=True)
class Repeated:
    """A published row with ours beside it.

    Attributes:
        published: Theirs.
        evaluations: Mean number of evaluations over our solved poses: the steps and one more, as they count.
        median: Median of the same.
        failed: The part of our poses that was not solved, 0 to 1.
    """

    published: Published
    evaluations: float
    median: float
    failed: float


def ur5() -> Chain:
    """Return Universal Robots' UR5, {s} at its base and {b} at its flange, without limits.

    Source: the manufacturer's DH table (standard convention).
    """
    quarter = np.pi / 2
    rows = [
        (0.0, quarter, 0.089159),
        (-0.425, 0.0, 0.0),
        (-0.39225, 0.0, 0.0),
        (0.0, quarter, 0.10915),
        (0.0, -quarter, 0.09465),
        (0.0, 0.0, 0.0823),
    ]
    return from_dh(rows, "standard", name="UR5")


def repeat(poses: int = PUBLISHED_POSES, seed: int = 11) -> list[Repeated]:
    """Return the rows of their table with our run of them: the same random poses for each method, all from one start.

    Args:
        poses: Number of random reachable poses.
        seed: Of the poses and of the start that all of them share, as they do in theirs.

    Raises:
        ParameterError: Fewer than one pose, or no whole number of them.
    """
    if not is_whole(poses) or poses < 1:
        raise ParameterError(f"poses is {poses!r}; at least one pose is needed to repeat the experiment")
    chain, rng = ur5(), np.random.default_rng(seed)
    targets = np.array([chain.forward_kinematics(chain.random_configuration(rng)) for _ in range(poses)])
    start = chain.random_configuration(rng)
    repeated = []
    for published in PUBLISHED:
        chosen = method(published.method, published.damping)
        batch = solve_batch(chain, targets, start, method=chosen, starts=Restarts(0), stop=STOP)
        evaluations = 1 + batch.iterations[batch.converged]
        failed = 1.0 - float(batch.converged.mean())
        repeated.append(Repeated(published, float(evaluations.mean()), float(np.median(evaluations)), failed))
    return repeated
