"""Haviland and Corke's comparison of solvers on the UR5, and our run of the same experiment."""
# They solve 10,000 random reachable poses from one random start with at most 500 iterations. Their error is the
# position difference and the angle-axis vector of the remaining rotation; they stop when half its square is below 1e-6,
# which is an error of about 1e-3. They count evaluations, one more than steps. Their arm's limits bound the random
# poses but not the iterations. Source: Haviland & Corke, Manipulator Differential Kinematics, Part I (2023), as stored
# in the notebooks beside it.

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts, Stop, solve_batch
from lessons_lib.robots import Chain, from_dh
from lessons_lib.studies.method_registry import method

STOP = Stop(orientation=1e-3, position=1e-3, max_iterations=500)
"""The stopping rule nearest to theirs: |ω| and |v| of 1e-3 each make half the square of their error 1e-6."""

PUBLISHED_POSES = 10_000


@dataclass(frozen=True)
class Published:
    """One row of their table; mean and median count iterations over the solved poses."""

    method: str  # name of our corresponding method
    damping: float | None
    mean: float
    median: float
    failures: int  # number of the 10,000 poses that were not solved
    variant: str | None = None  # matrix inverse, if their table has a row for each: "inv" or "pinv"


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
    """A published row with our result."""

    published: Published
    evaluations: float  # mean over our solved poses: steps plus one
    median: float  # over the same poses
    failed: float  # fraction of our poses that was not solved, 0 to 1


def ur5() -> Chain:
    """Return the UR5 by the manufacturer's DH table, {s} at its base and {b} at its flange, without limits."""
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
    """Repeat their experiment: the same random reachable poses for each method, all from one start."""
    if not is_whole(poses) or poses < 1:
        raise ParameterError(f"poses must be a positive integer, got {poses!r}")
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
