"""The arms that poses are asked of, and a judge for the answers: Pinocchio's kinematics of the same screws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import files
from pathlib import Path

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.pose_ik import BatchResult, Status, Stop
from lessons_lib.robots import Chain
from tools.benchmarks.models import PinocchioArm

ROUNDING = 1e-9
"""What rounding in two models may add to an error, m and rad, relative above 1 m."""


def tiago() -> Chain:
    """Return the lift and the arm of PAL's Tiago, a slide and seven turns with narrow limits."""
    path = next(f for f in files("example-robot-data") or () if f.name == "tiago_no_hand.urdf")
    return robots.from_urdf(Path(str(path.locate())), base="base_link", tip="arm_tool_link")


def narrow(joints: int) -> Chain:
    """Return an arm of many joints along the axes of {s}, of which the fifth slides; no joint goes far."""
    axes, rng = np.eye(3)[np.arange(joints) * 2 % 3], np.random.default_rng(joints)
    screws = np.hstack([axes, np.cross(rng.integers(-4, 5, (joints, 3)) / 8, axes)]).T
    screws[:, 4] = [0, 0, 0, 0, 1, 0]
    limits = np.tile([-0.9, 1.1], (joints, 1))
    return robots.from_screws(screws, np.eye(4), limits=limits, name=f"{joints} joints")


def free_nine() -> Chain:
    """Return an arm of nine joints without limits."""
    axes, rng = np.eye(3)[[2, 1, 0, 2, 1, 2, 0, 1, 2]], np.random.default_rng(2)
    screws = np.hstack([axes, np.cross(rng.integers(-4, 5, (9, 3)) / 8, axes)]).T
    return robots.from_screws(screws, np.eye(4), name="nine free joints")


def on_a_rail() -> Chain:
    """Return a UR10 that slides along y."""
    ur10 = robots.ur10()
    screws = np.column_stack([[0, 0, 0, 0, 1, 0], ur10.screws])
    return robots.from_screws(screws, ur10.home, limits=np.vstack([[0.0, 1.5], ur10.limits]), name="UR10 on a rail")


ARMS: dict[str, Callable[[], Chain]] = {
    "ur10": robots.ur10,
    "panda": robots.panda,
    "planar 2R": robots.planar_2r,
    "tiago": tiago,
    "nine joints": lambda: narrow(9),
    "fifteen joints": lambda: narrow(15),
    "nine free joints": free_nine,
    "on a rail": on_a_rail,
}


@cache
def arm(name: str) -> Chain:
    """Return one of the arms, derived once."""
    return ARMS[name]()


@cache
def judge_of(chain: Chain) -> Judge:
    """Return the judge of an arm."""
    return Judge(chain)


class Judge:
    """Looks at answers with other people's kinematics."""

    def __init__(self, chain: Chain) -> None:
        """Build the model."""
        self.chain, self.model = chain, PinocchioArm(chain)

    def errors(self, targets: Array, q: Array) -> tuple[Array, Array]:
        """Return the angle between each tip and its target, rad, and their distance, m."""
        tips = np.array([self.model.forward_kinematics(row) for row in q])
        apart = np.linalg.norm((tips - targets)[:, :3, :3], axis=(1, 2))  # 2√2 sin(θ/2)
        return 2 * np.arcsin(np.minimum(apart / np.sqrt(8), 1)), np.linalg.norm((tips - targets)[:, :3, 3], axis=1)

    def faults(self, targets: Array, found: BatchResult) -> Iterator[str]:
        """Yield what is wrong with the answers of a batch, a sentence each."""
        lower, upper = self.chain.limits.T
        numbers = np.column_stack([found.q, found.orientation_error, found.position_error])
        for row in np.flatnonzero(~np.isfinite(numbers).all(axis=1))[:3]:
            yield f"row {row} holds what is not finite: {numbers[row].tolist()}"
        for row in np.flatnonzero(((found.q < lower) | (found.q > upper)).any(axis=1))[:3]:
            yield f"row {row} lies outside the limits: {found.q[row].tolist()}"
        if not np.array_equal(found.converged, found.status == Status.CONVERGED):
            yield "converged and status do not agree"
        said = np.flatnonzero(found.converged)
        angle, distance = self.errors(targets[said], found.q[said]) if len(said) else (np.zeros(0), np.zeros(0))
        stop, slack = Stop(), ROUNDING * np.maximum(1.0, np.linalg.norm(targets[said, :3, 3], axis=1))
        false = (angle > stop.orientation + slack) | (distance > stop.position + slack)
        for row in np.flatnonzero(false)[:3]:
            yield f"row {said[row]} is no solution: {angle[row]:.3g} rad and {distance[row]:.3g} m away"
