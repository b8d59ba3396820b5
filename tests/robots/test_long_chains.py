"""Arms of many joints: what one joint leaves of rounding must not grow with every further one."""

import numpy as np
import pinocchio
import pinocchio_models
import pytest
from hypothesis import strategies as st

from lessons_lib import codegen, lie, robots
from lessons_lib.codegen.syntax import functions_of
from lessons_lib.robots import kinematics

ALL_KINDS = ("revolute", "prismatic", "helical")


def placement(rng: np.random.Generator, tilt: float) -> np.ndarray:
    """Return the pose of a joint in the frame of the one before: roll, pitch and yaw up to `tilt`, 0.3 m away."""
    T = np.eye(4)
    T[:3, :3] = pinocchio.rpy.rpyToMatrix(*rng.uniform(-tilt, tilt, 3))
    T[:3, 3] = rng.uniform(-0.3, 0.3, 3)
    return T


def arm(joints: int, tilt: float, kinds: tuple[str, ...]) -> tuple[robots.Chain, pinocchio_models.PinocchioChain]:
    """Return the same random arm twice; its joints are about or along z of their own frames."""
    rng, z, pitch = np.random.default_rng(joints), np.array([0.0, 0.0, 1.0]), 0.05
    chosen = [kinds[int(k)] for k in rng.integers(len(kinds), size=joints)]
    moving = [(pinocchio_models.joint(kind, z, pitch), placement(rng, tilt)) for kind in chosen]
    tip = placement(rng, 0.0)  # not turned, as in a URDF, whose last link is the tip: its axis is z there, too
    T, columns = np.eye(4), []
    for kind, (_, seat) in zip(chosen, moving, strict=True):
        T = T @ seat
        own = [0, 0, 0, 0, 0, 1] if kind == "prismatic" else [0, 0, 1, 0, 0, pitch if kind == "helical" else 0]
        columns.append(lie.adjoint(T) @ own)
    return robots.from_screws(np.column_stack(columns), T @ tip), pinocchio_models.build(moving, tip)


@pytest.mark.check
@pytest.mark.parametrize(
    ("tilt", "kinds"),
    [
        (0.02, ALL_KINDS),
        *(pytest.param(*arm, marks=pytest.mark.release) for arm in ((0.4, ("revolute",)), (3.0, ALL_KINDS))),
    ],
)
def test_thirty_joints_agree_with_pinocchio(tilt: float, kinds: tuple[str, ...]) -> None:
    chain, judge = arm(30, tilt, kinds)
    text = codegen.source([kinematics.tip_kernels(chain.screws, chain.home)[-1]], "scalar")
    kernel, rng = functions_of(text)["chain_kernel"], np.random.default_rng(1)
    T, J_b = np.empty((4, 4)), np.empty((6, chain.dof))
    for q in rng.uniform(-3.0, 3.0, (3, chain.dof)):
        kernel(q, T, J_b)
        expected, _, expected_J_b = judge.kinematics(q)
        # 1e-13 rad, which a lever of up to ten metres makes 1e-12 m: what the screws themselves were rounded by
        np.testing.assert_allclose(T[:3, :3], expected[:3, :3], rtol=0, atol=1e-13)
        np.testing.assert_allclose(T, expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(J_b, expected_J_b, rtol=0, atol=1e-12)


TILTS, KINDS_OF_ARMS = st.sampled_from([0.01, 0.1, 0.4, 3.1]), st.sampled_from([("revolute",), ALL_KINDS])
