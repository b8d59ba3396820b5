"""Build a tree from links and joints: count coordinates, merge fixed joints, align the axis of each joint with z."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError, UrdfError
from lessons_lib.robots import tree_layout as layout
from lessons_lib.robots.joint_frames import basis, joint_pose, rotation_pose
from lessons_lib.robots.robot_model import Joint, RobotModel
from lessons_lib.robots.tree import Tree
from lessons_lib.robots.tree_state import TreeArrays

ROOT_JOINT = "root_joint"
"""Name of the joint of a floating or planar base, as in Pinocchio."""

_PLANAR_Q, _PLANAR_V = ("x", "y", "angle"), ("wz", "vx", "vy")
_FREE_Q = ("x", "y", "z", "qx", "qy", "qz", "qw")
_FREE_V = ("wx", "wy", "wz", "vx", "vy", "vz")


def build(model: RobotModel, floating_base: bool = False, mimic: bool = True, planar_base: bool = False) -> Tree:
    """Return the tree of a model; without `mimic` each mimic joint has its own coordinate."""
    builder = _TreeBuilder(model, mimic)
    if floating_base and planar_base:
        raise ParameterError("floating_base and planar_base exclude each other; give one of them")
    if floating_base or planar_base:
        if any(joint.name == ROOT_JOINT for joint in model.joints):
            raise UrdfError(
                f"joints of {model.name!r} must not have the name of the base's joint {ROOT_JOINT!r}; rename it"
            )
        add = builder.add_free if floating_base else builder.add_planar_base
        builder.carrier[model.root] = (add(ROOT_JOINT, layout.WORLD, np.eye(4)), np.eye(4))
    for joint in model.depth_first():
        builder.add(joint)
    builder.assign_mimics()
    return builder.tree()


@dataclass
class _TreeBuilder:
    """The tree so far; `carrier` has for each link the number of its joint (from 1, 0 is {s}) and its pose there."""

    model: RobotModel
    mimic: bool
    carrier: dict[str, tuple[int, Array]] = field(default_factory=dict)
    joint_names: list[str] = field(default_factory=list)
    q_names: list[str] = field(default_factory=list)
    v_names: list[str] = field(default_factory=list)
    q0: list[float] = field(default_factory=list)
    bounds: list[tuple[float, float]] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    q_of_v: list[int] = field(default_factory=list)
    angles: list[bool] = field(default_factory=list)
    periods: list[float] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    placements: list[Array] = field(default_factory=list)
    ratios: list[tuple[float, float]] = field(default_factory=list)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    following: list[tuple[int, Joint]] = field(default_factory=list)
    twist_rows: int = 0

    def __post_init__(self) -> None:
        """Fix the root link to the world."""
        self.carrier[self.model.root] = (layout.WORLD, np.eye(4))

    def add(self, joint: Joint) -> None:
        """Add a joint and the pose of its child link."""
        parent, placement = self.carrier[joint.parent]
        placement = placement @ joint.placement
        if joint.kind == "floating":
            self.carrier[joint.child] = (self.add_free(joint.name, parent, placement), np.eye(4))
        elif joint.kind == "planar":
            self.carrier[joint.child] = self._add_planar(joint, parent, placement)
        elif joint.kind == "fixed":
            self.carrier[joint.child] = (parent, placement)
        else:
            self.carrier[joint.child] = self._add_simple(joint, parent, placement)

    def add_free(self, name: str, parent: int, placement: Array) -> int:
        """Add a free joint and return its number, from 1."""
        self.joint_names.append(name)
        number = self._add_row(layout.FREE, parent, placement, (len(self.q_names), len(self.v_names)), 6)
        self.q_of_v += [-1 - len(self.q_names)] * 6
        self.q_names += [f"{name}.{part}" for part in _FREE_Q]
        self.v_names += [f"{name}.{part}" for part in _FREE_V]
        self.q0 += [0.0] * 6 + [1.0]
        self.angles += [False] * 7
        self.bounds += [(-math.inf, math.inf)] * 7
        self.speeds += [math.inf] * 6
        self.periods += [0.0] * 6
        return number

    def add_planar_base(self, name: str, parent: int, placement: Array) -> int:
        """Add two prismatic joints and a rotation with the rates (ω, v_x, v_y) of the body twist; return its number."""
        self.joint_names.append(name)
        first_q, first_v = len(self.q_names), len(self.v_names)
        for k, axis in enumerate(np.eye(3)[:2]):
            place = (first_q + k, first_v + 1 + k)
            parent, placement = self._add_along(axis, layout.PRISMATIC, parent, placement, place)
        self.q_of_v += [-1 - first_q] * 3
        self.q_names += [f"{name}.{part}" for part in _PLANAR_Q]
        self.v_names += [f"{name}.{part}" for part in _PLANAR_V]
        self.q0 += [0.0] * 3
        self.angles += [False, False, True]
        self.bounds += [(-math.inf, math.inf)] * 3
        self.speeds += [math.inf] * 3
        self.periods += [0.0] * 3
        return self._add_row(layout.PLANAR, parent, placement, (first_q + 2, first_v), 1)

    def _add_planar(self, joint: Joint, parent: int, placement: Array) -> tuple[int, Array]:
        """Add two prismatic joints in the plane and a rotation about its normal; `basis` defines x and y."""
        self.joint_names.append(joint.name)
        first, second, normal = basis(joint.axis).T
        for part, axis in (("x", first), ("y", second), ("angle", normal)):
            kind = layout.REVOLUTE if part == "angle" else layout.PRISMATIC
            place = self._new_coordinate(f"{joint.name}.{part}", kind, joint, endless=part == "angle")
            parent, placement = self._add_along(axis, kind, parent, placement, place)
        return parent, placement

    def _add_simple(self, joint: Joint, parent: int, placement: Array) -> tuple[int, Array]:
        kind = layout.PRISMATIC if joint.kind == "prismatic" else layout.REVOLUTE
        if self.mimic and joint.mimic is not None:
            leader, _, offset = self.model.leader(joint)
            if leader.kind == "fixed":  # its leader is locked
                return parent, placement @ joint_pose(joint.axis, offset, joint.kind == "prismatic")
            carried = self._add_along(joint.axis, kind, parent, placement, (0, 0))
            self.following.append((carried[0] - 1, joint))
            return carried
        self.joint_names.append(joint.name)
        place = self._new_coordinate(joint.name, kind, joint, endless=joint.kind == "continuous")
        self.places[joint.name] = place
        return self._add_along(joint.axis, kind, parent, placement, place)

    def _new_coordinate(self, name: str, kind: int, joint: Joint, endless: bool) -> tuple[int, int]:
        """Add a coordinate and its rate, and return their indices; `endless`: periodic by a revolution."""
        place = (len(self.q_names), len(self.v_names))
        self.q_of_v.append(len(self.q_names))
        self.q_names.append(name)
        self.v_names.append(name)
        self.q0.append(0.0)
        self.angles.append(kind == layout.REVOLUTE)
        self.bounds.append((joint.lower, joint.upper))
        self.speeds.append(joint.velocity)
        self.periods.append(2.0 * math.pi if endless else 0.0)
        return place

    def _add_along(
        self, axis: Array, kind: int, parent: int, placement: Array, place: tuple[int, int]
    ) -> tuple[int, Array]:
        """Add a joint whose frame is rotated so that its axis is z; return the number and pose for its child."""
        aligned = rotation_pose(basis(axis))
        return self._add_row(kind, parent, placement @ aligned, place, 1), aligned.T.copy()

    def _add_row(self, kind: int, parent: int, placement: Array, place: tuple[int, int], rates: int) -> int:
        self.rows.append([kind, parent, *place, self.twist_rows])
        self.placements.append(placement)
        self.ratios.append((1.0, 0.0))
        self.twist_rows += rates
        return len(self.rows)

    def assign_mimics(self) -> None:
        """Assign to each mimic joint the coordinate of its leader, which may come later in the tree."""
        for i, joint in self.following:
            leader, multiplier, offset = self.model.leader(joint)
            self.rows[i][layout.Q], self.rows[i][layout.V] = self.places[leader.name]
            self.ratios[i] = (multiplier, offset)

    def tree(self) -> Tree:
        links = {link.name: link for link in self.model.links}
        names = (self.model.root, *(joint.child for joint in self.model.depth_first()))
        base = [(ROOT_JOINT, self.model.root)] if self.joint_names[:1] == [ROOT_JOINT] else []
        bounds = np.array(self.bounds, dtype=np.float64).reshape(-1, 2)
        return Tree(
            name=self.model.name,
            joint_names=tuple(self.joint_names),
            frame_names=names,
            joint_frames=(*base, *((joint.name, joint.child) for joint in self.model.depth_first())),
            q_names=tuple(self.q_names),
            v_names=tuple(self.v_names),
            q0=np.array(self.q0, dtype=np.float64),
            lower=bounds[:, 0].copy(),
            upper=bounds[:, 1].copy(),
            velocity_limits=np.array(self.speeds, dtype=np.float64),
            q_of_v=np.array(self.q_of_v, dtype=np.int64),
            is_angle=np.array(self.angles, dtype=bool),
            link_masses=np.array([links[name].mass for name in names]),
            link_centres=np.array([links[name].centre for name in names]).reshape(-1, 3),
            arrays=self._arrays(names, links),
        )

    def _arrays(self, names: tuple[str, ...], links: dict[str, Any]) -> TreeArrays:
        bodies = np.zeros((1 + len(self.rows), 4))
        for name in names:
            carrier, offset = self.carrier[name]
            centre = offset[:3, :3] @ links[name].centre + offset[:3, 3]
            bodies[carrier] += links[name].mass * np.array([1.0, *centre])
        bodies[layout.WORLD] = 0.0
        return TreeArrays(
            joints=np.array(self.rows, dtype=np.int64).reshape(-1, layout.JOINT_COLUMNS),
            placements=np.array(self.placements, dtype=np.float64).reshape(-1, 4, 4),
            ratios=np.array(self.ratios, dtype=np.float64).reshape(-1, 2),
            bodies=bodies,
            carriers=np.array([self.carrier[name][0] for name in names], dtype=np.int64),
            offsets=np.array([self.carrier[name][1] for name in names]),
            periods=np.array(self.periods, dtype=np.float64),
        )
