"""URDF files that are broken, hostile or odd: refused with a message that says what and where, or read rightly."""

import logging
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio
import pytest
from urdf_refused import NO_LEADER, NO_LIMITS, NO_NUMBERS, NO_ROBOT, NOT_XML, limited
from urdf_texts import LIMIT, PLACED, TWO_LINKS, UNREAD, joint, robot, with_macro, written

from lessons_lib import collisions, robots
from lessons_lib.errors import ArgumentError, LessonsError, ParameterError, UrdfError
from lessons_lib.robots.urdf_text import MAX_BYTES

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
def test_what_is_wrong_is_said(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UrdfError, match=words) as error:
        robots.load_urdf(path)
    assert len(str(error.value)) < 400
    assert str(tmp_path) not in str(error.value)


@pytest.mark.parametrize(
    "lead",
    ["", "\n  ", '<?xml version="1.0"?>', "\ufeff", "\ufeff \n", "\u200b", "$ cat robot.urdf\n", "<!-- long -->" * 400],
)
def test_a_urdf_may_be_given_as_a_string(tmp_path: Path, lead: str) -> None:
    text = lead + robot(TWO_LINKS + joint('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'))
    q = [0.5]
    expected = robots.from_urdf(written(tmp_path, text[text.index("<") :])).forward_kinematics(q)
    assert np.array_equal(robots.from_urdf(text).forward_kinematics(q), expected)
    assert robots.load_urdf(text).name == "r"


@pytest.mark.parametrize("name", UNREAD)
def test_what_pinocchio_reads_is_read(tmp_path: Path, name: str) -> None:
    """Names of the tree's parts, and where the tip stands, from a string and from a file."""
    text = UNREAD[name].format(PLACED)
    theirs = pinocchio.buildModelFromXML(text)
    data = theirs.createData()
    pinocchio.framesForwardKinematics(theirs, data, np.array([0.5]))
    for source in (text, written(tmp_path, text)):
        tree = robots.load_urdf(source)
        assert tree.joint_names == tuple(theirs.names)[1:]
        tip = data.oMf[theirs.getFrameId("b")].homogeneous
        np.testing.assert_allclose(tree.forward_kinematics([0.5], "b"), tip, atol=1e-15)


@pytest.mark.parametrize(("prefix", "declared"), [("xacro", True), ("x", True), ("xacro", False)])
def test_what_xacro_left_behind_is_named(prefix: str, declared: bool, caplog: pytest.LogCaptureFixture) -> None:
    """As in Pinocchio the rest is read."""
    text = with_macro(prefix, declared)
    assert robots.load_urdf(text).nq == pinocchio.buildModelFromXML(text).nq == 1
    assert f"line 2 of the string: <{prefix}:macro> is not read; the program xacro" in caplog.text


def test_a_string_says_in_vain_what_it_is_encoded_in() -> None:
    """It is text already."""
    for encoding in ("utf-16", "ISO-8859-1", "utf-8"):
        text = f'<?xml version="1.0" encoding="{encoding}"?>' + robot('<link name="Körper"/>')
        assert robots.load_urdf(text).frame_names == ("Körper",)


@pytest.mark.parametrize("text", ["a: 1\n" * 2000, "robot " * 10])
def test_a_text_without_any_element_is_no_file(text: str) -> None:
    with pytest.raises(UrdfError, match="is no file; path must be the path of a file") as error:
        robots.load_urdf(text)
    assert len(str(error.value)) < 400


def test_a_string_that_is_no_urdf_is_refused_by_that_name() -> None:
    with pytest.raises(UrdfError, match="the string is not well-formed XML: no element found"):
        robots.load_urdf("<robot name='r'>")
    with pytest.raises(UrdfError, match=r"the string has more than 8\.4 MB"):
        robots.load_urdf("<" + "a" * MAX_BYTES)
    with pytest.raises(UrdfError, match="path is 7; it is the path of a URDF file, or a URDF as a string"):
        robots.load_urdf(7)  # type: ignore[arg-type]


def test_a_file_of_a_hundred_megabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    with path.open("wb") as file:
        file.truncate(100_000_000)  # a sparse file: the size is what counts
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(UrdfError, match=r"robot\.urdf has more than 8\.4 MB, which a URDF may have at most"):
        robots.load_urdf(path)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 50_000  # kB: what is allowed, and not what is there


def test_the_largest_file_is_read(tmp_path: Path) -> None:
    text = robot('<link name="a"/>' + "<!-- -->" * 1000)
    path = written(tmp_path, text + " " * (MAX_BYTES - len(text)))
    assert robots.load_urdf(path).frame_names == ("a",)
    path.write_text(text + " " * (MAX_BYTES - len(text) + 1), encoding="utf8")
    with pytest.raises(UrdfError, match="a URDF may have at most"):
        robots.load_urdf(path)


@pytest.mark.parametrize("value", ["0,4 1,57 0,2", "0,4 0 0", "0 0 1,5"])
def test_a_decimal_comma_in_an_attribute_is_named(value: str) -> None:
    joint = f'<joint name="j" type="fixed"><origin xyz="{value}"/><parent link="a"/><child link="b"/></joint>'
    with pytest.raises(UrdfError, match="it has a decimal comma, write '[0-9]\\.[0-9]"):
        robots.load_urdf(robot(f'<link name="a"/><link name="b"/>{joint}'))


