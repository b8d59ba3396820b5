"""A weight of zero leaves a component out: of the way to the point, or of the turn, along axes that have a name.

The oracles are Pinocchio's kinematics and logarithm of a rotation, and SciPy's optimiser.
"""

from typing import Any

import numpy as np
import pinocchio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    GaussNewton,
    LevenbergMarquardt,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    evaluate,
    pose,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.weights import splits
from lessons_lib.robots import Chain
from tools.benchmarks.models import PinocchioArm

FRAMES = ("body", "space", "target")
POSITION_ONLY = (0, 0, 0, 1, 1, 1)
MASKS = (
    POSITION_ONLY,
    (0, 0, 0, 1, 1, 0),
    (1, 1, 0, 1, 1, 1),
    (1, 1, 0, 0, 2, 3),
    (1, 1, 1, 1, 0, 1),
    (0, 0, 1, 1, 1, 1),
)


def error_by_pinocchio(arm: PinocchioArm, q: Array, target: Array, frame: str) -> Array:
    """Return (ω, r) along the axes of {b}, {s} or {d}, written without T_bd."""
    T = arm.forward_kinematics(q)
    axes = {"body": T[:3, :3], "space": np.eye(3), "target": target[:3, :3]}[frame]
    turn = T[:3, :3] @ pinocchio.log3(T[:3, :3].T @ target[:3, :3])  # in {s}
    return np.concatenate([axes.T @ turn, axes.T @ (target[:3, 3] - T[:3, 3])])


@pytest.mark.parametrize("frame", FRAMES)
def test_the_split_error_and_its_derivative(chain: Chain, frame: str) -> None:
    rng, arm = np.random.default_rng(61), PinocchioArm(chain)
    for _ in range(10):
        q, target = chain.random_configuration(rng), chain.forward_kinematics(chain.random_configuration(rng))
        here = evaluate(chain, target, q, frame, split=True)
        expected = error_by_pinocchio(arm, q, target, frame)
        if np.linalg.norm(expected[:3]) > 2.9:  # differences must not straddle the cut of the logarithm at π
            continue
        np.testing.assert_allclose(here.error, expected, atol=1e-12)
        h = 1e-5  # error h² = 1e-10 of truncation, and eps/h = 2e-11 of rounding
        ends = [[error_by_pinocchio(arm, q + s * h * d, target, frame) for s in (-1, 1)] for d in np.eye(chain.dof)]
        columns = np.column_stack([(behind - ahead) / (2 * h) for behind, ahead in ends])
        np.testing.assert_allclose(here.jacobian, columns, atol=1e-7 * max(1.0, np.abs(columns).max()))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("weights", MASKS, ids=str)
def test_what_converged_meets_the_mask_by_pinocchio(ur10: Chain, weights: tuple[int, ...], frame: str) -> None:
    rng, arm, counted = np.random.default_rng(62), PinocchioArm(ur10), np.array(weights) > 0
    goal = pose(weights, axes=frame)
    for method in (GaussNewton(), LevenbergMarquardt()):
        targets = np.array([ur10.forward_kinematics(ur10.random_configuration(rng)) for _ in range(40)])
        answers = solve_batch(ur10, targets, ur10.random_configuration(rng), goal=goal, method=method)
        assert answers.converged.all()
        for q, target, angle, far in zip(
            answers.q, targets, answers.orientation_error, answers.position_error, strict=True
        ):
            error = error_by_pinocchio(arm, q, target, frame)
            assert np.linalg.norm((counted * error)[:3]) <= 1e-6 * (1 + 1e-6)
            assert np.linalg.norm((counted * error)[3:]) <= 1e-6 * (1 + 1e-6)
            assert angle == pytest.approx(np.linalg.norm(error[:3]), abs=1e-9)  # reported, whatever the weights
            way = np.linalg.norm(error[3:])
            if splits(goal.of(method)):
                assert far == pytest.approx(way, abs=1e-12)
            else:  # |v_b|
                assert way - 1e-12 <= far <= np.pi / 2 * way + 1e-12


