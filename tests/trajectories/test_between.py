"""The quick way to trace many waypoints gives the same path, or hands it back to the careful one."""

import modern_robotics as mr
import numpy as np
import pytest
from readable import in_python

from lessons_lib import robots
from lessons_lib.pose_ik import Nearest, Status, compiled, lanes
from lessons_lib.studies import matlab_library as matlab
from lessons_lib.trajectories import path_between, trace
from lessons_lib.trajectories.between import EVERY, FEWEST

UR10 = robots.ur10()
NINE = np.array(matlab.ur10_waypoints())
Q_0 = trace(UR10, NINE[:1]).q[0]
DENSE = path_between(NINE, 40)


def test_it_is_the_path_of_the_careful_trace() -> None:
    quick, careful = trace(UR10, DENSE, Q_0, start="between"), trace(UR10, DENSE, Q_0)
    assert quick.complete and not quick.restarts.any()
    np.testing.assert_allclose(quick.q, careful.q, atol=1e-4)  # the tolerance of 1e-6 over a singular value of 0.1
    assert quick.moves.max() < 1.1 * careful.moves.max()
    assert quick.iterations.mean() < careful.iterations.mean()


def test_every_waypoint_is_reached_by_modern_robotics_own_kinematics() -> None:
    path = trace(UR10, DENSE, Q_0, start="between")
    tips = np.array([mr.FKinSpace(UR10.home, UR10.screws, q) for q in path.q])
    assert np.linalg.norm(tips[:, :3, 3] - DENSE[:, :3, 3], axis=1).max() <= 1e-6
    assert np.abs(tips[:, :3, :3] - DENSE[:, :3, :3]).max() <= 1e-6
    np.testing.assert_allclose(
        path.position_error, np.linalg.norm(tips[:, :3, 3] - DENSE[:, :3, 3], axis=1), rtol=1e-3, atol=1e-12
    )


def test_the_readable_loop_may_trace_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = trace(UR10, DENSE, Q_0, start="between").q
    for module, name in ((lanes, "row_search"), (compiled, "search_rows")):
        monkeypatch.setattr(module, name, None)  # nobody may ask for compiled code
    np.testing.assert_allclose(trace(UR10, DENSE, Q_0, start="between", method=in_python()).q, expected, atol=1e-9)


@pytest.mark.parametrize("broken", [5 * EVERY, 5 * EVERY + 3])
@pytest.mark.parametrize("on_failure", ["stop", "skip", "go on"])
def test_a_waypoint_that_cannot_be_reached_is_left_to_the_careful_trace(broken: int, on_failure: str) -> None:
    poses = DENSE.copy()
    poses[broken, :3, 3] = [3.0, 0.0, 0.0]
    quick = trace(UR10, poses, Q_0, start="between", on_failure=on_failure)
    careful = trace(UR10, poses, Q_0, on_failure=on_failure)
    np.testing.assert_array_equal(quick.q, careful.q)
    assert quick.status[broken] is Status.UNREACHABLE
    assert list(quick.status) == list(careful.status)


def test_a_jump_is_left_to_the_careful_trace() -> None:
    arm, rng = robots.panda(), np.random.default_rng(2)
    poses = np.array([arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(40)])
    quick, careful = (trace(arm, poses, start=start, on_failure="skip") for start in ("between", "previous"))
    np.testing.assert_array_equal(quick.q, careful.q)


def test_waypoints_that_are_far_apart_are_left_to_the_careful_trace() -> None:
    quick, careful = trace(UR10, NINE.repeat(4, axis=0), start="between"), trace(UR10, NINE.repeat(4, axis=0))
    np.testing.assert_array_equal(quick.q, careful.q)


@pytest.mark.parametrize("count", [1, FEWEST - 1, FEWEST, FEWEST + 1])
def test_any_number_of_waypoints_will_do(count: int) -> None:
    path = trace(UR10, DENSE[:count], Q_0, start="between")
    assert len(path) == count and path.complete


def test_a_strategy_for_the_first_guess_has_its_own_starts() -> None:
    quick, careful = (
        trace(UR10, DENSE[:40], Q_0, start=start, starts=Nearest(2), rng=np.random.default_rng(4))
        for start in ("between", "previous")
    )
    np.testing.assert_array_equal(quick.q, careful.q)
