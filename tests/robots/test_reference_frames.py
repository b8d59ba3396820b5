"""Pinocchio's three reference frames, by permutation and adjoint; and how one joint carries another's screw."""

import numpy as np
import pinocchio
import pinocchio_models
import pytest

from lessons_lib import lie, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from lessons_lib.robots.library import PANDA_DH, UR10_DH

CLOSE = 1e-12  # a thousand roundings of entries near 1
WORLD = pinocchio.ReferenceFrame.WORLD
LOCAL = pinocchio.ReferenceFrame.LOCAL
ALIGNED = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED


def pair(name: str) -> tuple[Chain, pinocchio_models.PinocchioChain]:
    """Return a robot of the library, and Pinocchio's own from the same table."""
    table, convention = (UR10_DH, "standard") if name == "UR10" else (PANDA_DH, "modified")
    chain = robots.ur10() if name == "UR10" else robots.panda()
    tool = np.eye(4)
    tool[2, 3] = 0.0 if name == "UR10" else 0.107
    rows = np.column_stack([np.array(table), np.zeros(len(table))])
    return chain, pinocchio_models.from_dh(rows, convention, ["revolute"] * chain.dof, tool)


def in_pinocchios_frames(chain: Chain, q: Array) -> dict[pinocchio.ReferenceFrame, Array]:
    """Return the three Jacobians with rows (v, ω), as lesson 4 makes them from J_b and the pose alone."""
    T, J_b = chain.forward_kinematics(q), chain.body_jacobian(q)
    T_ab = np.eye(4)
    T_ab[:3, :3] = T[:3, :3]
    ours = {WORLD: lie.adjoint(T) @ J_b, LOCAL: J_b, ALIGNED: lie.adjoint(T_ab) @ J_b}
    return {frame: lie.swap_halves(J) for frame, J in ours.items()}


@pytest.mark.parametrize("name", ["UR10", "Panda"])
def test_all_three_frames_are_pinocchios(name: str) -> None:
    chain, oracle = pair(name)
    data, rng = oracle.model.createData(), np.random.default_rng(4)
    for _ in range(200):  # the number that lesson 4 states
        q = chain.random_configuration(rng)
        pinocchio.computeJointJacobians(oracle.model, data, q)
        pinocchio.updateFramePlacements(oracle.model, data)
        for frame, ours in in_pinocchios_frames(chain, q).items():
            assert np.abs(pinocchio.getFrameJacobian(oracle.model, data, oracle.tip, frame) - ours).max() <= CLOSE
            again = pinocchio.computeFrameJacobian(oracle.model, data, q, oracle.tip, frame)
            assert np.abs(again - ours).max() <= CLOSE


def test_a_joint_carries_the_later_screws_by_the_bracket() -> None:
    chain, rng, h = robots.ur10(), np.random.default_rng(6), 1e-5
    for _ in range(10):
        q = chain.random_configuration(rng)
        J = chain.space_jacobian(q)
        for j, step in enumerate(h * np.eye(chain.dof)):
            slope = (chain.space_jacobian(q + step) - chain.space_jacobian(q - step)) / (2 * h)
            X = lie.hat_se3(J[:, j])
            for i in range(chain.dof):
                Y = lie.hat_se3(J[:, i])
                carried = lie.vee_se3(X @ Y - Y @ X) if j < i else np.zeros(6)
                assert np.abs(slope[:, i] - carried).max() <= 1e-9  # h² and rounding/h
