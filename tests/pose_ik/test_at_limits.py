"""Steps stop at the limits of joints without a whole revolution."""

import numpy as np
import pytest

from lessons_lib.pose_ik.joint_ranges import has_limits_to_stop_at, project_step, update_active_set


@pytest.mark.parametrize(
    ("limits", "period", "stops"),
    [
        ((-1.0, 2.0), 2 * np.pi, True),
        ((-4.0, 3.0), 2 * np.pi, False),
        ((-4.0, 3.0), 0.0, True),
        ((-np.inf, 3.0), 2 * np.pi, False),
    ],
)
def test_only_joints_without_a_whole_revolution_stop_at_their_limits(limits, period, stops):
    joints = np.array([[*limits, period, *limits]])
    step, ahead = np.array([5.0]), np.empty(1)
    project_step(np.array([0.5]), step, joints, ahead)
    assert ahead[0] == (limits[1] if stops else 5.5) and step[0] == ahead[0] - 0.5
    assert has_limits_to_stop_at(joints) == stops
    held, A = np.empty(1), np.array([[0.0, 0, 0, 1, 0, 0]]).T
    flat = update_active_set(A, np.array([0.0, 0, 0, 2, 0, 0]), np.array([limits[1]]), joints, held)
    assert held[0] == stops and flat == stops
    assert not update_active_set(A, np.array([0.0, 0, 0, -2, 0, 0]), np.array([limits[1]]), joints, held)
    assert held[0] == 0.0


def test_a_step_that_is_nan_stays_nan():
    """The search then reports NOT_FINITE."""
    ahead = np.empty(1)
    project_step(np.zeros(1), np.array([np.nan]), np.array([[-1.0, 1.0, 0.0, -1.0, 1.0]]), ahead)
    assert np.isnan(ahead[0])
