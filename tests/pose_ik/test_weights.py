"""Weights enter the objective: they change the steps, and a zero lets its component go."""

from collections.abc import Callable

import numpy as np
import pytest

from lessons_lib.pose_ik import (
    Chan,
    GaussNewton,
    LevenbergMarquardt,
    NewtonRaphson,
    Stop,
    TrustRegion,
    look,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.weights import judged_components
from lessons_lib.robots import Chain

Errors = Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
POSITION_ONLY = (0, 0, 0, 1, 1, 1)


@pytest.mark.parametrize(
    "method",
    [
        GaussNewton(POSITION_ONLY),
        LevenbergMarquardt(weights=POSITION_ONLY),
        LevenbergMarquardt(weights=POSITION_ONLY, derivative="exact"),
        LevenbergMarquardt(TrustRegion(), weights=POSITION_ONLY, derivative="exact"),
    ],
    ids=str,
)
def test_position_only(ur10: Chain, honest_errors: Errors, method: object) -> None:
    rng = np.random.default_rng(51)
    for compiled in (False, True):
        target = ur10.forward_kinematics(ur10.random_configuration(rng))
        result = solve(ur10, target, ur10.random_configuration(rng), method=method, compiled=compiled)
        assert result.converged
        distance = np.linalg.norm(ur10.forward_kinematics(result.q)[:3, 3] - target[:3, 3])
        assert distance <= 1e-6
        angle, linear = honest_errors(ur10, result.q, target)
        assert result.orientation_error == pytest.approx(angle) and angle > 1e-3  # reported, though it does not count
        assert distance * (1 - 1e-9) <= linear <= np.pi / 2 * distance * (1 + 1e-9) + 1e-12


def test_position_only_solves_what_no_orientation_allows(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:3, 3] = [0.5, 0.9, 0.0]
    assert not solve(planar_2r, target, stop=Stop(restarts=3)).converged
    assert solve(planar_2r, target, method=GaussNewton(POSITION_ONLY)).converged


def test_the_exact_derivative_needs_fewer_steps_where_components_are_left_out(ur10: Chain) -> None:
    rng = np.random.default_rng(52)
    targets = np.array([ur10.forward_kinematics(ur10.random_configuration(rng)) for _ in range(100)])
    steps = {}
    for derivative in ("geometric", "exact"):
        method = LevenbergMarquardt(weights=POSITION_ONLY, derivative=derivative)
        answers = solve_batch(ur10, targets, method=method)
        assert answers.converged.all()
        steps[derivative] = answers.iterations.mean()
    assert steps["exact"] < 0.5 * steps["geometric"]


def test_weights_change_the_step_of_an_arm_that_cannot_do_all(planar_2r: Chain) -> None:
    """The seed's weights did not: they entered only its stopping rule."""
    target = planar_2r.forward_kinematics([0.5, 1.0])
    here = look(planar_2r, target, np.array([0.1, 0.4]))
    light = LevenbergMarquardt(Chan(), weights=(0.1,) * 3 + (1,) * 3).step(here.jacobian, here.error)
    heavy = LevenbergMarquardt(Chan(), weights=(1,) * 3 + (0.1,) * 3).step(here.jacobian, here.error)
    assert np.abs(light - heavy).max() > 1e-3


def test_the_weighted_step_minimises_the_weighted_objective(panda: Chain) -> None:
    rng = np.random.default_rng(53)
    weights = np.array([3, 0, 1, 2, 0.5, 1.0])
    here = look(panda, panda.forward_kinematics(panda.random_configuration(rng)), panda.random_configuration(rng))
    damping = 0.3

    def objective(d: np.ndarray) -> float:
        rest = here.jacobian @ d - here.error
        return float(rest @ (weights * rest) + damping * d @ d)

    from lessons_lib.pose_ik import Wampler

    best = LevenbergMarquardt(Wampler(damping), weights=weights).step(here.jacobian, here.error)
    for _ in range(50):
        assert objective(best) < objective(best + 1e-3 * rng.normal(size=7))


def test_large_and_small_weights_together_are_the_same_problem(ur10: Chain) -> None:
    """A common factor cancels in Gauss-Newton's step."""
    target = ur10.forward_kinematics(np.full(6, 0.4))
    here = look(ur10, target, np.full(6, 0.1))
    steps = [GaussNewton(np.full(6, factor)).step(here.jacobian, here.error) for factor in (1e-6, 1.0, 1e6)]
    np.testing.assert_allclose(steps[0], steps[1], rtol=1e-9)
    np.testing.assert_allclose(steps[2], steps[1], rtol=1e-9)


def test_judged_components_are_those_with_a_weight() -> None:
    assert judged_components(GaussNewton((0, 1e-9, 2, 0, 0, 1))).tolist() == [0, 1, 1, 0, 0, 1]
    assert judged_components(NewtonRaphson()).tolist() == [1] * 6


def test_a_position_alone_is_not_said_to_meet_both_tolerances(ur10: Chain) -> None:
    method = LevenbergMarquardt(weights=(0, 0, 0, 1, 1, 1))
    result = solve(ur10, ur10.forward_kinematics([0.3, -1.2, 1.5, -1.9, -1.2, 0.4]), method=method)
    assert result.converged and result.orientation_error > 1e-3 and "both" not in result.status.sentence
