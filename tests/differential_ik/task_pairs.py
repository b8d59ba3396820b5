"""Random tasks in pairs: ours and Pink's."""

from typing import Any

import numpy as np
import pink.tasks
from pink_robots import PinkRobot, pose

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.arrays import Array

Pair = tuple[Any, Any]


def near(T: Array, rng: np.random.Generator, angle: float = 0.4) -> Array:
    """Return a pose near another one."""
    return np.asarray(T @ lie.exp_se3(np.concatenate([rng.normal(0.0, angle, 3), rng.normal(0.0, 0.1, 3)])))


def settings(rng: np.random.Generator) -> dict[str, float]:
    """Return a random gain and damping."""
    return {"gain": float(rng.uniform(0.05, 1.0)), "lm_damping": float(rng.choice([0.0, 1e-3, 0.3]))}


def half(rng: np.random.Generator) -> Any:
    """Return a random cost: one number, or one for each axis."""
    return float(rng.uniform(0.1, 3.0)) if rng.random() < 0.5 else rng.uniform(0.0, 3.0, 3)


def frame_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    (frame,), chosen = robot.frames(rng, 1), settings(rng)
    costs = {"position_cost": half(rng), "orientation_cost": half(rng)}
    ours, theirs = dik.FrameTask(frame, **costs, **chosen), pink.tasks.FrameTask(frame, **costs, **chosen)
    target = near(at.get_transform_frame_to_world(frame), rng)
    ours.set_target(target)
    theirs.set_target(pose(target))
    return ours, theirs


def relative_frame_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    (frame, root), chosen = robot.frames(rng, 2), settings(rng)
    costs = {"position_cost": half(rng), "orientation_cost": half(rng)}
    ours = dik.RelativeFrameTask(frame, root, **costs, **chosen)
    theirs = pink.tasks.RelativeFrameTask(frame, root, **costs, **chosen)
    target = near(at.get_transform(frame, root), rng)
    ours.set_target(target)
    theirs.set_target(pose(target))
    return ours, theirs


def posture_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    cost, chosen, target = float(rng.uniform(0.05, 1.0)), settings(rng), robot.tree.random_configuration(rng)
    ours, theirs = dik.PostureTask(cost, **chosen), pink.tasks.PostureTask(cost, **chosen)
    ours.set_target(target)
    theirs.set_target(robot.q(target))
    return ours, theirs


def damping_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    cost = float(rng.uniform(0.05, 1.0))
    return dik.DampingTask(cost), pink.tasks.DampingTask(cost)


def com_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    cost, chosen = half(rng), settings(rng)
    ours, theirs = dik.ComTask(cost, **chosen), pink.tasks.ComTask(cost, **chosen)
    target = at.get_center_of_mass() + rng.normal(0.0, 0.1, 3)
    ours.set_target(target)
    theirs.set_target(target)
    return ours, theirs


def joint_coupling_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    single = list(robot.tree.v_names[at.root_nv :])
    names = [str(name) for name in rng.choice(single, 2, replace=False)]
    ratios, cost, chosen = rng.uniform(-2.0, 2.0, 2).tolist(), float(rng.uniform(0.1, 3.0)), settings(rng)
    theirs_at = robot.both(at.q)[1]
    ours = dik.JointCouplingTask(names, ratios, cost, at, **chosen)
    return ours, pink.tasks.JointCouplingTask(names, ratios, cost, theirs_at, **chosen)


def linear_holonomic_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    nv, chosen = robot.tree.nv, settings(rng)
    A, b, cost = rng.normal(size=(2, nv)), rng.normal(size=2), rng.uniform(0.1, 1.0, 2)
    q_0 = at.integrate(rng.normal(0.0, 0.3, nv), 1.0)
    theirs = np.empty_like(A)
    theirs[:, robot.order] = A
    ours = dik.LinearHolonomicTask(A, b, q_0, cost, **chosen)
    return ours, pink.tasks.LinearHolonomicTask(theirs, b, robot.q(q_0), cost, **chosen)


def rolling_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    (frame,), cost, chosen = robot.frames(rng, 1), half(rng), settings(rng)
    given = (frame, "universe", 0.1, cost)
    return dik.RollingTask(*given, **chosen), pink.tasks.RollingTask(*given, **chosen)


def low_acceleration_task(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator) -> Pair:
    cost, v = float(rng.uniform(0.05, 1.0)), rng.normal(size=robot.tree.nv)
    ours, theirs = dik.LowAccelerationTask(cost), pink.tasks.LowAccelerationTask(cost)
    ours.set_last_integration(v, 0.01)
    theirs.set_last_integration(robot.v(v), 0.01)
    return ours, theirs


TASKS = (frame_task, relative_frame_task, posture_task, damping_task, com_task, joint_coupling_task)
TASKS += (linear_holonomic_task, rolling_task)
FIXED_BASE_TASKS = (*TASKS, low_acceleration_task)
"""Pink's LowAccelerationTask fails with a floating base."""


def random_pairs(robot: PinkRobot, at: dik.Configuration, rng: np.random.Generator, count: int) -> list[Pair]:
    """Return random tasks, including a posture so that every direction has a cost."""
    makers = TASKS if at.root_nv else FIXED_BASE_TASKS
    chosen = [makers[i] for i in rng.integers(len(makers), size=count)]
    return [make(robot, at, rng) for make in (posture_task, *chosen)]


class PointTask(dik.Task):
    """A user-defined task: keep the origin of a frame at a point."""

    def __init__(self, frame: str, point: np.ndarray) -> None:
        super().__init__(1.0)
        self.frame, self.point = frame, point

    def compute_error(self, configuration: dik.Configuration) -> np.ndarray:
        return np.asarray(configuration.get_transform_frame_to_world(self.frame)[:3, 3] - self.point)

    def compute_jacobian(self, configuration: dik.Configuration) -> np.ndarray:
        return configuration.get_velocity_jacobian(self.frame)
