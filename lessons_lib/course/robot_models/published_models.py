"""Published models of the same two arms: joint by joint from URDF files, and row by row from tables."""
# A URDF contains neither screws nor rows: it gives the pose of each joint's frame in the previous one at the joint's
# zero, and the axis in that frame. This third convention leads to the same screws.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.course import matlab_library
from lessons_lib.robots import PANDA_DH, PANDA_FLANGE, Chain, from_dh, from_screws, panda, ur10
from lessons_lib.robots.urdf_reader import rotation_of

Triple = tuple[float, float, float]

QUARTER = np.pi / 2
STILL, X, Y, Z = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Placed:
    """A frame placed by a URDF, with the axis of its joint if it has one."""

    xyz: Triple = STILL  # position in the previous frame, m
    rpy: Triple = STILL  # rotations about the fixed x, y and z axes of the previous frame, in this order, rad
    axis: Triple | None = None  # unit axis of the revolute joint, in the placed frame

    @property
    def pose(self) -> Array:
        """Pose in the previous frame at the joint's zero, shape (4, 4), m."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = rotation_of(self.rpy), self.xyz
        return T


UR10_URDF = (
    Placed(rpy=(0.0, 0.0, np.pi)),  # base_link in `base`: the file's base_link is rotated by half a revolution
    Placed((0.0, 0.0, 0.1273), axis=Z),
    Placed((0.0, 0.220941, 0.0), (0.0, QUARTER, 0.0), Y),
    Placed((0.0, -0.1719, 0.612), axis=Y),
    Placed((0.0, 0.0, 0.5723), (0.0, QUARTER, 0.0), Y),
    Placed((0.0, 0.1149, 0.0), axis=Z),
    Placed((0.0, 0.0, 0.1157), axis=Y),
    Placed((0.0, 0.0922, 0.0), (-QUARTER, 0.0, 0.0)),  # tool0
)
"""The UR10 from `base` to `tool0`. Source: ROS-Industrial, universal_robot, ur_description/urdf/ur10_robot.urdf."""

EARLY_UR10_URDF = (
    Placed(rpy=(0.0, 0.0, np.pi)),
    Placed((0.0, 0.0, 0.128), axis=Z),
    Placed((0.0, 0.1704, 0.0), (0.0, QUARTER, 0.0), Y),
    Placed((0.0, -0.12817, 0.60186), axis=Y),
    Placed((0.0, 0.0, 0.56415), (0.0, QUARTER, 0.0), Y),
    Placed((0.0, 0.11279, 0.0), axis=Z),
    Placed((0.0, 0.0, 0.11279), axis=Y),
    Placed((0.0, 0.0857, 0.0), (-QUARTER, 0.0, 0.0)),
)
"""An early version of the same file, commit 2491402db84f, with the base and tool frames of the later version."""

UR10_SERIES_1 = (
    (0.0, QUARTER, 0.118),
    (-0.6127, 0.0, 0.0),
    (-0.5716, 0.0, 0.0),
    (0.0, QUARTER, 0.1639),
    (0.0, -QUARTER, 0.1157),
    (0.0, 0.0, 0.0922),
)
"""Rows (a, α, d), standard. Source: the maker's documentation of the CB3 controller, Table C.4, "UR10 robot serie 1".
"""

PANDA_URDF = (
    Placed((0.0, 0.0, 0.333), axis=Z),
    Placed(STILL, (-QUARTER, 0.0, 0.0), Z),
    Placed((0.0, -0.316, 0.0), (QUARTER, 0.0, 0.0), Z),
    Placed((0.0825, 0.0, 0.0), (QUARTER, 0.0, 0.0), Z),
    Placed((-0.0825, 0.384, 0.0), (-QUARTER, 0.0, 0.0), Z),
    Placed(STILL, (QUARTER, 0.0, 0.0), Z),
    Placed((0.088, 0.0, 0.0), (QUARTER, 0.0, 0.0), Z),
    Placed((0.0, 0.0, 0.107)),  # panda_link8
)
"""The Panda from `panda_link0` to `panda_link8`. Source: Franka Emika, franka_ros, robots/panda_arm.xacro."""


def from_placements(placed: Sequence[Placed], name: str = "chain") -> Chain:
    """Return the chain of a URDF's frames: screw i is the joint axis, moved into {s} by all frames up to its own."""
    T, axes = np.eye(4), np.zeros((0, 6))
    for frame in placed:
        T = T @ frame.pose
        if frame.axis is not None:
            axes = np.vstack([axes, lie.adjoint(T) @ [*frame.axis, *STILL]])
    # a right angle leaves 6e-17 in place of zero, and a zero keeps the generated code short
    return from_screws(np.where(np.abs(axes) < 1e-15, 0.0, axes).T, np.where(np.abs(T) < 1e-15, 0.0, T), name=name)


def ur10_models() -> dict[str, Chain]:
    """Return the chains published as "UR10", by publisher; all have the same {s} and {b}."""
    return {
        "manufacturer's table": ur10(),
        "URDF": from_placements(UR10_URDF, "UR10 of the URDF"),
        "URDF, early": from_placements(EARLY_UR10_URDF, "UR10 of the early URDF"),
        "table, series 1": from_dh(UR10_SERIES_1, name="UR10 of series 1"),
        "MATLAB library": matlab_library.wrong_ur10(),
    }


def misread_panda() -> Chain:
    """Return the Panda with its flange and its modified rows read as standard ones, which is the only mistake."""
    flange = np.eye(4)
    flange[2, 3] = PANDA_FLANGE
    return from_dh(PANDA_DH, "standard", flange, name="Panda with its rows read as standard")


PAIRS: dict[str, tuple[Callable[[], Chain], Callable[[], Chain]]] = {
    "UR10, a₂ wrong": (ur10, matlab_library.wrong_ur10),
    "Panda, rows read as standard": (panda, misread_panda),
}
"""The correct arm and a model with one mistake from the MATLAB library, by robot and mistake.

The library's Panda also lacks its flange, a third mistake; the model here has the flange.
"""
