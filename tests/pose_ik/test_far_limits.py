"""Limits of ±1e12 count as no limits: every pose is solved, and solutions stay near the start."""

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.pose_ik import Status, solve, solve_batch
from lessons_lib.pose_ik.one_pose import solve_in_python

FAR = {f"±{most:g}": (-most, most) for most in (1e12, 1e16, 1e30, 700.0)}
FAR |= {"above -2": (-2.0, 1e12), "below 2": (-1e12, 2.0), "above 0 without end": (0.0, np.inf)}

pytestmark = pytest.mark.filterwarnings("ignore:limits of joint", "ignore:joint .* cannot move")


@pytest.mark.parametrize("name", FAR)
def test_every_pose_is_solved_near_the_start(ur10, name):
    chain, rng = robots.from_screws(ur10.screws, ur10.home, [FAR[name]] * 6), np.random.default_rng(3)
    targets = np.array([ur10.forward_kinematics(rng.uniform(-np.pi, np.pi, 6)) for _ in range(100)])
    found = solve_batch(chain, targets)
    assert found.converged.all()
    # a start lies within one revolution of a limit, and the solution within one and a half revolutions of the start
    assert np.abs(found.q).max() < 6 * np.pi
    lower, upper = FAR[name]
    assert (found.q >= lower).all() and (found.q <= upper).all()
    one = solve(chain, targets[0])
    assert one.converged and np.abs(one.q).max() < 6 * np.pi


@pytest.mark.parametrize("solve", [solve_in_python, solve])
@pytest.mark.parametrize(("start", "limits"), [(0.0, (-1e12, 1e12)), (500.0, (-1e12, 1e12)), (699.9, (-700, 700))])
def test_a_solution_is_unwrapped_to_the_start(start, limits, solve):
    home = lie.pose(np.eye(3), (0.7, 0.0, 0.0))
    chain = robots.from_screws([[0], [0], [1], [0], [0], [0]], home, [limits])
    found = solve(chain, chain.forward_kinematics([2.0]), [start])
    assert found.converged and limits[0] <= found.q[0] <= limits[1]
    # half a revolution, and one more if a limit excludes the nearest one
    assert abs(found.q[0] - start) <= (3.0 if start == 699.9 else 1.0) * np.pi + 1e-6


@pytest.mark.parametrize("limits", [None, [(-1e12, 1e12)]])
def test_a_rotation_with_a_pitch_by_rounding_has_a_reach(limits):
    axis = np.array([0.36, 0.48, 0.8])
    v = np.cross([0.3, -0.7, 0.2], axis) + 3e-17 * axis
    chain = robots.from_screws(np.concatenate([axis, v])[:, None], np.eye(4), limits)
    target = lie.pose(np.eye(3), [2.0] * 3)
    assert solve(chain, target).status is Status.UNREACHABLE
