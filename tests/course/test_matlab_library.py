"""The counts that the MATLAB library's own scripts give, by its own stopping rule."""

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.course import matlab_library as matlab
from lessons_lib.errors import ConfigurationError


def test_the_nine_waypoints_with_the_right_arm():
    assert tuple(matlab.counts(robots.ur10(), matlab.ur10_waypoints())) == matlab.UR10_COUNTS


def test_the_nine_waypoints_with_its_wrong_arm_converge_as_well():
    assert tuple(matlab.counts(matlab.wrong_ur10(), matlab.ur10_waypoints())) == matlab.WRONG_UR10_COUNTS


@pytest.mark.parametrize(("damping", "steps"), [(0.125, 4), (0.0, 1)])
def test_example_6_1_from_its_own_start(damping, steps):
    chain = robots.planar_2r()
    target = chain.forward_kinematics(np.radians([30.0, 90.0]))
    path = matlab.path_to(chain, target, np.radians([0.0, 60.0]), damping, 1e-6)
    assert len(path) - 1 == steps
    assert np.degrees(path[-1]) == pytest.approx([30.0, 90.0], abs=1e-4)


@pytest.mark.parametrize("chain", [robots.ur10(), matlab.wrong_ur10()], ids=["right", "wrong"])
def test_its_own_weights_change_no_count(chain):
    """Defect 1: at the last step orientation and position pass the tolerance together."""
    waypoints = matlab.ur10_waypoints()
    assert matlab.counts(chain, waypoints, weights=matlab.POSITION_ONLY) == matlab.counts(chain, waypoints)


def test_weights_that_let_the_position_go_stop_it_where_the_orientation_is_right_already():
    assert matlab.counts(robots.ur10(), matlab.ur10_waypoints(), weights=(1, 1, 1, 0, 0, 0)) == [7] + [0] * 8


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1), (1e-3,) * 6, (10,) * 6, (9, 1, 1, 1, 1, 7)]
)
def test_weights_end_the_path_elsewhere_and_never_bend_it(weights):
    chain, target = robots.ur10(), matlab.ur10_waypoints()[0]
    plain = matlab.path_to(chain, target, np.zeros(6), matlab.DAMPING, 1e-9)
    weighted = matlab.path_to(chain, target, np.zeros(6), matlab.DAMPING, matlab.UR10_TOLERANCE, weights)
    assert 1 < len(weighted) < len(plain)
    assert (weighted == plain[: len(weighted)]).all()  # to the last bit


def test_its_2r_never_reaches_a_point_that_position_alone_allows():
    chain, target = robots.planar_2r(), matlab.planar_waypoints()[0]
    path = matlab.path_to(chain, target, [0, 0], matlab.DAMPING, 1e-5, matlab.POSITION_ONLY)
    assert len(path) - 1 == matlab.MOST_STEPS
    missed = np.linalg.norm((chain.forward_kinematics(path[-1]) - target)[:3, 3])
    # It keeps the orientation: the tip is on the circle of radius 1 about (1, 0), whose nearest point is at 45 degrees.
    assert missed == pytest.approx(np.hypot(0.5, 0.5) * (2**0.5 - 1), abs=1e-6)
    assert chain.forward_kinematics(path[-1])[:3, :3] == pytest.approx(np.eye(3), abs=1e-6)
    assert np.linalg.norm(target[:3, 3]) < 2.0  # and yet it is within reach


def test_an_unreachable_target_stops_after_max_steps():
    far = lie.pose(np.eye(3), (5.0, 0.0, 0.0))
    path = matlab.path_to(robots.planar_2r(), far, [0.1, 0.2], 0.125, 1e-6, max_steps=20)
    assert len(path) - 1 == 20
    assert np.isfinite(path).all()


def test_a_start_of_the_wrong_length_is_refused():
    with pytest.raises(ConfigurationError, match=r"q of planar 2R must have shape \(2,\), got \(3,\)"):
        matlab.path_to(robots.planar_2r(), np.eye(4), [0, 0, 0], 0.125, 1e-6)
