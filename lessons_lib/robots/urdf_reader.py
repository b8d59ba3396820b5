"""From the elements of a URDF to links and joints, with the defaults that URDF gives to what is left out."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError
from lessons_lib.robots import urdf_text
from lessons_lib.robots.load_warnings import warn_about_angles
from lessons_lib.robots.robot_model import JOINT_KINDS, Joint, Link, Mimic, RobotModel


def read(path: str | Path) -> RobotModel:
    """Return the links and joints of a URDF; no mesh is opened.

    Args:
        path: Of a file; or the URDF itself, a string that begins with "<".

    Raises:
        UrdfError: It cannot be read, is no URDF, or is no tree; the message names the element.
    """
    robot = urdf_text.read(path)
    links, joints = map(_link, robot.findall("link")), map(_joint, robot.findall("joint"))
    return RobotModel(robot.get("name", ""), tuple(links), tuple(joints))


def _link(link: Element) -> Link:
    inertial, name = link.find("inertial"), link.get("name", "")
    if inertial is None:
        return Link(name, 0.0, np.zeros(3))
    mass = _number(inertial.find("mass"), "value", 0.0)
    if mass < 0.0:
        raise UrdfError(f"link {name!r} has a mass of {mass:g} kg; a mass is not negative")
    return Link(name, mass, _vector(inertial.find("origin"), "xyz", (0.0, 0.0, 0.0)))


def _joint(joint: Element) -> Joint:
    name, kind = joint.get("name", ""), joint.get("type", "")
    if kind not in JOINT_KINDS:
        raise UrdfError(f"joint {name!r} has type {joint.get('type')!r}; the types are {', '.join(JOINT_KINDS)}")
    parent, child = (_part(joint, end).get("link", "") for end in ("parent", "child"))
    lower, upper, velocity = _limits(joint, name, kind)
    follows, mimic = joint.find("mimic"), None
    if follows is not None and kind in ("revolute", "continuous", "prismatic"):
        leader, ratio, offset = (
            follows.get("joint", ""),
            _number(follows, "multiplier", 1.0),
            _number(follows, "offset", 0.0),
        )
        mimic = Mimic(leader, ratio, offset)
    rpy = _vector(joint.find("origin"), "rpy", (0.0, 0.0, 0.0))
    warn_about_angles(f"joint {name!r}", ("roll", "pitch", "yaw"), rpy)
    placement = placement_of(joint.find("origin"))
    return Joint(name, kind, parent, child, placement, _axis(joint, name, kind), lower, upper, velocity, mimic)


def _part(element: Element, tag: str) -> Element:
    found = element.find(tag)
    assert found is not None  # urdf_text has looked
    return found


def _number(element: Element | None, attribute: str, left_out: float) -> float:
    return left_out if element is None else float(element.get(attribute, left_out))


def _vector(element: Element | None, attribute: str, left_out: tuple[float, float, float]) -> Array:
    words = None if element is None else element.get(attribute)
    return np.array(left_out if words is None else [float(word) for word in words.split()], np.float64)


def placement_of(origin: Element | None) -> Array:
    """Return the pose of an <origin>, shape (4, 4), m."""
    nothing, placement = (0.0, 0.0, 0.0), np.eye(4)
    placement[:3, :3] = rotation_of(_vector(origin, "rpy", nothing))
    placement[:3, 3] = _vector(origin, "xyz", nothing)
    return placement


def rotation_of(rpy: ArrayLike) -> Array:
    """Return the matrix of roll, pitch and yaw, turns about the fixed x, y and z in this order, rad.

    Quarter turns are exact: the 6e-17 that cos(π/2) leaves would double a chain's code.
    """
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    R: Array = np.array(  # noqa: N806
        [
            [cp * cy, sp * (sr * cy) - cr * sy, sp * (cr * cy) + sr * sy],
            [cp * sy, sp * (sr * sy) + cr * cy, sp * (cr * sy) - sr * cy],
            [-sp, cp * sr, cp * cr],
        ]
    )
    whole = np.round(R)
    return np.where(np.abs(R - whole) < 1e-15, whole, R)


def _axis(joint: Element, name: str, kind: str) -> Array:
    """Return the unit axis; one that is not normalised is, as urdfdom's users expect."""
    if kind in ("fixed", "floating"):
        return np.array([1.0, 0.0, 0.0])
    axis = _vector(joint.find("axis"), "xyz", (1.0, 0.0, 0.0))
    length = float(np.linalg.norm(axis))
    if not length > 0.0:
        raise UrdfError(f"the axis of joint {name!r} is {axis.tolist()}; an axis has a direction")
    return axis / length


def _limits(joint: Element, name: str, kind: str) -> tuple[float, float, float]:
    """Return lower and upper limit and the bound on the speed, as URDF defines them where they are left out."""
    limit, bounded = joint.find("limit"), kind in ("revolute", "prismatic")
    if limit is None:
        if bounded:
            remedy = "; one without limits is continuous" if kind == "revolute" else ""
            raise UrdfError(
                f"joint {name!r} is {kind} and has no limits; URDF asks for "
                f'<limit lower="…" upper="…" velocity="…" effort="…"/>{remedy}'
            )
        return -math.inf, math.inf, math.inf
    if bounded and limit.get("velocity") is None:
        raise UrdfError(f"the <limit> of joint {name!r} has no velocity; URDF asks for one, in rad/s or m/s")
    velocity = _number(limit, "velocity", math.inf)
    if velocity < 0.0:
        raise UrdfError(f"the velocity limit of joint {name!r} is {velocity:g}; it is not negative")
    if not bounded:
        return -math.inf, math.inf, velocity
    lower, upper = _number(limit, "lower", 0.0), _number(limit, "upper", 0.0)
    if lower > upper:
        raise UrdfError(f"limits of joint {name!r} are [{lower:g}, {upper:g}]: lower must not exceed upper")
    if lower == math.inf or upper == -math.inf:
        raise UrdfError(f"limits of joint {name!r} are [{lower:g}, {upper:g}]: no finite value lies between them")
    return lower, upper, velocity
