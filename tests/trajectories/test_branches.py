"""Paths through all solutions, compared with all paths through small graphs and with traces by search."""

import itertools
import math

import numpy as np
import pytest

from lessons_lib import lie, robots, trajectories
from lessons_lib.pose_ik import Status
from lessons_lib.trajectories.branches import find_best_path

Q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])


@pytest.fixture(scope="module")
def arm():
    return robots.ur10().with_limits(position=[(-math.pi, math.pi)] * 6)


def line(arm, count=25, far=(0.0, 0.7, 0.2)):
    poses = np.repeat(arm.forward_kinematics(Q)[None], count, axis=0)
    poses[:, :3, 3] += np.linspace(0.0, 1.0, count)[:, None] * np.array(far)
    return poses


@pytest.mark.parametrize("by", ["best", "shortest"])
@pytest.mark.parametrize("from_q0", [False, True])
def test_no_path_through_a_small_graph_is_better(by, from_q0):
    rng = np.random.default_rng(1)
    for _ in range(30):
        layers = [rng.normal(size=(rng.integers(1, 4), 3)) for _ in range(5)]
        q0 = rng.normal(size=3) if from_q0 else None

        def cost(path, q0=q0):
            steps = np.diff(np.array(path) if q0 is None else np.vstack([q0, path]), axis=0)
            length = np.linalg.norm(steps, axis=1).sum()
            return (np.abs(steps).max(), length) if by == "best" else (length,)

        least = min(cost(path) for path in itertools.product(*layers))
        assert np.allclose(cost(find_best_path(layers, q0, by)), least, rtol=1e-9)


def test_path_follows_a_line_on_one_proven_best_branch(arm):
    poses = line(arm)
    path = trajectories.trace(arm, poses, branches="best")
    assert path.complete and path.proven and isinstance(path, trajectories.BranchPath)
    assert path.largest_move < 0.3
    assert np.abs(arm.forward_kinematics(path.q) - poses).max() < 1e-12
    assert (path.q >= arm.limits[:, 0]).all() and (path.q <= arm.limits[:, 1]).all()
    shortest = trajectories.trace(arm, poses, branches="shortest")
    assert not shortest.proven and shortest.largest_move >= path.largest_move
    lengths = [np.linalg.norm(np.diff(one.q, axis=0), axis=1).sum() for one in (shortest, path)]
    assert lengths[0] <= lengths[1] * (1 + 1e-12)


def test_path_takes_another_branch_if_the_first_one_jumps(arm):
    """In a rotation by 3 rad about the base, joint 1 meets its limit on the first branch, not on the other shoulder."""
    poses = np.repeat(arm.forward_kinematics(Q)[None], 31, axis=0)
    for pose, angle in zip(poses, np.linspace(0.0, 3.0, 31), strict=True):
        pose[:] = lie.exp_se3([0.0, 0.0, angle, 0.0, 0.0, 0.0]) @ pose
    searched = trajectories.trace(arm, poses, Q)
    assert not searched.complete or np.nanmax(searched.moves) > 1.0
    best = trajectories.trace(arm, poses, branches="best")
    assert best.complete and best.proven and best.largest_move == pytest.approx(0.1)
    from_q = trajectories.trace(arm, poses, Q, branches="best")
    assert from_q.complete and from_q.proven
    assert 1.0 < from_q.largest_move <= np.nanmax(searched.moves) + 1e-9


def test_path_passes_a_singular_waypoint_on_its_family(arm):
    values = np.linspace(-0.3, 0.3, 13)
    q = np.tile(Q, (13, 1))
    q[:, 4] = values
    q[6, 4] = 0.0
    path = trajectories.trace(arm, arm.forward_kinematics(q), q[0], branches="best")
    assert path.complete and path.largest_move < 0.2 and not path.proven


def test_path_stops_at_or_skips_a_waypoint_without_a_solution(arm):
    poses = line(arm, 6)
    poses[3, :3, 3] *= 9.0
    stopped = trajectories.trace(arm, poses, branches="best")
    assert stopped.status.tolist() == [Status.CONVERGED] * 3 + [Status.UNREACHABLE, None, None]
    skipped = trajectories.trace(arm, poses, branches="best", on_failure="skip")
    assert skipped.reached.tolist() == [True] * 3 + [False] + [True] * 2
    assert "5 of 6 waypoints reached" in str(skipped)
    poses[0, :3, 3] *= 9.0
    assert not trajectories.trace(arm, poses, branches="best").reached.any()
