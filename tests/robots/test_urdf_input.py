"""URDF files that are broken, hostile or odd: refused with a message that says what and where, or read rightly."""

import logging

import numpy as np
import pinocchio
import pytest
from urdf_refused import NO_LEADER, NO_LIMITS, NO_NUMBERS, NO_ROBOT, NOT_XML, with_limit
from urdf_texts import LIMIT, PLACED, TWO_LINKS, UNREAD, joint, robot, with_macro, write_urdf

from lessons_lib import robots
from lessons_lib.errors import UrdfError

inf = np.inf


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(*case, id=f"{group}: {name}")
        for group, cases in {
            "XML": NOT_XML,
            "tree": NO_ROBOT,
            "number": NO_NUMBERS,
            "limit": NO_LIMITS,
            "mimic": NO_LEADER,
        }.items()
        for name, case in cases.items()
    ],
)
def test_invalid_urdfs_are_refused_with_the_reason(tmp_path, text, words):
    path = write_urdf(tmp_path, text)
    with pytest.raises(UrdfError, match=words) as error:
        robots.load_urdf(path)
    assert len(str(error.value)) < 400
    assert str(tmp_path) not in str(error.value)


@pytest.mark.parametrize(
    "lead",
    ["", "\n  ", '<?xml version="1.0"?>', "\ufeff", "\ufeff \n", "\u200b", "$ cat robot.urdf\n", "<!-- long -->" * 400],
)
def test_a_urdf_may_be_given_as_a_string(tmp_path, lead):
    text = lead + robot(TWO_LINKS + joint('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'))
    q = [0.5]
    expected = robots.from_urdf(write_urdf(tmp_path, text[text.index("<") :])).forward_kinematics(q)
    assert np.array_equal(robots.from_urdf(text).forward_kinematics(q), expected)
    assert robots.load_urdf(text).name == "r"


@pytest.mark.parametrize("name", UNREAD)
def test_irregular_urdfs_that_pinocchio_reads_are_read(tmp_path, name):
    """Names of the tree's parts, and where the tip stands, from a string and from a file."""
    text = UNREAD[name].format(PLACED)
    theirs = pinocchio.buildModelFromXML(text)
    data = theirs.createData()
    pinocchio.framesForwardKinematics(theirs, data, np.array([0.5]))
    for source in (text, write_urdf(tmp_path, text)):
        tree = robots.load_urdf(source)
        assert tree.joint_names == tuple(theirs.names)[1:]
        tip = data.oMf[theirs.getFrameId("b")].homogeneous
        np.testing.assert_allclose(tree.forward_kinematics([0.5], "b"), tip, atol=1e-15)


@pytest.mark.parametrize(("prefix", "declared"), [("xacro", True), ("x", True), ("xacro", False)])
def test_unexpanded_xacro_causes_a_warning(prefix, declared, caplog):
    """As in Pinocchio the rest is read."""
    text = with_macro(prefix, declared)
    assert robots.load_urdf(text).nq == pinocchio.buildModelFromXML(text).nq == 1
    assert f"line 2 of the string: <{prefix}:macro> is not read; convert the file to a URDF" in caplog.text


def test_errors_in_ignored_elements_do_no_harm(tmp_path, caplog):
    junk = (
        '<visual><geometry><mesh filename="/nowhere/mesh.dae" scale="a b"/></geometry></visual>'
        '<inertial><mass value="2"/><inertia ixx="?"/></inertial>'
    )
    more = '<gazebo><x:y xmlns:x="z"/></gazebo><material name="m"><color rgba="pink"/></material><?php echo 1 ?>'
    text = robot(f'<link name="a">{junk}</link><link name="b"/><!-- c -->' + more + joint("<!-- d -->"))
    with caplog.at_level(logging.DEBUG):
        tree = robots.load_urdf(write_urdf(tmp_path, text), floating_base=True)
    assert tree.mass == 2.0
    assert not caplog.records  # the parser saw nothing to complain of


@pytest.mark.filterwarnings("ignore:joint .* cannot move")
@pytest.mark.parametrize(
    ("limit", "kind", "expected"),
    [
        ('<limit velocity="2"/>', "revolute", (0.0, 0.0, 2.0)),  # URDF: each limit left out is 0
        ('<limit upper="1" velocity="2"/>', "prismatic", (0.0, 1.0, 2.0)),
        ('<limit lower="-inf" upper="inf" velocity="inf"/>', "revolute", (-inf, inf, inf)),
        ('<limit lower="-1e16" upper="1e16" velocity="0"/>', "revolute", (-1e16, 1e16, 0.0)),  # as in Iris
        ("", "continuous", (-inf, inf, inf)),
        (LIMIT, "continuous", (-inf, inf, 3.0)),
        ('<limit lower="5" upper="-5" velocity="2"/>', "continuous", (-inf, inf, 2.0)),
        ('<limit effort="1"/>', "continuous", (-inf, inf, inf)),
    ],
)
def test_limits_are_read_as_urdf_defines_them(tmp_path, limit, kind, expected):
    tree = robots.load_urdf(write_urdf(tmp_path, with_limit(limit, kind)))
    assert (tree.lower[0], tree.upper[0], tree.velocity_limits[0]) == expected


def test_utf16_is_read(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_bytes(('<?xml version="1.0" encoding="utf-16"?>' + robot('<link name="Körper"/>')).encode("utf-16"))
    assert robots.load_urdf(path).frame_names == ("Körper",)
