"""Serial chains as Pinocchio builds them: joint by joint, from placements. Twists leave here as (ω, v)."""

from dataclasses import dataclass

import numpy as np
import pinocchio

from lessons_lib.arrays import Array


@dataclass(frozen=True)
class PinocchioChain:
    """A Pinocchio model with one frame at its tip."""

    model: pinocchio.Model
    tip: int

    def kinematics(self, q: Array) -> tuple[Array, Array, Array]:
        """Return T_sb, J_s and J_b at q."""
        data = self.model.createData()
        pinocchio.computeJointJacobians(self.model, data, q)
        pinocchio.updateFramePlacements(self.model, data)
        frames = pinocchio.ReferenceFrame.WORLD, pinocchio.ReferenceFrame.LOCAL
        J_s, J_b = (pinocchio.getFrameJacobian(self.model, data, self.tip, frame) for frame in frames)
        return data.oMf[self.tip].homogeneous, angular_first(J_s), angular_first(J_b)


def angular_first(J: Array) -> Array:
    """Return a Jacobian with rows (v, ω) as one with rows (ω, v)."""
    return np.vstack([*J.reshape(6, -1)[3:], *J.reshape(6, -1)[:3]])  # the binding drops the axis of a single column


def build(joints: list[tuple[pinocchio.JointModel, Array]], tip: Array) -> PinocchioChain:
    """Return the chain whose i-th joint sits at the given pose in the frame after joint i − 1."""
    model, parent = pinocchio.Model(), 0
    for i, (joint, placement) in enumerate(joints):
        parent = model.addJoint(parent, joint, pinocchio.SE3(placement), f"joint{i}")
    frame = pinocchio.Frame("tip", parent, 0, pinocchio.SE3(tip), pinocchio.FrameType.OP_FRAME)
    return PinocchioChain(model, model.addFrame(frame))


def joint(kind: str, axis: Array, pitch: float = 0.0) -> pinocchio.JointModel:
    """Return a joint about or along a unit axis of its own frame."""
    if kind == "prismatic":
        return pinocchio.JointModelPrismaticUnaligned(*axis)
    if kind == "helical":
        return pinocchio.JointModelHelicalUnaligned(*axis, pitch)
    return pinocchio.JointModelRevoluteUnaligned(*axis)


def dh_matrix(a: float, alpha: float, d: float, theta: float, convention: str) -> Array:
    """Return the textbook's 4×4 matrix of one Denavit-Hartenberg row, written out entry by entry."""
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    if convention == "standard":
        rows = [[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st], [0, sa, ca, d]]
    else:
        rows = [[ct, -st, 0, a], [st * ca, ct * ca, -sa, -sa * d], [st * sa, ct * sa, ca, ca * d]]
    return np.array([*rows, [0, 0, 0, 1]], dtype=np.float64)


def from_dh(rows: Array, convention: str, kinds: list[str], tool: Array) -> PinocchioChain:
    """Return the chain of a table (a, α, d, θ): every joint about or along z, the rows as fixed placements."""
    z = np.array([0.0, 0.0, 1.0])
    fixed = [dh_matrix(*row, convention) for row in rows]
    if convention == "standard":  # joint i moves before row i
        placements, tip = [np.eye(4), *fixed[:-1]], fixed[-1] @ tool
    else:  # joint i moves after α and a of row i; θ and d commute with it
        placements, tip = fixed, tool
    return build([(joint(kind, z), place) for kind, place in zip(kinds, placements, strict=True)], tip)
