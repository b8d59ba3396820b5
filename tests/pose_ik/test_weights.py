"""Weights change the objective and the steps; a weight of zero masks its component."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares

from lessons_lib.pose_ik import (
    LevenbergMarquardt,
    Restarts,
    Stop,
    TrustRegion,
    evaluate,
    pose,
    solve,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain

Errors = Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
POSITION_ONLY = (0, 0, 0, 1, 1, 1)


@pytest.mark.parametrize(
    "method",
    [
        LevenbergMarquardt(derivative="geometric"),
        LevenbergMarquardt(derivative="exact"),
        LevenbergMarquardt(TrustRegion(), derivative="exact"),
    ],
    ids=str,
)
def test_position_only_by_the_twist(ur10: Chain, independent_errors: Errors, method: object) -> None:
    rng = np.random.default_rng(51)
    for solver in (solve_in_python, solve):
        target = ur10.forward_kinematics(ur10.random_configuration(rng))
        result = solver(ur10, target, ur10.random_configuration(rng), goal=pose(POSITION_ONLY), method=method)
        assert result.converged
        distance = np.linalg.norm(ur10.forward_kinematics(result.q)[:3, 3] - target[:3, 3])
        assert distance <= 1e-6
        angle, linear = independent_errors(ur10, result.q, target)
        assert result.orientation_error == pytest.approx(angle) and angle > 1e-3  # reported, though it does not count
        assert distance * (1 - 1e-9) <= linear <= np.pi / 2 * distance * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("solve", [solve_in_python, solve])
@pytest.mark.parametrize("weight", [1e-6, 1e-2, 1.0, 100.0])
def test_out_of_reach_the_weighted_objective_is_minimal(planar_2r: Chain, weight: float, solve: Any) -> None:
    """The oracle minimizes ½ VᵀWV by SciPy with finite differences."""
    target = np.eye(4)
    target[:2, 3] = [1.5, 0.5]
    weights, start = np.array([weight] * 3 + [1.0] * 3), np.radians([60.0, -70.0])
    oracle = least_squares(lambda q: np.sqrt(weights) * evaluate(planar_2r, target, q).error_twist, start, xtol=1e-15)
    options = {"goal": pose(weights), "method": LevenbergMarquardt(TrustRegion(), derivative="exact")}
    result = solve(planar_2r, target, start, **options, starts=Restarts(2), stop=Stop(max_iterations=100))
    assert not result.converged
    assert np.abs(result.q - oracle.x).max() < 1e-5  # SciPy's forward differences are good to 1e-8, at a flat bottom


def test_without_weights_the_iterate_with_the_lowest_larger_error_is_returned(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:2, 3] = [1.5, 0.5]
    method = LevenbergMarquardt(TrustRegion(), derivative="exact")
    result = solve(planar_2r, target, [0.1, 0.3], method=method, starts=Restarts(0), trace=True)
    stop, iterates = Stop(), result.trace
    scores = np.maximum(iterates.orientation_errors / stop.orientation, iterates.position_errors / stop.position)
    assert result.q == pytest.approx(result.trace.q[int(np.argmin(scores))], abs=1e-12)
