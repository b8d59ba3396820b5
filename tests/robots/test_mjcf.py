"""Chains from MJCF files, against MuJoCo's own kinematics."""

from pathlib import Path
from typing import Any

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
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("tip", ["tool", "arm"])
def test_the_tip_is_where_mujoco_has_it(file: Path, tip: str) -> None:
    arm, model = robots.from_mjcf(file, tip), mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    assert arm.joint_names == ("turn", "lift", "elbow") and arm.joint_types == ("revolute", "prismatic", "revolute")
    for q in [np.zeros(3), *(arm.random_configuration(np.random.default_rng(k)) for k in range(20))]:
        for name, value in zip(arm.joint_names, q, strict=True):
            data.joint(name).qpos[0] = value
        mujoco.mj_kinematics(model, data)
        frame: Any = data.site(tip) if tip == "tool" else data.body(tip)
        T = arm.forward_kinematics(q)
        np.testing.assert_allclose(T[:3, :3], frame.xmat.reshape(3, 3), atol=1e-14)
        np.testing.assert_allclose(T[:3, 3], frame.xpos, atol=1e-14)


def test_limits_are_those_of_the_file(file: Path) -> None:
    limits = robots.from_mjcf(file, "tool").limits
    np.testing.assert_allclose(limits, [np.radians([-90, 120]), [-0.2, 0.4], [-np.inf, np.inf]])


@pytest.mark.parametrize(
    ("tip", "error", "words"),
    [
        ("hand", FrameNotFound, "arm has no frame 'hand'; .*tool"),
        ("ball", ParameterError, "tip 'ball' must be moved by hinges and slides alone; wrist"),
        ("fixed", ParameterError, "no joint moves it"),
    ],
)
def test_another_tip_is_refused(file: Path, tip: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        robots.from_mjcf(file, tip)


def test_a_file_that_mujoco_cannot_read_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParameterError, match="is not a file"):
        robots.from_mjcf(file.with_name("none.xml"), "tool")
    file.write_text("<mujoco><worldbody>")
    with pytest.raises(ParameterError, match="MuJoCo cannot read"):
        robots.from_mjcf(file, "tool")
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(extras.MissingExtra, match=r"lessons-lib\[simulation\]"):
        robots.from_mjcf(file, "tool")