@pytest.mark.parametrize("frame", FRAMES)
def test_a_start_that_solves_the_mask_is_left_alone_whatever_the_rest(ur10: Chain, frame: str) -> None:
    """Half a turn off, where the logarithm is cut, included."""
    q0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    for angle in (0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi):
        target = ur10.forward_kinematics(q0)
        target[:3, :3] = target[:3, :3] @ pinocchio.exp3(np.array([0.0, 0.0, angle]))
        for solver in (solve_in_python, solve):
            method = LevenbergMarquardt()
            result = solver(ur10, target, q0, goal=pose(POSITION_ONLY, axes=frame), method=method)
            assert result.converged and result.iterations == 0 and (result.q == q0).all()
            assert result.orientation_error == pytest.approx(angle, abs=1e-8)
            spin = solver(ur10, target, q0, goal=pose((1, 1, 0, 1, 1, 1)), method=method)
            assert spin.converged and spin.iterations == 0


DAMPED = [None, Chan(), Constant(0.01), Wampler(1e-4), Sugihara(1e-4), TrustRegion()]
"""Damping rules of Levenberg-Marquardt; None is Gauss-Newton."""


@pytest.mark.release
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("damping", DAMPED, ids=str)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_masks_are_met_wherever_scipy_meets_them(chain: Chain, frame: str, damping: Any, seed: int) -> None:
    """Only Chan and the trust region damp where needed and vanish at the solution: they must give up nowhere."""
    rng, arm = np.random.default_rng(seed), PinocchioArm(chain)
    weights = random_weights(rng)
    goal = pose(weights, axes=None if weights.all() or frame == "body" else frame)
    axes = "body" if weights.all() else frame
    targets = np.array([random_target(chain, arm, weights, rng) for _ in range(10)])
    q0 = np.array([chain.random_configuration(rng) for _ in targets])
    method = LevenbergMarquardt(damping) if damping else GaussNewton()
    asked: Any = {"starts": Restarts(100), "stop": Stop(max_iterations=300), "threads": 1}  # a constant damping is slow
    found = solve_batch(chain, targets, q0, rng=rng, goal=goal, method=method, **asked)
    for q, start, target, converged in zip(found.q, q0, targets, found.converged, strict=True):
        error = np.where(weights > 0, error_by_pinocchio(arm, q, target, axes), 0.0)
        if converged:
            assert max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])) <= 1e-6 * (1 + 1e-3)
            assert (q >= chain.limits[:, 0]).all() and (q <= chain.limits[:, 1]).all()
        elif isinstance(damping, Chan | TrustRegion):
            assert not scipy_finds(chain, arm, target, start, weights, axes, rng), target.tolist()


def random_weights(rng: np.random.Generator) -> Array:
    """Return weights, about half of them zero, not all."""
    weights = np.where(rng.random(6) < 0.45, 0.0, 10.0 ** rng.uniform(-1, 1, 6))
    for part in (slice(3), slice(3, 6)):
        weights[part] = rng.choice([0.0, 1.0]) if rng.random() < 0.3 else weights[part]
    return weights if weights.any() else np.array(POSITION_ONLY, dtype=float)


def random_target(chain: Chain, arm: PinocchioArm, weights: Array, rng: np.random.Generator) -> Array:
    """Return a reachable pose; a part without any weight is random."""
    target = arm.forward_kinematics(chain.random_configuration(rng)).copy()
    if not weights[:3].any():
        target[:3, :3] = pinocchio.exp3(rng.normal(size=3))
    if not weights[3:].any():
        target[:3, 3] = rng.normal(size=3)
    return target


def scipy_finds(
    chain: Chain, arm: PinocchioArm, target: Array, start: Array, weights: Array, frame: str, rng: np.random.Generator
) -> bool:
    """Return whether SciPy meets the mask within the limits, from the start or from one of four others."""

    def error(q: Array) -> Array:
        return np.where(weights > 0, error_by_pinocchio(arm, q, target, frame), 0.0)

    lower, upper = chain.limits.T
    for begin in (start, *(chain.random_configuration(rng) for _ in range(4))):
        inside = np.clip(begin, lower + 1e-9, upper - 1e-9)
        left = error(least_squares(error, inside, bounds=(lower, upper), xtol=1e-14, ftol=1e-14).x)
        if max(np.linalg.norm(left[:3]), np.linalg.norm(left[3:])) < 1e-7:
            return True
    return False
