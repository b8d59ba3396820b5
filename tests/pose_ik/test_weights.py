"""Weights change the objective and the steps; a weight of zero masks its component."""

from collections.abc import Callable

import numpy as np
import pytest

from lessons_lib.pose_ik import (
    LevenbergMarquardt,
    Restarts,
    Stop,
    TrustRegion,
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


def test_without_weights_the_iterate_with_the_lowest_larger_error_is_returned(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:2, 3] = [1.5, 0.5]
    method = LevenbergMarquardt(TrustRegion(), derivative="exact")
    result = solve(planar_2r, target, [0.1, 0.3], method=method, starts=Restarts(0), trace=True)
    stop, iterates = Stop(), result.trace
    scores = np.maximum(iterates.orientation_errors / stop.orientation, iterates.position_errors / stop.position)
    assert result.q == pytest.approx(result.trace.q[int(np.argmin(scores))], abs=1e-12)
