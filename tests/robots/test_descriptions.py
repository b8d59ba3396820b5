"""Robots by name, from a stand-in for `robot_descriptions` with local files."""

import importlib
import sys

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.errors import ParameterError

MJCF = """<mujoco><worldbody><body name="link"><geom size="0.1"/><joint name="turn"/>
<site name="tip" pos="1 0 0"/></body></worldbody></mujoco>"""
XACRO = """<robot name="one" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="reach" default="1"/>
<xacro:include filename="joint.xacro"/><link name="a"/><link name="b"/></robot>"""
JOINT = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><joint name="turn" type="continuous"><parent link="a"/>
<child link="b"/><origin xyz="$(arg reach) 0 0"/></joint></robot>"""
NAMES = ["xacro_description", "ur10_description", "arm_mj_description", "far_description", "no_description"]
FILES = {
    "robot_descriptions/__init__.py": f"DESCRIPTIONS = dict.fromkeys({NAMES})",
    "robot_descriptions/ur10_description.py": f"URDF_PATH = {str(robots.urdf_file('ur10'))!r}",
    "robot_descriptions/far_description.py": "from git.exc import GitError\nraise GitError('no network')",
    "robot_descriptions/no_description.py": "",
    "git/__init__.py": "",
    "git/exc.py": "class GitError(Exception): pass",
}


pytest.importorskip("xacrodoc")


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Put a package in the place of robot_descriptions."""
    (tmp_path / "arm.xml").write_text(MJCF)
    (tmp_path / "one.xacro").write_text(XACRO)
    (tmp_path / "joint.xacro").write_text(JOINT)
    xacro = f"PACKAGE_PATH, XACRO_ARGS = {str(tmp_path)!r}, dict(reach='2')\nXACRO_PATH = PACKAGE_PATH + '/one.xacro'"
    files = FILES | {"robot_descriptions/xacro_description.py": xacro}
    files |= {"robot_descriptions/arm_mj_description.py": f"MJCF_PATH = {str(tmp_path / 'arm.xml')!r}"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    names = ("robot_descriptions", "git")
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in names}
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] in names]:
        del sys.modules[name]
    sys.modules.update(kept)


def test_a_description_is_the_chain_of_its_urdf(stand_in):
    arm, same = robots.load_description("ur10_description", tip="tool0"), robots.from_urdf(robots.urdf_file("ur10"))
    assert np.array_equal(arm.screws, same.screws) and np.array_equal(arm.home, same.home)
    assert robots.load_urdf(robots.description_file("ur10_description")).nv == 6
    tool = lie.pose(np.eye(3), (0.0, 0.0, 0.1))
    assert np.abs(robots.load_description("ur10_description", tool=tool).home - same.home @ tool).max() < 1e-15


def test_a_description_in_xacro_becomes_a_urdf_beside_it(stand_in):
    assert robots.load_description("xacro_description").home[0, 3] == 2.0
    assert robots.description_file("xacro_description") == stand_in / "xacro_description.urdf"


def test_a_description_in_mjcf_needs_a_tip(stand_in):
    assert robots.load_description("arm_mj_description", tip="tip").home[0, 3] == 1.0
    for given in ({}, {"base": "link", "tip": "tip"}):
        with pytest.raises(ParameterError, match="is an MJCF file: give the name of a site or body as tip, and no"):
            robots.load_description("arm_mj_description", **given)


def test_missing_descriptions_are_refused_by_name(stand_in):
    with pytest.raises(ParameterError, match="has no 'ur_description'; did you mean 'ur10_description'"):
        robots.load_description("ur_description")
    with pytest.raises(ParameterError, match="has no 'UR-10'; did you mean 'ur10_description'"):
        robots.load_description("UR-10")
    with pytest.raises(ParameterError, match="cannot download 'far_description': no network"):
        robots.description_file("far_description")
    with pytest.raises(ParameterError, match="'no_description' has neither a URDF nor an MJCF file"):
        robots.description_file("no_description")
    with pytest.raises(ParameterError, match="name must be a string"):
        robots.description_file(3)
