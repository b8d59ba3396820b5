"""A published result: Example 6.1 of Modern Robotics."""

import numpy as np
import pytest

from lessons_lib.pose_ik import NewtonRaphson, Stop, solve
from lessons_lib.pose_ik.one_pose import solve_in_python

EXAMPLE_6_1_STOP = Stop(orientation=1e-3, position=1e-4)


@pytest.fixture
def example_target():
    """The target as the book prints it: 120° about z at (0.366, 1.366)."""
    T_sd = np.eye(4)
    T_sd[:2, :2] = [[-0.5, -np.sqrt(3) / 2], [np.sqrt(3) / 2, -0.5]]
    T_sd[:2, 3] = [0.366, 1.366]
    return T_sd


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_example_6_1_gives_the_printed_table(planar_2r, example_target, solve):
    options = {"method": NewtonRaphson("body"), "stop": EXAMPLE_6_1_STOP, "trace": True}
    result = solve(planar_2r, example_target, np.radians([0.0, 30.0]), **options)
    assert result.converged and result.iterations == 3 and result.restarts == 0
    trace = result.trace
    tips = np.array([planar_2r.forward_kinematics(q)[:2, 3] for q in trace.q])
    # half a unit of the last printed digit
    np.testing.assert_allclose(np.degrees(trace.q), [[0, 30], [34.23, 79.18], [29.98, 90.22], [30, 90]], atol=5e-3)
    np.testing.assert_allclose(tips, [[1.866, 0.5], [0.429, 1.480], [0.363, 1.364], [0.366, 1.366]], atol=5e-4)
    twists = [[1.571, 0.498, 1.858], [0.115, -0.074, 0.108], [-0.004, 0.0, -0.004], [0, 0, 0]]
    four_digits = np.round(trace.error_twists[:, [2, 3, 4]], 4)  # the book prints −0.0035 as −0.004
    np.testing.assert_allclose(np.round(four_digits, 3), twists, atol=1e-12)
    np.testing.assert_allclose(trace.error_twists[2, [2, 3, 4]], [-0.0035, 0.0003, -0.0035], atol=5e-5)
    np.testing.assert_allclose(trace.orientation_errors, [1.571, 0.115, 0.0035, 0], atol=5e-4)
    np.testing.assert_allclose(trace.position_errors, [1.924, 0.131, 0.0035, 0], atol=5e-4)


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_the_space_frame_takes_a_different_first_step(planar_2r, example_target, solve):
    start = np.radians([0.0, 30.0])
    stop = EXAMPLE_6_1_STOP
    result = solve(planar_2r, example_target, start, method=NewtonRaphson("space"), stop=stop, trace=True)
    np.testing.assert_allclose(np.degrees(result.trace.q[1]), [28.53, 91.47], atol=5e-3)
