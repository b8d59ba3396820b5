"""The four entries of the library, each called in every way that leads into other compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from lessons_lib import differential_ik, pose_ik, robots, trajectories
from lessons_lib.arrays import Array

DT = 0.01
"""Of a step of differential inverse kinematics, s."""


def solve() -> None:
    """Solve a pose by each kind of method: over lanes, one start after the other, and near the first guess."""
    arm, target, start = _arm(), _pose(30.0, 90.0), np.radians([0.0, 30.0])
    region, line = pose_ik.LevenbergMarquardt(pose_ik.TrustRegion()), pose_ik.pose((0, 0, 0, 1, 1, 0), axes="space")
    pose_ik.solve(arm, target, start)
    pose_ik.solve(arm, target, start, method=pose_ik.LevenbergMarquardt(frame="space"))
    pose_ik.solve(arm, target, start, goal=line, method=region)
    pose_ik.solve(arm, target, start, method=pose_ik.NewtonRaphson(), trace=True)
    pose_ik.solve(arm, target, start, starts=pose_ik.Near())


def solve_batch() -> None:
    """Solve two poses: over lanes, and one start after the other."""
    arm, targets = _arm(), [_pose(30.0, 90.0), _pose(20.0, 80.0)]
    pose_ik.solve_batch(arm, targets)
    pose_ik.solve_batch(arm, targets, method=pose_ik.GaussNewton())


def trace() -> None:
    """Trace three poses: at once, with restarts that may be random, and by a method that no lane knows."""
    arm, path, start = _arm(), np.array([_pose(30.0, 90.0 + i) for i in range(3)]), np.radians([25.0, 80.0])
    trajectories.trace(arm, path, start)
    trajectories.trace(arm, path, start, rng=np.random.default_rng(1))
    trajectories.trace(arm, path, start, method=pose_ik.GaussNewton())


def solve_ik() -> None:
    """Take a step with a floating base, with tasks, limits and barriers of every compiled form, and one into a wall."""
    model = _model("quadruped", floating_base=True)
    configuration = differential_ik.Configuration(model)
    tasks, legs = _tasks(configuration), ("front_left_foot", "rear_right_foot")
    limits = [
        differential_ik.ConfigurationLimit(model),
        differential_ik.VelocityLimit(model),
        differential_ik.AccelerationLimit(model, np.full(model.nv, 100.0)),
        differential_ik.FloatingBaseVelocityLimit(model, None, 1.0, 1.0),
    ]
    barriers = [
        differential_ik.BodySphericalBarrier(legs, 0.05),
        differential_ik.PositionBarrier("trunk", [2], p_min=[-1.0]),
    ]
    differential_ik.solve_ik(configuration, tasks, DT)
    velocity = differential_ik.solve_ik(configuration, tasks, DT, limits=limits, barriers=barriers)
    differential_ik.solve_ik(configuration, tasks[1:], DT, constraints=tasks[:1])
    configuration.integrate_inplace(velocity, DT)
    _press_a_wall()


ENTRIES: dict[str, Callable[[], None]] = {
    "solve": solve,
    "solve_batch": solve_batch,
    "trace": trace,
    "solve_ik": solve_ik,
}


@cache
def _arm() -> robots.Chain:
    return robots.planar_2r()


@cache
def _model(name: str, floating_base: bool) -> robots.Tree:
    return robots.load_urdf(robots.urdf_file(name), floating_base=floating_base)


def _press_a_wall() -> None:
    """Take a step in which an arm's tip is wanted a metre behind a wall: the wall holds it back."""
    model = _model("ur10", floating_base=False)
    configuration, task = differential_ik.Configuration(model, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]), _frame_task("tool0")
    target = configuration.get_transform_frame_to_world("tool0")
    wall = differential_ik.PositionBarrier("tool0", [0], p_max=[target[0, 3] + 1e-3])
    target[0, 3] += 1.0
    task.set_target(target)
    differential_ik.solve_ik(configuration, [task], DT, barriers=[wall])


def _frame_task(frame: str) -> differential_ik.FrameTask:
    return differential_ik.FrameTask(frame, 1.0, 1.0)


def _tasks(configuration: differential_ik.Configuration) -> list[differential_ik.Task]:
    """Return tasks of every compiled form, with targets."""
    dik, model = differential_ik, configuration.model
    frame, relative = _frame_task("trunk"), dik.RelativeFrameTask("front_left_foot", "trunk", 1.0, 0.0)
    frame.set_target(configuration.get_transform_frame_to_world("trunk"))
    relative.set_target(configuration.get_transform("front_left_foot", "trunk"))
    posture, centre = dik.PostureTask(1e-2), dik.ComTask(0.1)
    posture.set_target(configuration.q)
    centre.set_target(configuration.get_center_of_mass())
    slow = dik.LowAccelerationTask(1e-3)
    slow.set_last_integration(np.zeros(model.nv), DT)
    coupled = dik.JointCouplingTask(["front_left_hip_joint", "front_right_hip_joint"], [1.0, -1.0], 0.1, configuration)
    wide = dik.ManipulabilityTask("rear_left_foot", model, cost=1e-3, mask="position")
    return [frame, relative, posture, centre, slow, coupled, wide, dik.DampingTask(1e-3)]


def _pose(first: float, second: float) -> Array:
    """Return where the planar arm's tip is at two angles, degrees, without asking the library."""
    elbow, tip = np.cumsum(np.radians([first, second]))
    T = np.eye(4)
    T[:2, :2] = [[np.cos(tip), -np.sin(tip)], [np.sin(tip), np.cos(tip)]]
    T[:2, 3] = np.cos(elbow) + np.cos(tip), np.sin(elbow) + np.sin(tip)
    return T
