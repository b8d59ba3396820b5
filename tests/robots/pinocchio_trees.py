"""URDF robots as Pinocchio builds them, every joint free, with the map from our q and v to its own.

Pinocchio stores a continuous joint as (cos, sin), a free joint's tangent as (v, ω), and, unless asked, gives a joint
that mimics another a coordinate of its own. Mimic joints are read from the XML here, independently of our reader.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import files
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pinocchio
from numpy.testing import assert_allclose
from pinocchio_models import angular_first

from lessons_lib.arrays import Array
from lessons_lib.robots import Tree

_UR10 = "ur_description/urdf/ur10_robot.urdf"
ROBOTS = next(Path(f.locate()).parents[2] for f in files("example-robot-data") or () if f.as_posix().endswith(_UR10))
URDFS = sorted(str(path.relative_to(ROBOTS)) for path in ROBOTS.rglob("*.urdf"))

BROKEN = {
    "ur_description/urdf/ur3.urdf": "the <robot> of ur3.urdf must have a name",
    "alex_description/urdf/alex_psyonic_hands.urdf": "must mimic a joint, got 'index_q1'; did you mean 'Left_index_q1'",
}
"""Invalid files of the collection, with the error for each."""


@dataclass
class Twin:
    """A tree of ours and Pinocchio's model of the same file."""

    tree: Tree
    model: pinocchio.Model
    mimics: dict[str, tuple[str, float, float]]

    @cached_property
    def data(self) -> pinocchio.Data:
        """Pinocchio's buffers."""
        return self.model.createData()

    def q(self, q: Array) -> Array:
        """Return Pinocchio's configuration for ours."""
        ours = dict(zip(self.tree.q_names, q, strict=True))
        theirs = []
        for name, joint in zip(self.model.names[1:], self.model.joints[1:], strict=True):
            if joint.nq == 7:
                theirs += [ours[f"{name}.{part}"] for part in ("x", "y", "z", "qx", "qy", "qz", "qw")]
                continue
            leader, ratio, offset = self.mimics.get(name, (name, 1.0, 0.0))
            angle = ratio * ours[leader] + offset
            theirs += [math.cos(angle), math.sin(angle)] if joint.nq == 2 else [angle]
        return np.array(theirs)

    @cached_property
    def v_map(self) -> Array:
        """The matrix that takes our tangent to Pinocchio's, shape (their nv, our nv)."""
        columns = {name: i for i, name in enumerate(self.tree.v_names)}
        matrix = np.zeros((self.model.nv, self.tree.nv))
        for name, joint in zip(self.model.names[1:], self.model.joints[1:], strict=True):
            if joint.nv == 6:
                for k, part in enumerate(("vx", "vy", "vz", "wx", "wy", "wz")):
                    matrix[joint.idx_v + k, columns[f"{name}.{part}"]] = 1.0
                continue
            leader, ratio, _ = self.mimics.get(name, (name, 1.0, 0.0))
            matrix[joint.idx_v, columns[leader]] = ratio
        return matrix

    def update(self, q: Array) -> None:
        """Let Pinocchio work out everything at our q."""
        self.at = self.q(q)
        pinocchio.computeJointJacobians(self.model, self.data, self.at)
        pinocchio.updateFramePlacements(self.model, self.data)

    def frame(self, name: str) -> tuple[Array, Array]:
        """Return pose and body Jacobian of a link, with respect to our tangent, rows (ω, v)."""
        place = self.model.getFrameId(name, pinocchio.FrameType.BODY)
        J = pinocchio.getFrameJacobian(self.model, self.data, place, pinocchio.ReferenceFrame.LOCAL)
        return self.data.oMf[place].homogeneous, angular_first(J) @ self.v_map

    def centre_of_mass(self) -> tuple[Array, Array]:
        """Return the centre of mass and its Jacobian, with respect to our tangent."""
        J = pinocchio.jacobianCenterOfMass(self.model, self.data, self.at)
        return pinocchio.centerOfMass(self.model, self.data, self.at), J.reshape(3, -1) @ self.v_map

    def check(self, q: Array, rounding: float) -> None:
        """Compare all poses, the centre of mass and their Jacobians at our q."""
        self.update(q)
        state = self.tree.state(q)
        for name in self.tree.frame_names:
            T, J = self.frame(name)
            assert_allclose(state.forward_kinematics(name), T, atol=rounding, rtol=0)
            assert_allclose(state.body_jacobian(name), J, atol=rounding, rtol=0)
        if self.tree.mass > 0.0:
            centre, J = self.centre_of_mass()
            assert_allclose(state.centre_of_mass(), centre, atol=rounding, rtol=0)
            assert_allclose(state.centre_of_mass_jacobian(), J, atol=rounding, rtol=0)


def build(path: Path, floating_base: bool) -> pinocchio.Model:
    """Return Pinocchio's model of a file, every joint with coordinates of its own."""
    if floating_base:
        return pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    return pinocchio.buildModelFromUrdf(str(path))


def mimics(path: Path) -> dict[str, tuple[str, float, float]]:
    """Return, for each joint that mimics another, that joint, the multiplier and the offset."""
    return {
        str(joint.get("name")): (
            str(mimic.get("joint")),
            float(mimic.get("multiplier", "1")),
            float(mimic.get("offset", "0")),
        )
        for joint in ElementTree.parse(path).getroot().iterfind("joint")
        for mimic in joint.iterfind("mimic")
    }
