"""A robot some of whose joints hold still."""

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
    """Return the robot with joints made fixed.

    Args:
        model: Links and joints.
        locked: Names of joints; or with each its angle [rad] or displacement [m], 0 where none is given.
        mimic: Whether joints that mimic a locked one hold still with it.

    Raises:
        ParameterError: No joint of that name turns or slides, it follows another, or a value is not finite.
    """
    names = [locked] if isinstance(locked, str) else locked
    try:
        listed = list(names)
    except TypeError:
        listed = [names]  # type: ignore[list-item]  # no row of names: refused below
    if not all(isinstance(name, str) for name in listed):
        raise ParameterError(f"locked must be names of joints, or a mapping from names to numbers; got {locked!r}")
    values = dict(names) if isinstance(names, Mapping) else dict.fromkeys(listed, 0.0)
    simple = {joint.name: joint for joint in model.joints if joint.kind in SIMPLE}
    for name, value in values.items():
        if name not in simple:
            near = near_matches(name, tuple(simple))
            raise ParameterError(f"{model.name} has no joint {name!r} that turns or slides; {near}")
        if mimic and simple[name].mimic is not None:
            leader = model.leader(simple[name])[0].name
            raise ParameterError(f"joint {name!r} follows {leader!r}, and holds still where that one is locked")
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ParameterError(f"joint {name!r} is to be locked at {value!r}; give a finite number, rad or m")
    if not values:
        return model
    return replace(model, joints=tuple([_lock_joint(joint, values, model, mimic) for joint in model.joints]))


def _lock_joint(joint: Joint, values: Mapping[str, float], model: RobotModel, mimic: bool) -> Joint:
    """Return the joint, fixed where it or the one that it mimics is locked."""
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
