"""A frame within intervals: no pull inside, the way to the nearest allowed pose outside, a FrameTask at zero width."""

import numpy as np
import pytest
from pink_robots import robot
from scipy.spatial.transform import Rotation
from test_task_jacobians import difference

from lessons_lib import differential_ik as dik
from lessons_lib import lie

INTERVALS = (0.1, (None, 0.2), None, 0.01, (-0.05, 0.02), (0.0, None))
DT = 0.05


def displacement(at: dik.Configuration, frame: str, target: np.ndarray) -> np.ndarray:
    T, R_d = at.get_transform_frame_to_world(frame), target[:3, :3]
    turn = Rotation.from_matrix(R_d.T @ T[:3, :3]).as_rotvec()
    return np.concatenate([turn, R_d.T @ (T[:3, 3] - target[:3, 3])])


@pytest.fixture
def arm() -> dik.Configuration:
    return dik.Configuration(robot("UR10").tree, np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))


def task_around(target: np.ndarray, intervals: object = INTERVALS, **options: float) -> dik.FrameIntervalTask:
    task = dik.FrameIntervalTask("tool0", intervals, 1.0, 1.0, **options)
    task.set_target(target)
    return task


@pytest.mark.parametrize("name", ["UR10", "Solo"])
def test_error_and_jacobian(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(12)
    compared = 0
    while compared < 5:
        at = dik.Configuration(pair.tree, pair.inside(rng))
        (frame,) = pair.frames(rng, 1)
        target = at.get_transform_frame_to_world(frame) @ lie.exp_se3(rng.normal(0.0, 0.3, 6))
        task = dik.FrameIntervalTask(frame, INTERVALS, 2.0, [1.0, 3.0, 0.5], lm_damping=0.1, gain=0.4)
        task.set_target(target)
        x, (lower, upper) = displacement(at, frame, target), np.array(task.intervals.bounds).T
        if min(np.abs(x - lower).min(), np.abs(x - upper).min()) < 1e-4:
            continue  # differences must not straddle the end of an interval
        np.testing.assert_allclose(task.compute_error(at), np.clip(x, lower, upper) - x, atol=1e-12)
        J = task.compute_jacobian(at)
        assert np.abs(J - difference(task.compute_error, at)).max() < 1e-7 * max(1.0, np.abs(J).max())
        H, c = np.zeros((pair.tree.nv, pair.tree.nv)), np.zeros(pair.tree.nv)
        task.add_objective(at, H, c)
        expected = dik.Task.compute_qp_objective(task, at)
        np.testing.assert_allclose(H, expected[0], atol=1e-12)
        np.testing.assert_allclose(c, expected[1], atol=1e-12)
        for one, other in zip(task.linearize(at), (J, task.compute_error(at)), strict=True):
            np.testing.assert_array_equal(one, other)
        compared += 1


def test_zero_width_is_a_frame_task(arm: dik.Configuration) -> None:
    """The step is the same while the orientation is right, and the pose at which they arrive always."""
    here, zero = arm.get_transform_frame_to_world("tool0"), (0,) * 6
    plain = dik.FrameTask("tool0", 1.0, 1.0, gain=0.7)
    for motion in ((0, 0, 0, 0.05, -0.02, 0.03), (0.3, -0.2, 0.1, 0.05, -0.02, 0.03)):
        target = here @ lie.exp_se3(np.array(motion))
        plain.set_target(target)
        exact = task_around(target, zero, gain=0.7)
        velocities = [dik.solve_ik(arm, [task], DT, limits=[]) for task in (exact, plain)]
        if not any(motion[:3]):
            np.testing.assert_allclose(*velocities, rtol=1e-7)
        else:
            assert 1e-6 < np.linalg.norm(velocities[0] - velocities[1]) < 0.1 * np.linalg.norm(velocities[1])
        for task in (exact, plain):
            at = dik.Configuration(arm.model, arm.q)
            for _ in range(40):
                at.integrate_inplace(dik.solve_ik(at, [task], DT, limits=[]), DT)
            np.testing.assert_allclose(at.get_transform_frame_to_world("tool0"), target, atol=1e-8)
