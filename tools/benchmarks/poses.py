"""Common targets and starts, and an independent judge of the solutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks import machine

TOLERANCE = 1e-6
"""Tolerance of every solver, rad and m."""

ACCEPTED = 3e-6
"""Tolerance of the judge, rad and m, for solvers that test each component, or both errors together."""

SEED = 19


@dataclass(frozen=True)
class Verdict:
    """Judgement of the solutions of k poses.

    Attributes:
        reached: Whether the tip is at the target, shape (k,).
        inside: Whether the configuration is within the limits, shape (k,).
        claimed: Whether the solver reported convergence, shape (k,).
    """

    reached: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    claimed: NDArray[np.bool_]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """At the target and within the limits, shape (k,)."""
        return self.reached & self.inside

    def false_claims(self, judged: str = "solved") -> int:
        """Return how often the solver says that it has converged where the pose is not `solved`, or not `reached`."""
        return int((self.claimed & ~getattr(self, judged)).sum())

    def shares(self) -> dict[str, float | int]:
        """Return percentages of the poses, the number that failed, and the number of claims that are not true."""
        return {
            "solved": _percentage(self.solved),
            "failed": int((~self.solved).sum()),
            "reached": _percentage(self.reached),
            "false_claims": self.false_claims(),
        }


def _percentage(good: NDArray[np.bool_]) -> float:
    """Return the share in per cent, rounded down to a tenth, so that a single failure never reads as 100."""
    return int(1000 * int(good.sum()) // len(good)) / 10.0


def problems(chain: Chain, count: int, seed: int = SEED) -> tuple[Array, Array]:
    """Return random reachable targets, shape (k, 4, 4), and random starts within the limits, shape (k, n).

    The targets are made by the judge's forward kinematics, not by ours.
    """
    rng = np.random.default_rng(seed)
    place = forward_kinematics(chain)
    targets = np.array([place(chain.random_configuration(rng)) for _ in range(count)])
    return targets, np.array([chain.random_configuration(rng) for _ in range(count)])


def judge(
    chain: Chain, targets: Array, answers: Sequence[tuple[Array, bool]], *, wraps: bool = False, slack: float = 0.0
) -> Verdict:
    """Return the verdict on the answers.

    Args:
        chain: The arm.
        targets: The poses, shape (k, 4, 4).
        answers: For each of them q, and whether the solver says that it converged.
        wraps: Whether whole revolutions that would lead back into the limits are taken off first, for solvers that know
            no limits.
        slack: How far outside its limits a joint may be, rad or m, for solvers that round them.
    """
    place = forward_kinematics(chain)
    q = np.array([answer for answer, _ in answers], dtype=np.float64)
    q = wrap_into_limits(chain, q) if wraps else q
    lower, upper = chain.limits.T
    distances, angles = np.array([errors(place(row), T) for row, T in zip(q, targets, strict=True)]).T
    reached = (distances <= ACCEPTED) & (angles <= ACCEPTED)
    inside = ((lower - slack <= q) & (q <= upper + slack)).all(axis=1)
    return Verdict(reached, inside, np.array([bool(success) for _, success in answers]))


def wrap_into_limits(chain: Chain, q: Array) -> Array:
    """Return configurations whose revolute joints are wrapped into their limits if whole revolutions suffice."""
    lower, upper = chain.limits.T
    revolutions = np.ceil((q - upper) / (2.0 * np.pi)) * (np.array(chain.joint_types) == "revolute")
    back = q - 2.0 * np.pi * revolutions  # the highest of the angles that are not above the upper limit
    return np.where((q < lower) | (q > upper), np.where(back >= lower, back, q), q)


def errors(T: Array, T_d: Array) -> tuple[float, float]:
    """Return the distance in m and the angle in rad between two poses; NaN where one of them is not finite."""
    R = T[:3, :3].T @ T_d[:3, :3]
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = np.arctan2(np.linalg.norm(axis), np.trace(R) - 1.0)
    return float(np.linalg.norm(T[:3, 3] - T_d[:3, 3])), float(angle)


def forward_kinematics(chain: Chain) -> Callable[[Array], Array]:
    """Return the judge's forward kinematics: Pinocchio's, or SciPy's exponentials where Pinocchio is missing."""
    if machine.missing("Pinocchio"):
        return by_exponentials(chain)
    from tools.benchmarks.models import PinocchioArm

    return PinocchioArm(chain).forward_kinematics


def by_exponentials(chain: Chain) -> Callable[[Array], Array]:
    """Return e^[S_1]q_1 … e^[S_n]q_n M, every exponential by SciPy."""
    from scipy.linalg import expm

    hats = np.zeros((chain.dof, 4, 4))
    for hat, (x, y, z, *v) in zip(hats, chain.screws.T, strict=True):
        hat[:3, :3] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
        hat[:3, 3] = v

    def place(q: Array) -> Array:
        if not np.isfinite(q).all():
            return np.full((4, 4), np.nan)
        T: Array = np.linalg.multi_dot([*expm(hats * q[:, None, None]), chain.home])
        return T

    return place
