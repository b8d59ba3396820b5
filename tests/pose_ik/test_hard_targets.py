"""Difficult targets: results are within the limits and correct by Pinocchio; feasible targets are solved."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import lie, pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.pose_ik import BatchResult, Restarts, Status, Stop
from lessons_lib.robots import Chain
from tools.benchmarks.models import PinocchioArm

ROUNDING = 1e-9
"""Bound on the rounding difference of two models, m and rad, relative above 1 m."""

COUNT = 500
"""Number of targets of an example."""


def nine_joints() -> Chain:
    """Return an arm along the axes of {s}, without limits."""
    axes, rng = np.eye(3)[[2, 1, 0, 2, 1, 2, 0, 1, 2]], np.random.default_rng(2)
    screws = np.hstack([axes, np.cross(rng.integers(-4, 5, (9, 3)) / 8, axes)]).T
    return robots.from_screws(screws, np.eye(4), name="nine joints")


def on_a_rail() -> Chain:
    """Return a UR10 on a prismatic joint along y."""
    ur10 = robots.ur10()
    screws = np.column_stack([[0, 0, 0, 0, 1, 0], ur10.screws])
    return robots.from_screws(screws, ur10.home, limits=np.vstack([[0.0, 1.5], ur10.limits]), name="UR10 on a rail")


ARMS: dict[str, Callable[[], Chain]] = {
    "ur10": robots.ur10,
    "panda": robots.panda,
    "planar 2R": robots.planar_2r,
    "nine joints": nine_joints,
    "on a rail": on_a_rail,
}


@cache
def arm(name: str) -> tuple[Chain, PinocchioArm]:
    """Return one of the arms, derived once, and Pinocchio's model of its screws."""
    chain = ARMS[name]()
    return chain, PinocchioArm(chain)


def check_results(chain: Chain, model: PinocchioArm, targets: Array, found: BatchResult) -> None:
    """Fail if a row is not finite, outside the limits, or converged without being a solution by Pinocchio."""
    assert np.isfinite(np.column_stack([found.q, found.orientation_error, found.position_error])).all()
    assert ((found.q >= chain.limits[:, 0]) & (found.q <= chain.limits[:, 1])).all()
    np.testing.assert_array_equal(found.converged, found.status == Status.CONVERGED)
    for q, target in zip(found.q[found.converged], targets[found.converged], strict=True):
        difference = model.forward_kinematics(q) - target
        angle = 2 * np.arcsin(min(np.linalg.norm(difference[:3, :3]) / np.sqrt(8), 1.0))  # the norm is 2√2 sin(θ/2)
        tolerance = ROUNDING * max(1.0, np.linalg.norm(target[:3, 3]))
        assert (
            angle <= Stop().orientation + tolerance and np.linalg.norm(difference[:3, 3]) <= Stop().position + tolerance
        )


def configurations(chain: Chain, rng: np.random.Generator) -> Array:
    return np.array([chain.random_configuration(rng) for _ in range(COUNT)])


def poses(chain: Chain, configurations: Array) -> Array:
    return np.array([chain.forward_kinematics(q) for q in configurations])


def round_angles(chain: Chain, rng: np.random.Generator) -> Array:
    """Return configurations with about half of the revolute joints at multiples of π/2."""
    q = configurations(chain, rng)
    revolute = np.array([kind == "revolute" for kind in chain.joint_types])
    quarters = np.round(q / (np.pi / 2)) * (np.pi / 2)
    return np.clip(np.where(revolute & (rng.random(q.shape) < 0.5), quarters, q), *chain.limits.T)


def at_limits(chain: Chain, rng: np.random.Generator, share: float = 0.5) -> Array:
    """Return configurations with about this share of the joints at one of their limits."""
    q = configurations(chain, rng)
    ends = chain.sampling_limits[np.arange(chain.dof), rng.integers(2, size=q.shape)]
    return np.where(rng.random(q.shape) < share, ends, q)


def nearly_singular(chain: Chain, rng: np.random.Generator) -> Array:
    offset = 10.0 ** rng.uniform(-12, -3, (COUNT, 1)) * rng.choice([-1, 1], (COUNT, chain.dof))
    return np.clip(round_angles(chain, rng) + offset, *chain.limits.T)


def at_the_edge(chain: Chain, rng: np.random.Generator) -> Array:
    """Return poses with every other joint at zero, half of them scaled away from the base by 1e-9."""
    q = round_angles(chain, rng)
    q[:, 1::2] = np.clip(0.0, *chain.limits[1::2].T)
    T = poses(chain, q)
    T[:, :3, 3] *= 1.0 + 1e-9 * rng.integers(0, 2, (COUNT, 1))
    return T


def half_a_revolution_away(chain: Chain, rng: np.random.Generator) -> Array:
    axes = rng.normal(size=(COUNT, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    return poses(chain, configurations(chain, rng)) @ np.array([lie.exp_se3([*(np.pi * a), 0, 0, 0]) for a in axes])


def far_away(chain: Chain, rng: np.random.Generator) -> Array:
    T = poses(chain, configurations(chain, rng))
    T[:, :3, 3] *= 10.0 ** rng.uniform(1, 12, (COUNT, 1))
    return T


FEASIBLE = {
    "anywhere": lambda chain, rng: poses(chain, configurations(chain, rng)),
    "at limits": lambda chain, rng: poses(chain, at_limits(chain, rng)),
    "singular": lambda chain, rng: poses(chain, round_angles(chain, rng)),
    "nearly singular": lambda chain, rng: poses(chain, nearly_singular(chain, rng)),
    "at the edge": at_the_edge,
}
KINDS = FEASIBLE | {"half a revolution away": half_a_revolution_away, "far away": far_away}


@pytest.mark.release
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ARMS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_results_for_difficult_targets_are_correct(name: str, kind: str, seed: int) -> None:
    (chain, model), rng = arm(name), np.random.default_rng(seed)
    targets, q0 = KINDS[kind](chain, rng), configurations(chain, rng)
    starts = Restarts() if kind in FEASIBLE else Restarts(2)  # a thousand starts of an infeasible target take hours
    found = pose_ik.solve_batch(chain, targets, q0, starts=starts, progress=False)
    check_results(chain, model, targets, found)
    assert kind not in FEASIBLE or found.converged.mean() >= 0.996
