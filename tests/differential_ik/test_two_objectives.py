"""The readable form of each task and limit and the compiled one give the same H, c and box."""

import numpy as np
import pytest
from pink_robots import robot
from task_pairs import FOR_ALL, low_acceleration_task

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik.limits.velocity_limit import default_limits
from lessons_lib.differential_ik.solver.problem import Step, box_and_rows, sum_objectives
from lessons_lib.lie import exp_se3

SAME = 1e-12
"""Relative to the largest entry: a few dozen roundings."""


def manipulability_task(pair: object, at: dik.Configuration, rng: np.random.Generator) -> tuple[dik.Task, None]:
    (frame,) = pair.frames(rng, 1)  # type: ignore[attr-defined]
    return dik.ManipulabilityTask(frame, at.model, cost=0.7, gain=0.5, lm_damping=0.1, mask="position"), None


MAKERS = (*FOR_ALL, low_acceleration_task, manipulability_task)


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Panda", "Go2", "TALOS"])
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_each_task(make: object, name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(5)
    for _ in range(5):
        at = dik.Configuration(pair.tree, pair.tree.random_configuration(rng))
        task = make(pair, at, rng)[0]  # type: ignore[operator]
        H, c = sum_objectives(at, [task], 0.0)
        readable_H, readable_c = task.compute_qp_objective(at)
        assert np.abs(H - readable_H).max() <= SAME * max(1.0, np.abs(readable_H).max())
        assert np.abs(c - readable_c).max() <= SAME * max(1.0, np.abs(readable_c).max())
        assert np.array_equal(H, H.T)


@pytest.mark.parametrize("name", ["UR10", "Go2"])
def test_a_cost_for_each_joint_is_that_joints(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(6)
    at = dik.Configuration(pair.tree, pair.tree.random_configuration(rng))
    posture = dik.PostureTask(np.arange(1.0, 1.0 + at.model.nv - at.root_nv), lm_damping=0.2, gain=0.7)
    posture.set_target(pair.tree.random_configuration(rng))
    velocity = dik.JointVelocityTask(posture.cost)
    velocity.set_target(rng.normal(size=len(posture.cost)), 0.01)
    for task in (posture, velocity):
        H, c = sum_objectives(at, [task], 0.0)
        readable_H, readable_c = task.compute_qp_objective(at)
        assert np.abs(H - readable_H).max() <= SAME * np.abs(readable_H).max()
        assert np.abs(c - readable_c).max() <= SAME * np.abs(readable_c).max()


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 3.0, np.pi - 1e-6, np.pi])
def test_a_frame_task_at_the_edges_of_the_logarithm(angle: float) -> None:
    pair = robot("UR10")
    at = dik.Configuration(pair.tree, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    task = dik.FrameTask("tool0", 2.0, [1.0, 0.5, 3.0], lm_damping=0.1, gain=0.3)
    axis = np.array([0.6, -0.48, 0.64])
    task.set_target(at.get_transform_frame_to_world("tool0") @ exp_se3([*(angle * axis), 0.01, 0.02, -0.03]))
    (H, c), (readable_H, readable_c) = sum_objectives(at, [task], 0.0), task.compute_qp_objective(at)
    assert np.isfinite(H).all() and np.isfinite(c).all()
    if angle == np.pi:  # the last bit of the pose decides which way round is the shorter one
        return
    # near π the axis is known only as well as the pose, to 1e-16 of π − θ
    tolerance = SAME if angle < 3.1 else 1e-9
    assert np.abs(H - readable_H).max() <= tolerance * np.abs(readable_H).max()
    assert np.abs(c - readable_c).max() <= tolerance * np.abs(readable_c).max()


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Go2", "TALOS"])
@pytest.mark.parametrize("dt", [1e-3, 0.2])
def test_the_box_says_what_the_rows_say(name: str, dt: float) -> None:
    pair, rng = robot(name), np.random.default_rng(6)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    acceleration = dik.AccelerationLimit(pair.tree, np.full(pair.tree.nv, 20.0))
    acceleration.set_last_integration(rng.uniform(-0.3, 0.3, pair.tree.nv), dt)
    limits = [*default_limits(pair.tree), acceleration]
    lower, upper, (G, h) = box_and_rows(at, limits, dt)
    assert G is None and h is None
    expected = np.full((2, pair.tree.nv), np.inf)  # of −Δq and Δq
    for limit in limits:
        rows, bounds = limit.compute_qp_inequalities(at, dt)  # type: ignore[misc]
        for row, bound in zip(rows, bounds, strict=True):
            (k,) = np.flatnonzero(row)
            side = 1 if row[k] > 0 else 0
            expected[side, k] = min(expected[side, k], bound)
    assert np.array_equal(-expected[0], lower)
    assert np.array_equal(expected[1], upper)


def test_barriers_constraints_and_the_base_come_as_rows_beside_the_box() -> None:
    pair, rng = robot("Go2"), np.random.default_rng(8)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    tasks = [make(pair, at, rng)[0] for make in FOR_ALL]
    foot = dik.FrameTask("FL_foot", 1.0, 0.0)
    foot.set_target_from_configuration(at)
    height = at.get_transform_frame_to_world("base")[2, 3]
    others = {
        "limits": [*default_limits(pair.tree), dik.FloatingBaseVelocityLimit(pair.tree, "base", 0.1, 0.2)],
        "barriers": [dik.PositionBarrier("base", [2], p_min=[height - 0.05])],
    }
    reach = dik.ComTask(1.0)
    reach.set_target(at.get_center_of_mass() + [0.0, 0.0, 1e-4])
    direct = dik.solve_ik(at, tasks, 5e-3, constraints=[reach], **others)
    through = dik.solve_ik(at, tasks, 5e-3, constraints=[reach], verbose=False, **others)
    assert np.linalg.norm(direct - through) <= 1e-9 * np.linalg.norm(through)
    assert np.abs(at.get_center_of_mass_jacobian() @ direct - [0.0, 0.0, 0.02]).max() < 1e-9
    assert (np.abs(direct[:3]) <= 0.2 + 1e-9).all()
    assert (np.abs(direct[3:6]) <= 0.1 + 1e-9).all()


def test_a_step_reads_every_argument_once() -> None:
    pair = robot("UR10")
    at, task = dik.Configuration(pair.tree), dik.DampingTask(1.0)
    step = Step.read(at, iter([task]), 1, 0, iter([]), None, (t for t in ()))
    assert (step.tasks, step.dt, step.damping, step.limits, step.barriers, step.constraints) == (
        [task],
        1,
        0,
        [],
        [],
        [],
    )
