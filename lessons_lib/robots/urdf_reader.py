"""From a URDF file to links and joints: parsed by yourdfpy, which is loaded only here."""

from __future__ import annotations

import math
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError
from lessons_lib.robots import urdf_text
from lessons_lib.robots.robot_model import JOINT_KINDS, Joint, Link, Mimic, RobotModel

if TYPE_CHECKING:
    import yourdfpy

_NO_MESHES = {
    "build_scene_graph": False,
    "load_meshes": False,
    "build_collision_scene_graph": False,
    "load_collision_meshes": False,
}


def read(path: str | Path) -> RobotModel:
    """Return the links and joints of a URDF file; no mesh is opened.

    Raises:
        UrdfError: It cannot be read, is no URDF, or is no tree; the message names the element.
    """
    text = urdf_text.read(path)
    import yourdfpy

    try:
        robot = yourdfpy.URDF.load(BytesIO(text), **_NO_MESHES).robot
    except Exception as cause:  # whatever the parser makes of a text that passed our checks
        raise UrdfError(f"{Path(path).name} cannot be parsed: {cause!r}") from cause
    return RobotModel(robot.name, tuple(map(_link, robot.links)), tuple(map(_joint, robot.joints)))


def _link(link: yourdfpy.Link) -> Link:
    inertial = link.inertial
    mass = inertial.mass if inertial is not None and inertial.mass is not None else 0.0
    if mass < 0.0:
        raise UrdfError(f"link {link.name!r} has a mass of {mass:g} kg; a mass is not negative")
    origin = None if inertial is None else inertial.origin
    return Link(link.name, float(mass), np.zeros(3) if origin is None else np.array(origin[:3, 3]))


def _joint(joint: yourdfpy.Joint) -> Joint:
    if joint.type not in JOINT_KINDS:
        raise UrdfError(f"joint {joint.name!r} has type {joint.type!r}; the types are {', '.join(JOINT_KINDS)}")
    placement = np.eye(4) if joint.origin is None else _exact_quarters(np.array(joint.origin, dtype=np.float64))
    lower, upper, velocity = _limits(joint)
    mimic = None
    if joint.mimic is not None and joint.type in ("revolute", "continuous", "prismatic"):
        mimic = Mimic(joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset)
    return Joint(
        joint.name, joint.type, joint.parent, joint.child, placement, _axis(joint), lower, upper, velocity, mimic
    )


def _exact_quarters(placement: Array) -> Array:
    """Return the placement with exact quarter turns: the 6e-17 that cos(π/2) leaves would double a chain's code."""
    whole = np.round(placement[:3, :3])
    placement[:3, :3] = np.where(np.abs(placement[:3, :3] - whole) < 1e-15, whole, placement[:3, :3])
    return placement


def _axis(joint: yourdfpy.Joint) -> Array:
    """Return the unit axis; one that is not normalised is, as urdfdom's users expect."""
    if joint.type in ("fixed", "floating"):
        return np.array([1.0, 0.0, 0.0])
    axis = np.array(joint.axis, dtype=np.float64)
    length = float(np.linalg.norm(axis))
    if not length > 0.0:
        raise UrdfError(f"the axis of joint {joint.name!r} is {axis.tolist()}; an axis has a direction")
    return axis / length


def _limits(joint: yourdfpy.Joint) -> tuple[float, float, float]:
    """Return lower and upper limit and the bound on the speed, as URDF defines them where they are left out."""
    limit, bounded = joint.limit, joint.type in ("revolute", "prismatic")
    if limit is None:
        if bounded:
            mend = "; one without limits is continuous" if joint.type == "revolute" else ""
            raise UrdfError(
                f"joint {joint.name!r} is {joint.type} and has no limits; URDF asks for "
                f'<limit lower="…" upper="…" velocity="…" effort="…"/>{mend}'
            )
        return -math.inf, math.inf, math.inf
    if bounded and limit.velocity is None:
        raise UrdfError(f"the <limit> of joint {joint.name!r} has no velocity; URDF asks for one, in rad/s or m/s")
    velocity = math.inf if limit.velocity is None else limit.velocity
    if velocity < 0.0:
        raise UrdfError(f"the velocity limit of joint {joint.name!r} is {velocity:g}; it is not negative")
    if not bounded:
        return -math.inf, math.inf, velocity
    lower, upper = limit.lower or 0.0, limit.upper or 0.0  # left out, each is 0 in URDF
    if lower > upper:
        raise UrdfError(f"limits of joint {joint.name!r} are [{lower:g}, {upper:g}]: lower must not exceed upper")
    if lower == math.inf or upper == -math.inf:
        raise UrdfError(f"limits of joint {joint.name!r} are [{lower:g}, {upper:g}]: no finite value lies between them")
    return lower, upper, velocity
