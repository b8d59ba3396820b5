"""The published models of the two arms agree with Pinocchio's reading of their URDF, and differ as the lesson says."""

import numpy as np
import pinocchio
import pytest

from lessons_lib import robots
from lessons_lib.course.robot_models import published_models as published

URDFS = {
    "UR10": (published.UR10_URDF, robots.ur10),
    "early UR10": (published.EARLY_UR10_URDF, lambda: published.ur10_models()["URDF, early"]),
    "Panda": (published.PANDA_URDF, robots.panda),
}


def urdf_text(placed):
    """Return the frames as a URDF file."""
    parts = ['<robot name="arm"><link name="link0"/>']
    for i, frame in enumerate(placed):
        kind = "fixed" if frame.axis is None else "revolute"
        axis = "" if frame.axis is None else f'<axis xyz="{" ".join(map(repr, frame.axis))}"/>'
        limit = '<limit lower="-7" upper="7" effort="1" velocity="1"/>' if frame.axis is not None else ""
        xyz, rpy = (" ".join(map(repr, part)) for part in (frame.xyz, frame.rpy))
        parts.append(
            f'<joint name="joint{i}" type="{kind}"><parent link="link{i}"/><child link="link{i + 1}"/>'
            f'<origin xyz="{xyz}" rpy="{rpy}"/>{axis}{limit}</joint><link name="link{i + 1}"/>'
        )
    return "".join(parts) + "</robot>"


def pinocchio_kinematics(model, tip, q):
    """Return T_sb and J_s with rows (ω, v)."""
    data = model.createData()
    pinocchio.computeJointJacobians(model, data, q)
    pinocchio.updateFramePlacements(model, data)
    J = pinocchio.getFrameJacobian(model, data, tip, pinocchio.ReferenceFrame.WORLD)
    return data.oMf[tip].homogeneous, np.vstack([J[3:], J[:3]])


@pytest.mark.parametrize("name", URDFS)
def test_pinocchio_reads_the_same_arm_out_of_the_urdf_in_a_thousand_configurations(name):
    placed, make = URDFS[name]
    model = pinocchio.buildModelFromXML(urdf_text(placed))
    tip, chain, rng = model.getFrameId(f"link{len(placed)}"), make(), np.random.default_rng(5)
    for _ in range(1000):
        q = chain.random_configuration(rng)
        T, J_s = pinocchio_kinematics(model, tip, q)
        # 1e-12: a thousand times the rounding of positions of a metre
        assert np.abs(chain.forward_kinematics(q) - T).max() < 1e-12
        assert np.abs(chain.space_jacobian(q) - J_s).max() < 1e-12


@pytest.mark.parametrize("name", ["UR10", "Panda"])
def test_placements_and_rows_give_the_same_screws(name):
    placed, make = URDFS[name]
    chain, ours = published.from_placements(placed, name), make()
    assert chain.name == name
    assert np.abs(chain.screws - ours.screws).max() < 1e-15  # sums of a few lengths of a metre
    assert np.abs(chain.home - ours.home).max() < 1e-15


def test_the_published_ur10s_are_as_far_apart_as_their_numbers():
    models = published.ur10_models()
    p = {name: chain.home[:3, 3] for name, chain in models.items()}
    right = p["manufacturer's table"]
    assert np.abs(p["URDF"] - right).max() < 1e-15
    # at q = 0 the long links lie along −x: differences of the typed lengths, in m
    assert p["MATLAB library"] - right == pytest.approx([0.3, 0.0, 0.0], abs=1e-15)
    assert p["table, series 1"][0] - right[0] == pytest.approx(0.612 + 0.5723 - 0.6127 - 0.5716, abs=1e-15)
    assert p["URDF, early"][0] - right[0] == pytest.approx(0.612 + 0.5723 - 0.60186 - 0.56415, abs=1e-15)
