"""Paths with free directions, compared with all paths through fine grids and with traces by search."""

import itertools

import numpy as np
import pytest

from lessons_lib import lie, pose_ik, robots, trajectories
from lessons_lib.pose_ik import Status
from lessons_lib.pose_ik.weights import Axes
from lessons_lib.trajectories.free_directions import FreeDirections, path_cost
from lessons_lib.trajectories.trace_loops import search_layers

Q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
TORCH = np.array([0.0, 0.6, 0.8])


@pytest.fixture(scope="module")
def arm():
    return robots.ur10().with_limits(position=[(-np.pi, np.pi)] * 6)


def seam(count):
    """Return poses around a pipe of radius 0.1 m, with the tip tilted outward."""
    angles = np.linspace(0.0, 2.0 * np.pi, count)
    rotations, lean = [lie.exp_so3([0.0, 0.0, a]) for a in angles], lie.exp_so3([0.0, np.pi + 0.6, 0.0])
    return np.array([lie.pose(R @ lean, [0.7, 0.2, 0.4] + 0.1 * R[:, 0]) for R in rotations])


def least_cost(arm, poses, axis, q0, by, samples):
    """Return the least cost of all paths through even samples of the rotation about an axis."""
    rotations = np.array([lie.exp_so3(a * axis) for a in 2.0 * np.pi * np.arange(samples) / samples])
    before, cost = q0[None], np.zeros(1)
    for T in poses:
        rotated = np.repeat(T[None], samples, axis=0)
        rotated[:, :3, :3] = T[:3, :3] @ rotations
        q = pose_ik.all_solutions_batch(arm, rotated).q
        q = q[np.isfinite(q[..., 0])]
        steps = np.abs(q[:, None] - before)
        step = steps.max(axis=2) if by == "best" else np.linalg.norm(steps, axis=2)
        cost = (np.maximum(cost, step) if by == "best" else cost + step).min(axis=1)
        before = q
    return cost.min()


@pytest.mark.parametrize("by", ["best", "shortest"])
@pytest.mark.parametrize("seed", [1, 3])
def test_no_path_through_a_fine_grid_costs_less(arm, by, seed):
    rng = np.random.default_rng(seed)
    q0, twist = 0.5 * arm.random_configuration(rng), 0.6 * rng.normal(size=6)
    axis = lie.exp_so3(rng.normal(size=3))[0]
    poses = [arm.forward_kinematics(q0) @ lie.exp_se3(s * twist) for s in (0.2, 0.4, 0.6)]
    path = trajectories.trace(arm, poses, q0, goal=pose_ik.pointing(axis), branches=by)
    assert path.complete
    cost = path_cost(path.q, q0, by)[0]
    assert cost <= 1.001 * least_cost(arm, poses, axis, q0, by, 90)
    searched = trajectories.trace(arm, poses, q0, goal=pose_ik.pointing(axis))
    assert not searched.complete or cost <= path_cost(searched.q, q0, by)[0] * (1.0 + 1e-12)


def test_a_free_torch_axis_reduces_joint_motion_on_a_seam():
    arm, poses, goal = robots.ur10(), seam(21), pose_ik.pointing(TORCH)
    path = trajectories.trace(arm, poses, goal=goal, branches="best")
    assert path.complete and not path.proven and not path.solutions
    reached = arm.forward_kinematics(path.q)
    assert np.abs(reached[:, :3, 3] - poses[:, :3, 3]).max() < 1e-9
    assert np.abs((reached - poses)[:, :3, :3] @ TORCH).max() < 1e-9
    assert max(path.orientation_error.max(), path.position_error.max()) < 1e-9
    assert np.linalg.norm(lie.log_so3(reached[9, :3, :3].T @ poses[9, :3, :3])) > 0.1  # the torch has rotated
    for other in ({"goal": goal}, {"branches": "best"}):
        assert path.largest_move < 0.6 * trajectories.trace(arm, poses, **other).moves[1:].max()


AXES = (None, "body", "space", "target", "twist", Axes.with_third(np.array([1.0, 2.0, -1.0])))


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("weights", [(1, 1, 0, 1, 1, 1), (0, 1, 0, 1, 1, 0), (1, 1, 1, 1, 0, 2), (0, 0, 0, 1, 1, 1)])
def test_a_pose_with_masked_components_has_exactly_these_errors(arm, weights, axes):
    free, T_sd = FreeDirections(arm, pose_ik.pose(weights, axes=axes)), arm.forward_kinematics(Q)
    errors = np.where(np.array(weights) == 0.0, np.random.default_rng(2).uniform(-0.3, 0.3, size=(3, 6)), 0.0)
    for e, T_sb in zip(errors, free.poses(T_sd, errors), strict=True):
        q = pose_ik.all_solutions(arm, T_sb).q[0]
        assert np.abs(free.error(T_sd, q) - e).max() < 1e-12


@pytest.mark.parametrize("summed", [0, 1])
def test_no_path_through_small_layers_costs_less(summed):
    rng = np.random.default_rng(1)
    for _ in range(10):
        layers = [rng.normal(size=(rng.integers(1, 5), 2)) for _ in range(4)]
        nodes, ends = np.vstack(layers), np.cumsum([len(rows) for rows in layers])
        costs, origins, joints = np.zeros((len(nodes), 2)), np.zeros(len(nodes), int), np.full((2, 3), [-9.0, 9.0, 0.0])
        search_layers(nodes, ends, joints, summed, costs, origins, nodes.copy())
        by = "shortest" if summed else "best"
        least = min(path_cost(np.array(path), None, by)[0] for path in itertools.product(*layers))
        assert costs[ends[-2] :, 0].min() == pytest.approx(least, rel=1e-12)


def test_search_layers_adds_revolutions_within_the_limits():
    nodes, ends = np.array([[3.0], [-3.0], [-2.5]]), np.array([1, 2, 3])
    for upper, reached in ((4.0, [3.0, 2.0 * np.pi - 3.0, 2.0 * np.pi - 2.5]), (3.5, [3.0, 2.0 * np.pi - 3.0, -2.5])):
        found, joints = nodes.copy(), np.array([[-upper, upper, 2.0 * np.pi]])
        search_layers(nodes, ends, joints, 0, np.zeros((3, 2)), np.zeros(3, int), found)
        assert found[:, 0] == pytest.approx(reached)


def test_a_waypoint_out_of_reach_stops_the_path_or_is_skipped(arm):
    poses, goal = seam(4), pose_ik.pointing(TORCH)
    poses[2, :3, 3] *= 9.0
    stopped = trajectories.trace(arm, poses, goal=goal, branches="shortest")
    assert stopped.reached.tolist() == [True, True, False, False] and stopped.status[3] is None
    skipped = trajectories.trace(arm, poses, goal=goal, branches="best", on_failure="skip")
    assert skipped.reached.tolist() == [True, True, False, True]
    assert stopped.status[2] is skipped.status[2] is Status.UNREACHABLE
