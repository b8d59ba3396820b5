"""Robots by name from a stand-in for `robot_descriptions`, and chains from MJCF files against MuJoCo's."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from lessons_lib import extras, robots
from lessons_lib.errors import FrameNotFound, ParameterError

MJCF = """<mujoco><worldbody><body name="link"><geom size="0.1"/><joint name="turn"/>
<site name="tip" pos="1 0 0"/></body></worldbody></mujoco>"""
NAMES = ["ur10_description", "arm_mj_description", "far_description", "no_description"]
FILES = {
    "robot_descriptions/__init__.py": f"DESCRIPTIONS = dict.fromkeys({NAMES})",
    "robot_descriptions/_xacro.py": "def get_urdf_path(module):\n    return module.URDF_PATH",
    "robot_descriptions/ur10_description.py": f"URDF_PATH = {str(robots.urdf_file('ur10'))!r}",
    "robot_descriptions/far_description.py": "from git.exc import GitError\nraise GitError('no network')",
    "robot_descriptions/no_description.py": "",
    "xacrodoc/__init__.py": "",
    "git/__init__.py": "",
    "git/exc.py": "class GitError(Exception): pass",
}


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put a package in the place of robot_descriptions."""
    (tmp_path / "arm.xml").write_text(MJCF)
    files = FILES | {"robot_descriptions/arm_mj_description.py": f"MJCF_PATH = {str(tmp_path / 'arm.xml')!r}"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    names = ("robot_descriptions", "xacrodoc", "git")
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in names}
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] in names]:
        del sys.modules[name]
    sys.modules.update(kept)


def test_a_description_is_the_chain_of_its_urdf(stand_in: Path) -> None:
    arm, same = robots.load_description("ur10_description", tip="tool0"), robots.from_urdf(robots.urdf_file("ur10"))
    assert np.array_equal(arm.screws, same.screws) and np.array_equal(arm.home, same.home)
    assert robots.load_urdf(robots.description_file("ur10_description")).nv == 6
    tool = np.eye(4)
    tool[2, 3] = 0.1
    assert np.abs(robots.load_description("ur10_description", tool=tool).home - same.home @ tool).max() < 1e-15


def test_a_description_in_mjcf_needs_a_tip(stand_in: Path) -> None:
    assert robots.load_description("arm_mj_description", tip="tip").home[0, 3] == 1.0
    for given in ({}, {"base": "link", "tip": "tip"}):
        with pytest.raises(
            ParameterError, match="is an MJCF file: give the name of a site or body as tip, and no base"
        ):
            robots.load_description("arm_mj_description", **given)


def test_what_cannot_be_loaded_is_named(stand_in: Path) -> None:
    with pytest.raises(ParameterError, match="has no 'ur_description'; did you mean 'ur10_description'"):
        robots.load_description("ur_description")
    with pytest.raises(ParameterError, match="cannot download 'far_description': no network"):
        robots.description_file("far_description")
    with pytest.raises(ParameterError, match="'no_description' has neither a URDF nor an MJCF file"):
        robots.description_file("no_description")
    with pytest.raises(ParameterError, match="name must be a string"):
        robots.description_file(3)  # type: ignore[arg-type]


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
