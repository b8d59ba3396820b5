"""Robots from URDF files, as a whole tree or a serial chain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import check_flag, check_string
from lessons_lib.errors import ParameterError, near_matches
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import serial, tree_builder, urdf_reader
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.joint_frames import joint_pose
from lessons_lib.robots.load_warnings import warn_about_degrees, warn_about_zero_width
from lessons_lib.robots.robot_model import Joint, RobotModel
from lessons_lib.robots.tree import Tree

FOLDER = Path(__file__).with_name("urdf_files")
"""Folder of the included URDF files."""


def urdf_names() -> list[str]:
    """Return the names of the included URDF files: arms, a quadruped with twelve joints, a torso with two arms.

    >>> from lessons_lib import robots
    >>> robots.urdf_names()
    ['panda', 'planar_2r', 'quadruped', 'two_arms', 'ur10']
    """
    return sorted(path.stem for path in FOLDER.glob("*.urdf"))


def urdf_file(name: str) -> Path:
    """Return the path of an included URDF file.

    >>> from lessons_lib import robots
    >>> robots.urdf_file("panda").name
    'panda.urdf'

    Args:
        name: One of `urdf_names()`.

    Raises:
        ParameterError: No file has that name.
    """
    if not isinstance(name, str) or name not in urdf_names():
        raise ParameterError(f"no included URDF file is named {name!r}; {near_matches(name, urdf_names())}")
    return FOLDER / f"{name}.urdf"


@suggest_arguments
def load_urdf(
    path: str | Path,
    floating_base: bool = False,
    mimic: bool = True,
    *,
    planar_base: bool = False,
    locked: Mapping[str, float] | Iterable[str] = (),
) -> Tree:
    """Return the robot of a URDF, every link a named frame; meshes are not opened.

    The coordinates of q are in Pinocchio's order: depth first, the joints of a link sorted by name. Joint types, and
    how Pinocchio differs:

    - a continuous joint has one coordinate, its angle (Pinocchio: cosine and sine);
    - a planar joint has x, y and an angle in the plane perpendicular to its axis, and their rates as tangent
      (Pinocchio: the plane perpendicular to z, and a body twist);
    - a floating joint, and the floating base, has seven coordinates, position and quaternion, and six rates, its body
      twist (ω, v) (Pinocchio: (v, ω));
    - a planar base has x, y and its angle, and three rates, its body twist (ω, v_x, v_y) (Pinocchio: cosine and sine of
      the angle, and (v_x, v_y, ω)).

    Warnings name joints that cannot move because their limits have zero width, and limits or rpy angles that look like
    degrees.

    >>> from lessons_lib import robots
    >>> robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
    Tree('quadruped', nq=19, nv=18, 17 frames)

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        floating_base: Whether the root link moves freely; its joint is called "root_joint".
        mimic: Whether a mimic joint follows its leader; else it has its own coordinate, the default of Pinocchio.
        planar_base: Whether the root link moves in the plane z = 0 and turns about z; its joint is called "root_joint".
        locked: Joints to lock, which then have no coordinate: names (locked at 0), or a mapping from names to angles
            [rad] or displacements [m]. Their mimic joints are locked with them.

    Raises:
        UrdfError: The text cannot be read, is not a URDF, or does not describe a tree; the message names the element.
        ParameterError: A flag is not True or False, a name in `locked` is not that of a revolute or prismatic joint, or
            a value is not finite.
    """
    flags = {"floating_base": floating_base, "mimic": mimic, "planar_base": planar_base}
    floating_base, mimic, planar_base = (check_flag(name, value) for name, value in flags.items())
    model = lock_joints(urdf_reader.read(path), locked, mimic)
    tree = tree_builder.build(model, floating_base, mimic, planar_base)
    limits = np.column_stack([tree.lower, tree.upper])
    units = ["rad" if is_angle else "m" for is_angle in tree.is_angle]
    remedy = "name it in `locked`; the default of a limit in a URDF is 0"
    warn_about_zero_width(tree.name, tree.q_names, limits, units, remedy)
    warn_about_degrees(tree.name, tree.q_names, limits, tree.is_angle)
    return tree


@suggest_arguments
def from_urdf(
    path: str | Path, base: str | None = None, tip: str | None = None, tool: ArrayLike | None = None
) -> Chain:
    """Return the serial chain between two links of a URDF, with its own generated kinematics.

    A mimic joint moves with the coordinate of its leader: see `Coupling`. Its limits and its speed narrow those of the
    coordinate, except for limits of zero width.

    Warnings are those of `load_urdf` for the joints of the chain; `Chain.with_limits` locks a joint silently.

    >>> from lessons_lib import robots
    >>> robots.from_urdf(robots.urdf_file("panda"), base="panda_link0", tip="panda_link8")
    Chain('panda', 7 joints: RRRRRRR)

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        base: The link that carries {s}; the root by default.
        tip: The link that carries {b}; by default the only leaf below the base. The chain then includes a gripper of
            the file, with a warning if a joint is named like a gripper's.
        tool: Pose of {b} in the tip's frame, shape (4, 4), position in m; the identity by default.

    Raises:
        UrdfError: As `load_urdf`; or there is more than one leaf, no joint moves it, or a joint on the path floats.
        LimitsError: A mimic joint is outside its limits at every value of its leader.
        FrameNotFound: There is no link `base` or `tip`.
        TransformError: `tool` is not a pose.
        ParameterError: base or tip is not a string.
    """
    for name, link in (("base", base), ("tip", tip)):
        if link is not None:
            check_string(name, link)
    model = urdf_reader.read(path)
    chain = serial.chain_between(model, tree_builder.build(model), base, tip)
    return chain if tool is None else chain.with_tool(tool)


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
