"""The counts that the MATLAB library's own scripts give, by its own stopping rule."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError
from lessons_lib.studies import matlab_library as matlab


def test_the_nine_waypoints_with_the_right_arm() -> None:
    assert tuple(matlab.counts(robots.ur10(), matlab.ur10_waypoints())) == matlab.UR10_COUNTS


def test_the_nine_waypoints_with_its_wrong_arm_converge_as_well() -> None:
    assert tuple(matlab.counts(matlab.wrong_ur10(), matlab.ur10_waypoints())) == matlab.WRONG_UR10_COUNTS


@pytest.mark.parametrize(("damping", "steps"), [(0.125, 4), (0.0, 1)])
def test_example_6_1_from_its_own_start(damping: float, steps: int) -> None:
    chain = robots.planar_2r()
    target = chain.forward_kinematics(np.radians([30.0, 90.0]))
    taken, q = matlab.steps_to(chain, target, np.radians([0.0, 60.0]), damping, matlab.EXAMPLE_TOLERANCE)
    assert taken == steps
    assert np.degrees(q) == pytest.approx([30.0, 90.0], abs=1e-4)


def test_a_target_out_of_reach_ends_after_the_steps_that_were_allowed() -> None:
    far = np.eye(4)
    far[0, 3] = 5.0
    taken, q = matlab.steps_to(robots.planar_2r(), far, [0.1, 0.2], 0.125, 1e-6, most=20)
    assert taken == 20
    assert np.isfinite(q).all()


def test_a_start_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"q of planar 2R must have shape \(2,\), got \(3,\)"):
        matlab.steps_to(robots.planar_2r(), np.eye(4), [0, 0, 0], 0.125, 1e-6)
