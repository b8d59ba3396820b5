"""Chains from MJCF files, against MuJoCo's own kinematics."""

import mujoco
import numpy as np
import pytest

from lessons_lib import extras, robots
from lessons_lib.errors import FrameNotFound, ParameterError

TEXT = """<mujoco model="arm"><compiler angle="degree"/><worldbody>
<body name="base" pos="0.1 0 0.2" euler="10 20 30"><geom size="0.1"/>
  <joint name="turn" axis="0 1 2" pos="0.1 0 0" range="-90 120" limited="true" ref="25"/>
  <joint name="lift" type="slide" axis="1 0 1" range="-0.2 0.4" limited="true"/>
  <body name="beside"><geom size="0.1"/><joint name="other" axis="1 0 0"/></body>
  <body name="arm" pos="0.3 0.1 0" quat="0.6 0 0.8 0"><geom size="0.1"/>
    <joint name="elbow" axis="0 0 1" limited="false"/>
    <site name="tool" pos="0 0 0.1" euler="0 90 0"/>
    <body name="ball"><geom size="0.1"/><joint name="wrist" type="ball"/></body></body></body>
<body name="fixed"><geom size="0.1"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(TEXT)
    return path


COUPLED = """<equality>
  <joint name="chain" joint1="elbow" joint2="lift" polycoef="0.2 -3 0 0 0"/>
  <joint joint1="lift" joint2="other" polycoef="0.01 0.1 0 0 0"/>
  <joint name="off" joint1="turn" joint2="lift" polycoef="0 0 1 0 0" active="false"/>
  <joint name="beside" joint1="beyond" joint2="turn" polycoef="0 1 0.5 0 0"/>{}
</equality></mujoco>"""
CORD = '<tendon><fixed name="t"><joint joint="other" coef="1"/></fixed></tendon>'
BEYOND = """<body name="end"><geom size="0.1"/><joint name="beyond"/><body name="far" pos="1 0 0"><geom size="0.1"/>
</body></body>"""


def write_coupled(file, more=""):
    """Write the file with joints that follow others, one of them beside the path."""
    text = TEXT.replace('<body name="ball">', f'{BEYOND}<body name="ball">')
    file.write_text(text.replace("</mujoco>", COUPLED.format(more)))
    return file


def test_joints_that_follow_others_meet_the_equations_of_mujoco(file):
    arm, model = robots.from_mjcf(write_coupled(file), "tool"), mujoco.MjModel.from_xml_path(str(file))
    data, path = mujoco.MjData(model), ("turn", "lift", "elbow")
    assert arm.joint_names == ("turn", "other") and arm.joint_units == ("rad", "rad") and arm.uncoupled.dof == 3
    np.testing.assert_allclose(arm.limits[1], [-2.1, 3.9])  # those of the lift: -0.2 ≤ 0.01 + 0.1 q ≤ 0.4
    for q in (arm.random_configuration(np.random.default_rng(k)) for k in range(20)):
        for name, value in zip((*path, "other"), (*arm.joint_values(q), q[1]), strict=True):
            data.joint(name).qpos[0] = value
        turn = q[0] - model.qpos0[model.joint("turn").qposadr[0]]
        data.joint("beyond").qpos[0] = turn + 0.5 * turn**2
        mujoco.mj_forward(model, data)
        left = data.efc_pos[data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)]
        assert left.shape == (3,)
        np.testing.assert_allclose(left, 0.0, atol=1e-14)
        np.testing.assert_allclose(arm.forward_kinematics(q)[:3, 3], data.site("tool").xpos, atol=1e-14)


def test_a_joint_locked_by_an_equation_does_not_move(file):
    write_coupled(file, '<joint joint1="other" polycoef="0.3"/>')
    arm = robots.from_mjcf(file, "tool")
    assert arm.joint_names == ("turn",)
    np.testing.assert_allclose(arm.joint_values([0.1]), [0.1, 0.04, 0.2 - 3 * 0.04])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('<joint name="bent" joint1="turn" joint2="other" polycoef="0 1 0.1 0 0"/>', "constraint 'bent', a joint"),
        ('<joint name="twice" joint1="lift" joint2="turn"/>', "constraint 'twice', a joint"),
        ('<joint joint1="other" joint2="elbow"/>', "joint 'lift' follows joints that form a cycle"),
        ('<connect name="pin" body1="arm" body2="fixed" anchor="0 0 0"/>', "constraint 'pin', a connect"),
        ('<weld name="glue" body1="arm"/>', "constraint 'glue', a weld"),
        (f'</equality>{CORD}<equality><tendon name="cord" tendon1="t"/>', "constraint 'cord', a tendon"),
        ('<joint joint1="other"/><joint joint1="turn"/>', "equality constraints lock all joints before tip 'tool'"),
    ],
)
def test_another_equation_of_the_path_is_refused_by_name(file, more, words):
    with pytest.raises(ParameterError, match=words):
        robots.from_mjcf(write_coupled(file, more), "tool")


def test_an_equation_beyond_the_path_is_left_alone(file):
    more = '<connect body1="far" body2="arm" anchor="0 0 0"/>'
    assert robots.from_mjcf(write_coupled(file, more), "tool").dof == 2


@pytest.mark.parametrize("tip", ["tool", "arm"])
def test_the_tip_is_where_mujoco_has_it(file, tip):
    arm, model = robots.from_mjcf(file, tip), mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    assert arm.joint_names == ("turn", "lift", "elbow") and arm.joint_types == ("revolute", "prismatic", "revolute")
    for q in [np.zeros(3), *(arm.random_configuration(np.random.default_rng(k)) for k in range(20))]:
        for name, value in zip(arm.joint_names, q, strict=True):
            data.joint(name).qpos[0] = value
        mujoco.mj_kinematics(model, data)
        frame = data.site(tip) if tip == "tool" else data.body(tip)
        T = arm.forward_kinematics(q)
        np.testing.assert_allclose(T[:3, :3], frame.xmat.reshape(3, 3), atol=1e-14)
        np.testing.assert_allclose(T[:3, 3], frame.xpos, atol=1e-14)


def test_limits_are_those_of_the_file(file):
    limits = robots.from_mjcf(file, "tool").limits
    np.testing.assert_allclose(limits, [np.radians([-90, 120]), [-0.2, 0.4], [-np.inf, np.inf]])


@pytest.mark.parametrize(
    ("tip", "error", "words"),
    [
        ("hand", FrameNotFound, "arm has no frame 'hand'; .*tool"),
        ("ball", ParameterError, "all joints before tip 'ball' must be revolute or .*got ball or free joints: wrist"),
        ("fixed", ParameterError, "got no joint"),
    ],
)
def test_another_tip_is_refused(file, tip, error, words):
    with pytest.raises(error, match=words):
        robots.from_mjcf(file, tip)


def test_a_file_that_mujoco_cannot_read_is_refused(file, monkeypatch):
    with pytest.raises(ParameterError, match="path must be the path of a file .*, got .* which does not exist"):
        robots.from_mjcf(file.with_name("none.xml"), "tool")
    file.write_text("<mujoco><worldbody>")
    with pytest.raises(ParameterError, match="MuJoCo cannot read"):
        robots.from_mjcf(file, "tool")
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(extras.MissingExtra, match=r"lessons-lib\[simulation\]"):
        robots.from_mjcf(file, "tool")