@pytest.mark.parametrize("flag", ["floating_base", "mimic", "planar_base"])
@pytest.mark.parametrize("value", ["no", np.zeros(3), None, 1])
def test_a_flag_that_is_no_truth_value_is_refused(flag: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=f"{flag} must be True or False, got"):
        robots.load_urdf(robots.urdf_file("ur10"), **{flag: value})


def in_scene(path: str) -> Any:
    """Read the collision bodies of a URDF."""
    return collisions.load_collisions(path, robots.load_urdf(robot('<link name="a"/>')))


NO_FILES = {
    "no such file": "is no file",
    ".": "is a folder",
    "/dev/null": "is no file",
    "a\0b": "is no file",
    "": "path is empty",
}


@pytest.mark.parametrize("path", NO_FILES)
@pytest.mark.parametrize("load", [robots.load_urdf, robots.from_urdf, robots.load_dh, in_scene])
def test_a_path_that_names_no_file_is_refused_with_the_reason(load: Any, path: str) -> None:
    with pytest.raises(ArgumentError, match=NO_FILES[path]):
        load(path)


@pytest.mark.parametrize("path", [5, None, b"robot.urdf", ["robot.urdf"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(UrdfError, match="it is the path of a URDF file"):
        robots.load_urdf(path)


def test_a_joint_of_the_floating_bases_name_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, robot(TWO_LINKS + joint(name="root_joint")))
    assert robots.load_urdf(path).joint_names == ("root_joint",)
    with pytest.raises(UrdfError, match="'r' has a joint 'root_joint', the name of the base's own; rename it"):
        robots.load_urdf(path, floating_base=True)


def test_what_is_not_read_cannot_fail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    junk = (
        '<visual><geometry><mesh filename="/nowhere/mesh.dae" scale="a b"/></geometry></visual>'
        '<inertial><mass value="2"/><inertia ixx="?"/></inertial>'
    )
    more = '<gazebo><x:y xmlns:x="z"/></gazebo><material name="m"><color rgba="pink"/></material><?php echo 1 ?>'
    text = robot(f'<link name="a">{junk}</link><link name="b"/><!-- c -->' + more + joint("<!-- d -->"))
    with caplog.at_level(logging.DEBUG):
        tree = robots.load_urdf(written(tmp_path, text), floating_base=True)
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
def test_limits_are_read_as_urdf_defines_them(
    tmp_path: Path, limit: str, kind: str, expected: tuple[float, ...]
) -> None:
    tree = robots.load_urdf(written(tmp_path, limited(limit, kind)))
    assert (tree.lower[0], tree.upper[0], tree.velocity_limits[0]) == expected


def test_an_axis_is_normalised_and_is_x_when_left_out(tmp_path: Path) -> None:
    tree = robots.load_urdf(written(tmp_path, robot(TWO_LINKS + joint('<axis xyz="0 0 20"/>', kind="prismatic"))))
    np.testing.assert_allclose(tree.forward_kinematics([0.5], "b")[:3, 3], [0, 0, 0.5])
    tree = robots.load_urdf(written(tmp_path, robot(TWO_LINKS + joint(kind="prismatic"))))
    np.testing.assert_allclose(tree.forward_kinematics([0.5], "b")[:3, 3], [0.5, 0, 0])


@pytest.mark.check
def test_three_thousand_links_in_a_row(tmp_path: Path) -> None:
    names = "".join(f'<link name="l{i}"/>' for i in range(3_001))
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{i + 1}"/></joint>' for i in range(3_000)
    )
    tree = robots.load_urdf(written(tmp_path, robot(names + joints)))
    assert tree.frame_names[-1] == "l3000"  # three times as many as Python allows calls within calls


@pytest.mark.parametrize("text", [b"\xff\xfe\x00\x00<robot/>", bytes(range(256)), b"\x1f\x8b\x08" + b"\0" * 50])
def test_bytes_that_are_no_text(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "robot.urdf"
    path.write_bytes(text)
    with pytest.raises(UrdfError, match=r"robot\.urdf is not well-formed XML"):
        robots.load_urdf(path)


def test_utf16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_bytes(('<?xml version="1.0" encoding="utf-16"?>' + robot('<link name="Körper"/>')).encode("utf-16"))
    assert robots.load_urdf(path).frame_names == ("Körper",)


def test_every_refusal_is_one_of_the_librarys_errors(tmp_path: Path) -> None:
    sound = robots.urdf_file("planar_2r").read_text(encoding="utf8")
    rng = np.random.default_rng(11)
    refused = 0
    for _ in range(300):  # one character somewhere replaced by another of the file's
        place, donor = rng.integers(len(sound), size=2)
        try:
            robots.load_urdf(written(tmp_path, sound[:place] + sound[donor] + sound[place + 1 :]))
        except LessonsError:
            refused += 1
    assert refused > 100
