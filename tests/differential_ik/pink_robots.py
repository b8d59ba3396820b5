"""Robots of example-robot-data, loaded by this library and by Pinocchio, with conversions between the two.

The order of a floating base's twist, (ω, v) here and (v, ω) there, is exchanged in this file and nowhere else; an angle
without end is its cosine and sine there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pink
import pinocchio

from lessons_lib import robots
from lessons_lib.arrays import Array, Integers
from lessons_lib.differential_ik import Configuration
from lessons_lib.robots import Tree

ROBOTS = {
    "double pendulum": ("double_pendulum_continuous", False),  # two wheels, no limits
    "UR10": ("ur10_robot", False),
    "Panda": ("panda", False),  # a gripper's finger mimics the other
    "Kinova": ("kinova", False),  # has continuous joints
    "xArm": ("xarm7", False),
    "SO-100": ("so100", False),
    "Tiago": ("tiago_no_hand", False),  # wheels, a prismatic torso
    "Baxter": ("baxter", False),
    "Solo": ("solo12", True),
    "Go2": ("go2", True),
    "ANYmal": ("anymal", True),
    "Bolt": ("bolt", True),
    "TALOS": ("talos_reduced", True),
    "iCub": ("icub_reduced", True),
    "G1": ("g1_29dof_rev_1_0", True),
    "B1 with arm": ("b1-z1", True),
}
"""File, and whether the base floats, of sixteen robots."""

Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
"""Configuration of the UR10 away from its singularities."""

FLOATING = [name for name, (_, floating) in ROBOTS.items() if floating]


def urdf(name: str) -> Path:
    """Return the path of a URDF file of example-robot-data."""
    folder = Path(str(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")))
    return min(folder.rglob(f"{name}.urdf"))


@dataclass(frozen=True)
class PinkRobot:
    """A robot in both libraries."""

    tree: Tree
    model: pinocchio.Model
    order: Integers
    """Index in Pinocchio's tangent of each coordinate of ours."""

    def q(self, q: Array) -> Array:
        """Return our configuration as Pinocchio's."""
        theirs, k = np.empty(self.model.nq), 0
        for joint in self.model.joints:
            place = slice(joint.idx_q, joint.idx_q + joint.nq)
            if joint.idx_q < 0 or joint.nq == 0:  # the world and mimic joints
                continue
            if (joint.nq, joint.nv) == (2, 1):
                theirs[place] = np.cos(q[k]), np.sin(q[k])
                k += 1
            elif (joint.nq, joint.nv) == (4, 3):  # planar
                theirs[place] = q[k], q[k + 1], np.cos(q[k + 2]), np.sin(q[k + 2])
                k += 3
            else:
                theirs[place] = q[k : k + joint.nq]
                k += joint.nq
        assert k == self.tree.nq
        return theirs

    def v(self, v: Array) -> Array:
        """Return our tangent vector as Pinocchio's."""
        theirs = np.empty(len(v))
        theirs[self.order] = v
        return theirs

    def both(self, q: Array) -> tuple[Configuration, pink.Configuration]:
        """Return our configuration and Pink's."""
        return Configuration(self.tree, q), pink.Configuration(self.model, self.model.createData(), self.q(q))

    def frames(self, rng: np.random.Generator, count: int) -> list[str]:
        """Return up to `count` random frames, each moved by another joint.

        Their names mean one thing in Pinocchio, too, where joints are frames.
        """
        names, chosen = [frame.name for frame in self.model.frames], {0: ""}
        for frame in rng.permutation(self.tree.frame_names):
            carrier = int(self.tree.arrays.carriers[self.tree.frame(frame)])
            if names.count(frame) == 1 and carrier not in chosen and len(chosen) <= count:
                chosen[carrier] = str(frame)
        return list(chosen.values())[1:]

    def inside(self, rng: np.random.Generator) -> Array:
        """Return a random configuration within the limits, at least a hundredth of each range away from both ends."""
        q = self.tree.random_configuration(rng)
        limited = np.isfinite(self.tree.lower) & np.isfinite(self.tree.upper)
        middle = 0.5 * (self.tree.lower[limited] + self.tree.upper[limited])
        q[limited] = middle + 0.98 * (q[limited] - middle)
        return q


@cache
def robot(name: str) -> PinkRobot:
    """Return a robot, loaded once per session."""
    file, floating = ROBOTS[name]
    return pair_of(urdf(file), "floating" if floating else "fixed")


ROOTS = {"fixed": (), "floating": (3, 4, 5, 0, 1, 2), "planar": (2, 0, 1)}
"""Index in Pinocchio's tangent of each coordinate of the base."""


def pair_of(source: Path | str, base: str = "fixed", locked: Mapping[str, float] | None = None) -> PinkRobot:
    """Return the robot of a URDF, a file or a string, with a kind of base and with locked joints."""
    bases = {"floating_base": base == "floating", "planar_base": base == "planar"}
    tree = robots.load_urdf(source, **bases, locked=locked or {})
    kind = {"floating": pinocchio.JointModelFreeFlyer, "planar": pinocchio.JointModelPlanar}.get(base)
    root = () if kind is None else (kind(), "root_joint")
    if isinstance(source, Path):
        model = pinocchio.buildModelFromUrdf(str(source), *root, mimic=True)
    else:
        model = pinocchio.buildModelFromXML(source, *root, mimic=True)
    if locked:
        q = pinocchio.neutral(model)
        for name, value in locked.items():
            joint = model.joints[model.getJointId(name)]
            q[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
        model = pinocchio.buildReducedModel(model, [model.getJointId(name) for name in locked], q)
    order = np.arange(tree.nv)
    order[: len(ROOTS[base])] = ROOTS[base]
    return PinkRobot(tree, model, order)


def rows_first_linear(J: Array) -> Array:
    """Exchange the rows (ω, v) and (v, ω) of a Jacobian."""
    return np.roll(J.reshape(6, -1), 3, axis=0)  # the binding drops the axis of a single column


def pose(T: Array) -> pinocchio.SE3:
    """Return a pose as Pinocchio's."""
    return pinocchio.SE3(np.array(T))
