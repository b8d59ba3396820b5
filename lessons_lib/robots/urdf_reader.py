"""Convert the elements of a URDF to links and joints, with URDF's default values."""

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
    """Return the links and joints of a URDF, a file or a string that begins with "<"; meshes are not opened."""
    robot = urdf_text.read(path)
    links, joints = map(_link, robot.findall("link")), map(_joint, robot.findall("joint"))
    return RobotModel(robot.get("name", ""), tuple(links), tuple(joints))


def _link(link: Element) -> Link:
    inertial, name = link.find("inertial"), link.get("name", "")
    if inertial is None:
        return Link(name, 0.0, np.zeros(3))
    mass = _number(inertial.find("mass"), "value", 0.0)
    if mass < 0.0:
        raise UrdfError(f"the mass of link {name!r} must be zero or more, in kg, got {mass:g}")
    return Link(name, mass, _vector(inertial.find("origin"), "xyz", (0.0, 0.0, 0.0)))


def _joint(joint: Element) -> Joint:
    name, kind = joint.get("name", ""), joint.get("type", "")
    if kind not in JOINT_KINDS:
        raise UrdfError(
            f"the type of joint {name!r} must be one of {', '.join(JOINT_KINDS)}, got {joint.get('type')!r}"
        )
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
    part = element.find(tag)
    assert part is not None  # checked by urdf_text
    return part


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
    """Return the rotation of roll, pitch and yaw about the fixed x, y and z, rad; exact at multiples of 90°."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    R: Array = np.array(  # noqa: N806
        [
            [cp * cy, sp * (sr * cy) - cr * sy, sp * (cr * cy) + sr * sy],
            [cp * sy, sp * (sr * sy) + cr * cy, sp * (cr * sy) - sr * cy],
            [-sp, cp * sr, cp * cr],
        ]
    )
    whole = np.round(R)  # the 6e-17 of cos(π/2) would double a chain's code
    return np.where(np.abs(R - whole) < 1e-15, whole, R)


def _axis(joint: Element, name: str, kind: str) -> Array:
    """Return the axis, normalised as in urdfdom."""
    if kind in ("fixed", "floating"):
        return np.array([1.0, 0.0, 0.0])
    axis = _vector(joint.find("axis"), "xyz", (1.0, 0.0, 0.0))
    length = float(np.linalg.norm(axis))
    if not length > 0.0:
        raise UrdfError(f"the axis of joint {name!r} must not be zero, got {axis.tolist()}")
    return axis / length


def _limits(joint: Element, name: str, kind: str) -> tuple[float, float, float]:
    """Return lower and upper limit and the speed bound, with URDF's defaults."""
    limit, bounded = joint.find("limit"), kind in ("revolute", "prismatic")
    if limit is None:
        if bounded:
            remedy = "; without limits its type is continuous" if kind == "revolute" else ""
            raise UrdfError(
                f"the {kind} joint {name!r} must have limits: "
                f'<limit lower="…" upper="…" velocity="…" effort="…"/>{remedy}'
            )
        return -math.inf, math.inf, math.inf
    if bounded and limit.get("velocity") is None:
        raise UrdfError(f"the <limit> of joint {name!r} must have a velocity, in rad/s or m/s")
    velocity = _number(limit, "velocity", math.inf)
    if velocity < 0.0:
        raise UrdfError(f"the velocity limit of joint {name!r} must be zero or more, got {velocity:g}")
    if not bounded:
        return -math.inf, math.inf, velocity
    lower, upper = _number(limit, "lower", 0.0), _number(limit, "upper", 0.0)
    if lower > upper:
        raise UrdfError(f"limits of joint {name!r} must have lower ≤ upper, got [{lower:g}, {upper:g}]")
    if lower == math.inf or upper == -math.inf:
        raise UrdfError(f"limits of joint {name!r} must contain a finite value, got [{lower:g}, {upper:g}]")
    return lower, upper, velocity
