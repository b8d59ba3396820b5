"""Our arms as the peers model them: from the same screws, each in the form that is quickest for the peer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain

EQUAL = 1e-9
"""How far the entries of two forward kinematics may be apart before two models count as different arms."""


class UnequalModels(Exception):
    """A peer's model is not the arm that it should be."""


def check_equal(chain: Chain, peer: str, forward_kinematics: Callable[[Array], Any]) -> None:
    """Compare a peer's forward kinematics with ours at twenty random configurations.

    Raises:
        UnequalModels: They differ by more than EQUAL.
    """
    rng = np.random.default_rng(0)
    for q in (chain.random_configuration(rng) for _ in range(20)):
        apart = np.abs(np.asarray(forward_kinematics(q), dtype=np.float64) - chain.forward_kinematics(q)).max()
        if not apart <= EQUAL:
            raise UnequalModels(f"{peer}'s {chain.name} is {apart:.3g} away from ours at q = {q.tolist()}")


def placements(chain: Chain) -> tuple[list[Array], Array]:
    """Return the fixed poses between the joints, each joint about or along z of its frame, and that of the tip."""
    frames = [np.eye(4), *(joint_frame(screw) for screw in chain.screws.T)]
    steps = [np.linalg.solve(before, after) for before, after in zip(frames, frames[1:], strict=False)]
    return steps, np.linalg.solve(frames[-1], chain.home)


def joint_frame(screw: Array) -> Array:
    """Return a frame at q = 0 whose z axis is the joint's axis: the axis' point nearest to the base is its origin."""
    rotates = bool(screw[:3].any())
    z = screw[:3] if rotates else screw[3:]
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    T[:3, 3] = np.cross(screw[:3], screw[3:]) if rotates else 0.0
    return T


class PinocchioArm:
    """Pinocchio's model, its data, and the number of the frame at the tip."""

    def __init__(self, chain: Chain) -> None:
        """Build the model, with the chain's limits."""
        import pinocchio

        self.model = pinocchio.Model()
        steps, tip = placements(chain)
        parent = 0
        for i, (step, kind) in enumerate(zip(steps, chain.joint_types, strict=True)):
            joint = pinocchio.JointModelRZ() if kind == "revolute" else pinocchio.JointModelPZ()
            parent = self.model.addJoint(parent, joint, pinocchio.SE3(step), f"joint{i}")
        frame = pinocchio.Frame("tip", parent, 0, pinocchio.SE3(tip), pinocchio.FrameType.OP_FRAME)
        self.tip = self.model.addFrame(frame)
        self.model.lowerPositionLimit, self.model.upperPositionLimit = chain.limits.T.copy()
        self.data = self.model.createData()
        self._place = pinocchio.framesForwardKinematics

    def forward_kinematics(self, q: Array) -> Array:
        """Return T_sb(q)."""
        self._place(self.model, self.data, q)
        T: Array = self.data.oMf[self.tip].homogeneous
        return T


def elementary_transforms(chain: Chain) -> Any:
    """Return the robotics toolbox's ETS with one fixed transform between two joints, as its own compile() leaves it."""
    from roboticstoolbox import ET, ETS

    steps, tip = placements(chain)
    sequence = ETS()
    for step, limits, kind in zip(steps, chain.limits, chain.joint_types, strict=True):
        joint = ET.Rz if kind == "revolute" else ET.tz
        if not np.array_equal(step, np.eye(4)):
            sequence = sequence * ET.SE3(step)
        sequence = sequence * joint(qlim=list(limits))
    return sequence * ET.SE3(tip)


def write_urdf(chain: Chain, path: Path) -> Path:
    """Write the arm as a URDF, links `base`, `link0`, … and `tip`, and return the path."""
    parent, before, joints = "base", np.zeros(3), [_link("base")]
    for i, (screw, limits) in enumerate(zip(chain.screws.T, chain.limits, strict=True)):
        origin = joint_frame(screw)[:3, 3]
        axis, kind = (screw[:3], "revolute") if screw[:3].any() else (screw[3:], "prismatic")
        bounds = f'<limit lower="{_numbers(limits[:1])}" upper="{_numbers(limits[1:])}" effort="1" velocity="1"/>'
        inside = f'<axis xyz="{_numbers(axis)}"/>{bounds}'
        joints += [_link(f"link{i}"), _joint(f"joint{i}", kind, parent, f"link{i}", origin - before, inside)]
        parent, before = f"link{i}", origin
    roll_pitch_yaw = _roll_pitch_yaw(chain.home[:3, :3])
    joints += [_link("tip"), _joint("flange", "fixed", parent, "tip", chain.home[:3, 3] - before, "", roll_pitch_yaw)]
    path.write_text("\n".join(["<?xml version='1.0'?>", "<robot name='arm'>", *joints, "</robot>"]), "utf8")
    return path


def mjcf(chain: Chain) -> str:
    """Return the arm as MuJoCo reads it: bodies in each other, with masses for no purpose, and the site `tip`."""
    steps, tip = placements(chain)
    text = f'<site name="tip" {_place(tip)}/>'
    for i in reversed(range(chain.dof)):
        kind = "hinge" if chain.joint_types[i] == "revolute" else "slide"
        joint = f'<joint name="joint{i}" type="{kind}" axis="0 0 1" range="{_numbers(chain.limits[i])}"/>'
        mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        text = f'<body name="link{i}" {_place(steps[i])}>{joint}{mass}{text}</body>'
    return f'<mujoco><compiler angle="radian"/><worldbody>{text}</worldbody></mujoco>'


def _place(T: Array) -> str:
    """Return a pose as MuJoCo's attributes, the rotation by its first two columns."""
    return f'pos="{_numbers(T[:3, 3])}" xyaxes="{_numbers(T[:3, :2].T.ravel())}"'


def _link(name: str) -> str:
    return f'<link name="{name}"/>'


def _joint(
    name: str, kind: str, parent: str, child: str, origin: Array, inside: str, angles: Sequence[float] = (0.0, 0.0, 0.0)
) -> str:
    place = f'<origin xyz="{_numbers(origin)}" rpy="{_numbers(angles)}"/>'
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{place}{ends}{inside}</joint>'


def _numbers(values: Sequence[float] | Array) -> str:
    return " ".join(repr(float(value)) for value in values)


def _roll_pitch_yaw(R: Array) -> tuple[float, float, float]:
    """Return angles with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    level = float(np.hypot(R[0, 0], R[1, 0]))
    pitch = float(np.arctan2(-R[2, 0], level))
    if level < 1e-9:  # looking straight up or down: only yaw − roll or yaw + roll counts
        return float(np.arctan2(-R[1, 2], R[1, 1])), pitch, 0.0
    return float(np.arctan2(R[2, 1], R[2, 2])), pitch, float(np.arctan2(R[1, 0], R[0, 0]))
