"""Three of Pink's examples, run with both libraries: same velocities and same motion."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pink
import pink.barriers
import pink.limits
import pink.tasks
import pytest
from pink_robots import PinkRobot, pair_of, urdf

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.arrays import Array

STEPS, SAME = 20, 1e-7
"""Tolerance of a step, rad or m: the error of Pinocchio's derivative of the logarithm at small angles."""

SHARP = {"solver": "daqp", "primal_tol": 1e-11, "dual_tol": 1e-15}
"""Pink's solver with tolerances small enough for the smallest costs of the examples."""


@dataclass
class Loop:
    """The tasks, limits and targets of an example over time."""

    tasks: list[Any]
    dt: float
    move: Callable[[float], None]
    named: dict[str, Any] = field(default_factory=dict)
    after: Callable[[Any, float], None] = lambda v, dt: None


class Library:
    """One of the two libraries with a robot."""

    def __init__(self, pair: PinkRobot, ours: bool) -> None:
        self.pair, self.ours, self.model = pair, ours, pair.tree if ours else pair.model

    def start(self, q: Array) -> None:
        """Set the robot to our q."""
        self.at = self.pair.both(q)[0 if self.ours else 1]

    def make(self, kind: str, *arguments: Any, **named: Any) -> Any:
        """Return a task, limit or barrier; the target of a task is the current state."""
        modules = (dik,) if self.ours else (pink.tasks, pink.limits, pink.barriers)
        made = next(getattr(module, kind) for module in modules if hasattr(module, kind))(*arguments, **named)
        if hasattr(made, "set_target_from_configuration"):
            made.set_target_from_configuration(self.at)
        return made

    def pose_of(self, frame: str) -> Array:
        """Return the pose of a frame."""
        T = self.at.get_transform_frame_to_world(frame)
        return np.array(T if self.ours else T.homogeneous)

    def modify_target(self, task: Any, position: dict[int, float], rotation: Array | None = None) -> None:
        """Change the target of a task in place, as the examples do."""
        target = getattr(task, "transform_target_to_" + ("root" if hasattr(task, "root") else "world"))
        for axis, value in position.items():
            (target[:3, 3] if self.ours else target.translation)[axis] = value
        if rotation is not None and self.ours:
            target[:3, :3] = rotation
        elif rotation is not None:
            target.rotation = rotation

    def solve(self, loop: Loop, t: float) -> Array:
        """Take one step and return the velocity in our coordinates."""
        loop.move(t)
        library: Any = dik if self.ours else pink
        v = library.solve_ik(self.at, loop.tasks, loop.dt, **({} if self.ours else SHARP), **loop.named)
        loop.after(v, loop.dt)
        self.at.integrate_inplace(v, loop.dt)
        return np.asarray(v if self.ours else v[self.pair.order])


def rotation_about_z(yaw: float) -> Array:
    return np.asarray(lie.exp_so3([0.0, 0.0, yaw]))


def panda(side: Library) -> Loop:
    """Follow a moving target while costs change."""
    angles = (0, -0.785398, 0, -2.35619, 0, 1.5708, 0.785398)
    joints = {f"panda_joint{i}": angle for i, angle in enumerate(angles, 1)}
    side.start(dik.custom_configuration_vector(side.pair.tree, **joints))
    end = side.make("FrameTask", "panda_hand_tcp", 1.0, 1.0, lm_damping=1.0)
    damping, home = side.make("DampingTask", 1e-3), side.pose_of("panda_hand_tcp")

    def drag(t: float) -> None:
        side.modify_target(end, {0: home[0, 3] + t, 2: home[2, 3] - 0.5 * t}, home[:3, :3] @ rotation_about_z(3.0 * t))
        end.set_position_cost(1.0 + t)
        damping.cost = 1e-3 + 1e-2 * t

    return Loop([end, side.make("PostureTask", 1e-3), damping], 5e-3, drag)


def go2_squat(side: Library) -> Loop:
    """Squat with fixed feet while a barrier bounds the base."""
    side.start(np.concatenate([[0, 0, 0.3, 0, 0, 0, 1.0], np.tile([0.0, 0.8, -1.57], 4)]))
    base, posture = side.make("FrameTask", "base", 50.0, 1.0), side.make("PostureTask", 1e-5)
    feet = [side.make("FrameTask", foot, 200.0, 0.0) for foot in ("FL_foot", "FR_foot", "RL_foot", "RR_foot")]
    walls = {"p_max": np.array([0.0, 0.35]), "gain": np.array([100.0, 100.0]), "safe_displacement_gain": 1.0}
    wall = side.make("PositionBarrier", "base", indices=[1, 2], **walls)

    def squat(t: float) -> None:
        side.modify_target(base, {1: 0.1 * np.sin(0.5 * np.pi * (t + 2.0)), 2: 0.3})

    return Loop([base, posture, *feet], 5e-3, squat, {"barriers": [wall]})


def circling(side: Library) -> Loop:
    """Drive on a circle in the plane while the fingertip moves relative to the base."""
    joints = {"arm_2_joint": 0.5, "arm_4_joint": 0.5, "torso_lift_joint": 0.1, "arm_1_joint": 0.5}
    side.start(dik.custom_configuration_vector(side.pair.tree, **joints))
    base, frame = side.make("FrameTask", "base_footprint", 0.1, 1.0), "arm_tool_link"
    finger = side.make("RelativeFrameTask", frame, "base_footprint", 1.0, 1e-4)
    (x, y, height), posture = side.pose_of(frame)[:3, 3], side.make("PostureTask", 1e-4)

    def drive(t: float) -> None:
        side.modify_target(base, {0: x + 0.5 * np.cos(t), 1: y + 0.5 * np.sin(t)}, rotation_about_z(0.5 * np.pi * t))
        side.modify_target(finger, {2: height + 0.1 * np.sin(t)})

    return Loop([base, finger, posture], 1e-2, drive)


EXAMPLES = {
    panda: ("panda", "fixed"),
    go2_squat: ("go2", "floating"),
    circling: ("tiago_no_hand", "planar"),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.__name__)
def test_example_matches_pink(example: Callable[[Library], Loop]) -> None:
    file, base = EXAMPLES[example]
    pair = pair_of(urdf(file), base)
    sides = Library(pair, True), Library(pair, False)
    loops = [example(side) for side in sides]
    t, fastest = 0.0, 0.0
    for _ in range(STEPS):
        ours, theirs = (side.solve(loop, t) for side, loop in zip(sides, loops, strict=True))
        fastest = max(fastest, float(np.abs(theirs).max()))
        assert np.abs(ours - theirs).max() * loops[0].dt <= SAME
        t += loops[0].dt
    assert fastest > 1e-3
    assert np.abs(pair.q(sides[0].at.q) - sides[1].at.q).max() <= SAME
