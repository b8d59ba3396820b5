"""Lock joints of a robot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real

from lessons_lib.errors import ParameterError, near_matches
from lessons_lib.robots.joint_frames import joint_pose
from lessons_lib.robots.robot_model import Joint, RobotModel

SIMPLE = ("revolute", "continuous", "prismatic")


def lock_joints(model: RobotModel, locked: Mapping[str, float] | Iterable[str], mimic: bool = True) -> RobotModel:
    """Return the robot with joints fixed at an angle [rad] or displacement [m]; with `mimic` also their followers."""
    names = [locked] if isinstance(locked, str) else locked
    try:
        listed = list(names)
    except TypeError:
        listed = [names]  # type: ignore[list-item]  # not iterable: refused below
    if not all(isinstance(name, str) for name in listed):
        raise ParameterError(f"locked must be names of joints, or a mapping from names to numbers; got {locked!r}")
    values = dict(names) if isinstance(names, Mapping) else dict.fromkeys(listed, 0.0)
    simple = {joint.name: joint for joint in model.joints if joint.kind in SIMPLE}
    for name, value in values.items():
        if name not in simple:
            near = near_matches(name, tuple(simple))
            raise ParameterError(f"{model.name} has no revolute or prismatic joint {name!r}; {near}")
        if mimic and simple[name].mimic is not None:
            leader = model.leader(simple[name])[0].name
            raise ParameterError(f"joint {name!r} mimics {leader!r}; lock that joint instead")
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ParameterError(f"the value of locked joint {name!r} must be a finite number, rad or m, got {value!r}")
    if not values:
        return model
    return replace(model, joints=tuple([_lock_joint(joint, values, model, mimic) for joint in model.joints]))


def _lock_joint(joint: Joint, values: Mapping[str, float], model: RobotModel, mimic: bool) -> Joint:
    """Return the joint, fixed if it or the joint that it mimics is locked."""
    if joint.name in values:
        value = float(values[joint.name])
    elif mimic and joint.mimic is not None:
        leader, multiplier, offset = model.leader(joint)
        if leader.name not in values:
            return joint
        value = multiplier * values[leader.name] + offset
    else:
        return joint
    placement = joint.placement @ joint_pose(joint.axis, value, joint.kind == "prismatic")
    return replace(joint, kind="fixed", placement=placement, mimic=None)
