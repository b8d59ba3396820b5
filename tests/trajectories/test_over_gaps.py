"""A path that goes on over a gap stays near: where no pose is reached the arm slides along, and does not jump."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.pose_ik import LevenbergMarquardt, Near, Restarts, Status, Stop, TrustRegion
from lessons_lib.trajectories import trace

UR10 = robots.ur10()
Q_0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


def out_and_back(count: int, way: float) -> np.ndarray:
    """Return poses that go straight aside through the edge of the reach, and back."""
    poses = np.repeat(UR10.forward_kinematics(Q_0)[None], count, axis=0)
    poses[:, :3, 3] += way * np.sin(np.linspace(0, np.pi, count))[:, None] * np.array([0.0, -1.0, 0.0])
    return poses


@pytest.mark.parametrize("start", ["previous", "ahead"])
def test_the_arm_does_not_jump_over_a_gap(start: str) -> None:
    """As the trust region with the exact derivative follows it; the best of many starts lay half a turn away."""
    poses, few = out_and_back(200, 2.6), Restarts(40)
    path = trace(UR10, poses, Q_0, on_failure="go on", start=start, starts=few)
    missed = ~path.reached
    assert 100 < missed.sum() < 190
    assert path.moves.max() < 0.5
    descent = LevenbergMarquardt(TrustRegion(), derivative="exact")
    theirs = trace(
        UR10, poses, Q_0, on_failure="go on", method=descent, starts=Restarts(0), stop=Stop(max_iterations=100)
    )
    assert path.moves.max() <= 1.2 * theirs.moves.max()
    errors = np.hypot(path.orientation_error, path.position_error)[missed]
    best = np.hypot(theirs.orientation_error, theirs.position_error)[missed]
    np.testing.assert_allclose(errors, best, atol=1e-4)


def test_the_status_still_says_why() -> None:
    path = trace(UR10, out_and_back(40, 3.0), Q_0, on_failure="go on", starts=Restarts(20))
    assert set(path.status) >= {Status.CONVERGED, Status.UNREACHABLE}
    assert Status.LOCAL_MINIMUM not in set(path.status)
    near = trace(UR10, out_and_back(40, 3.0), Q_0, on_failure="go on", starts=Near())
    assert set(near.status) == {Status.CONVERGED, Status.LOCAL_MINIMUM} and near.restarts.max() <= 1
    np.testing.assert_array_equal(near.reached, path.reached)
