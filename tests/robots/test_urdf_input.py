"""URDF files that are broken, hostile or odd: refused with a message that says what and where, or read rightly."""

import logging
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from urdf_texts import LIMIT, TWO_LINKS, joint, robot, written

from lessons_lib import robots
from lessons_lib.errors import LessonsError, UrdfError
from lessons_lib.robots.urdf_text import MAX_BYTES

inf = np.inf
THREE = TWO_LINKS + '<link name="c"/>'
DEEP = robot("<x>" * 1000 + "</x>" * 1000)
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
BOMB = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY l0 "ha">{LAUGHS}]>' + robot('<link name="&l9;"/>')


def number(tag: str, attribute: str, value: str) -> str:
    """Return a robot whose joint has an element with one attribute."""
    return robot(TWO_LINKS + joint(f'<{tag} {attribute}="{value}"/>'))


def limited(limit: str, kind: str = "revolute") -> str:
    """Return a robot whose joint has the given limit."""
    return robot(TWO_LINKS + joint(kind=kind, limit=limit))


NOT_XML = {
    "empty": ("", r"robot\.urdf is not well-formed XML: no element found: line 1"),
    "plain text": ("robot", r"is not well-formed XML: syntax error: line 1, column 0"),
    "cut off": ('<robot name="r"><link name="a">', "is not well-formed XML: no element found"),
    "two robots": (robot("") * 2, "is not well-formed XML: junk after document element"),
    "unknown entity": (robot('<link name="&nope;"/>'), "is not well-formed XML: undefined entity"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?>' + robot(""), "unknown encoding: klingon"),
    "entity expansion": (BOMB, r"has a document type, <!DOCTYPE 'robot' …>; a URDF has none"),
    "a file in an entity": (
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + robot('<link name="&x;"/>'),
        "has a document type, <!DOCTYPE 'r' …>",
    ),
    "a DTD from the network": (
        '<!DOCTYPE robot SYSTEM "http://127.0.0.1:9/robot.dtd">' + robot('<link name="a"/>'),
        "has a document type",
    ),
    "deep": (DEEP, "nests elements more than 64 deep"),
    "web page": ("<html><body/></html>", "begins with <html>; a URDF begins with <robot name=…>"),
    "namespace": ('<robot name="r" xmlns="http://x"><link name="a"/></robot>', "begins with <{http://x}robot>"),
    "xacro": (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="x"/></robot>',
        "is a xacro file, from which the program xacro makes a URDF; run that first",
    ),
}

NO_ROBOT = {
    "two axes": (
        robot(TWO_LINKS + joint('<axis xyz="1 0 0"/><axis xyz="0 1 0"/>')),
        "joint 'j' has 2 <axis> in its <joint>; there may be one",
    ),
    "an axis of nothing": (
        robot(TWO_LINKS + joint('<axis yxz="0 1 0"/>')),
        r"joint 'j' has an <axis> without xyz=\"…\"; left out as a whole, the axis is 1 0 0",
    ),
    "two origins": (robot(TWO_LINKS + joint("<origin/><origin/>")), "joint 'j' has 2 <origin> in its <joint>"),
    "three limits": (robot(TWO_LINKS + joint(2 * LIMIT)), "joint 'j' has 3 <limit> in its <joint>"),
    "two masses": (
        robot('<link name="a"><inertial><mass value="1"/><mass value="2"/></inertial></link>'),
        "link 'a' has 2 <mass> in its <inertial>",
    ),
    "no name": ('<robot><link name="a"/></robot>', r"the <robot> of robot\.urdf has no name"),
    "no link": (robot(""), "robot 'r' has no link; a URDF has at least one"),
    "nameless link": (robot("<link/>"), r"a <link> of robot\.urdf has no name"),
    "nameless joint": (robot(TWO_LINKS + joint(name="")), r"a <joint> of robot\.urdf has no name"),
    "name without end": (robot(f'<link name="{"a" * 5000}"/>'), "has a name of 5000 characters; at most 256"),
    "no parent": (
        robot(TWO_LINKS + '<joint name="j" type="fixed"><child link="b"/></joint>'),
        "joint 'j' has no <parent",
    ),
    "no child": (
        robot(TWO_LINKS + '<joint name="j" type="fixed"><parent link="a"/></joint>'),
        "joint 'j' has no <child",
    ),
    "child unnamed": (
        robot(TWO_LINKS + '<joint name="j" type="fixed"><parent link="a"/><child/></joint>'),
        "joint 'j' has a <child> that names no link",
    ),
    "unknown parent": (
        robot('<link name="base"/><link name="b"/>' + joint().replace('"a"', '"bose"')),
        "the parent of joint 'j' is 'bose', which is no link; did you mean 'base'",
    ),
    "unknown child": (
        robot(TWO_LINKS + joint(ends="aZ")),
        "the child of joint 'j' is 'Z', which is no link; it has 'a', 'b'",
    ),
    "two links of a name": (robot(TWO_LINKS * 2 + joint()), "robot 'r' has 2 links named 'a'; names must differ"),
    "two joints of a name": (robot(THREE + joint() + joint(ends="ac")), "robot 'r' has 2 joints named 'j'"),
    "closed loop": (
        robot(THREE + joint() + joint(name="k", ends="ac") + joint(name="l", ends="cb")),
        "link 'b' is moved by two joints, 'j' and 'l'; a tree's link has one parent",
    ),
    "two roots": (robot(THREE + joint()), "robot 'r' has 2 roots, 'a', 'c'; join them: a tree has one"),
    "only a cycle": (robot(TWO_LINKS + joint() + joint(name="k", ends="ba")), "robot 'r' has a cycle among 'a', 'b'"),
    "a cycle beside": (
        robot(THREE + joint() + joint(name="k", ends="ba")),
        "has a cycle among 'a', 'b'; a tree has none",
    ),
    "its own parent": (robot(TWO_LINKS + joint(ends="aa")), "robot 'r' has a cycle among 'a'"),
    "unknown type": (
        robot(TWO_LINKS + joint(kind="hinge")),
        "joint 'j' has type 'hinge'; the types are revolute, continuous",
    ),
    "no type": (robot(TWO_LINKS + joint().replace('type="revolute"', "")), "joint 'j' has type None"),
}

NO_NUMBERS = {
    "a word": (number("origin", "xyz", "0 zero 0"), "joint 'j': xyz of its <origin> is 'zero', not a number"),
    "two numbers": (number("origin", "xyz", "0 0"), "joint 'j': xyz of its <origin> must be three numbers, got 2"),
    "one number": (number("origin", "rpy", "1"), "joint 'j': rpy of its <origin> must be three numbers, got 1"),
    "four numbers": (number("axis", "xyz", "0 0 1 1"), "joint 'j': xyz of its <axis> must be three numbers, got 4"),
    "an underscore": (number("origin", "xyz", "1_0 0 0"), "xyz of its <origin> is '1_0', not a number"),
    "Arabic digits": (number("origin", "rpy", "0 ٣ 0"), "rpy of its <origin> is '٣', not a number"),
    "fullwidth digits": (number("axis", "xyz", "１ 0 0"), "xyz of its <axis> is '１', not a number"),
    "a space of another script": (
        number("axis", "xyz", "1\u00a00 0"),
        "xyz of its <axis> must be three numbers, got 2",
    ),
    "a hexadecimal number": (number("origin", "xyz", "0x10 0 0"), "is '0x10', not a number"),
    "NaN": (
        number("origin", "xyz", "0 0 nan"),
        "xyz of its <origin> is 'nan'; it must be a number of size at most 1e.09",
    ),
    "infinite": (number("origin", "rpy", "inf 0 0"), "rpy of its <origin> is 'inf'; it must be a number of size"),
    "beyond the moon": (
        number("origin", "xyz", "1e308 0 0"),
        "xyz of its <origin> is '1e308'; it must be a number of size",
    ),
    "a million digits": (number("origin", "xyz", "7" * 1_000_000 + " 0 0"), "is '7{59}…; it must be a number of size"),
    "no axis": (
        number("axis", "xyz", "0 0 0"),
        r"the axis of joint 'j' is \[0\.0, 0\.0, 0\.0\]; an axis has a direction",
    ),
    "an axis that underflows": (
        number("axis", "xyz", "1e-200 0 0"),
        "the axis of joint 'j' is .*; an axis has a direction",
    ),
    "NaN in an axis": (number("axis", "xyz", "nan 0 0"), "xyz of its <axis> is 'nan'"),
    "a mass below zero": (
        robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'),
        "link 'a' has a mass of -1 kg; a mass is not negative",
    ),
    "a mass that is none": (
        robot('<link name="a"><inertial><mass value="heavy"/></inertial></link>'),
        "link 'a': value of its <mass> is 'heavy', not a number",
    ),
    "a centre that is none": (
        robot('<link name="a"><inertial><origin xyz="0 0 inf"/></inertial></link>'),
        "link 'a': xyz of its <origin> is 'inf'",
    ),
}

NO_LIMITS = {
    "none, revolute": (
        limited(""),
        "joint 'j' is revolute and has no limits; URDF asks for <limit .*without limits is continuous",
    ),
    "none, prismatic": (limited("", "prismatic"), "joint 'j' is prismatic and has no limits; URDF asks for <limit"),
    "no velocity": (
        limited('<limit lower="0" upper="1"/>'),
        "the <limit> of joint 'j' has no velocity; URDF asks for one",
    ),
    "a word": (limited('<limit lower="low" upper="1" velocity="1"/>'), "lower of its <limit> is 'low', not a number"),
    "NaN": (limited('<limit lower="0" upper="nan" velocity="1"/>'), "upper of its <limit> is 'nan'"),
    "too far": (
        limited('<limit lower="0" upper="1e308" velocity="1"/>'),
        "upper of its <limit> is '1e308'; it must be",
    ),
    "swapped": (
        limited('<limit lower="2" upper="1" velocity="1"/>'),
        r"limits of joint 'j' are \[2, 1\]: lower must not",
    ),
    "beyond infinity": (
        limited('<limit lower="inf" upper="inf" velocity="1"/>'),
        r"\[inf, inf\]: no finite value lies",
    ),
    "backward velocity": (
        limited('<limit lower="0" upper="1" velocity="-1"/>'),
        "the velocity limit of joint 'j' is -1",
    ),
}

NO_LEADER = {
    "nobody": (number("mimic", "joint", "knee"), "joint 'j' mimics 'knee', which is no joint; it has 'j'"),
    "unnamed": (robot(TWO_LINKS + joint("<mimic/>")), "joint 'j' has a <mimic> that names no joint"),
    "itself": (number("mimic", "joint", "j"), "joint 'j' mimics one that mimics another, and so on in a circle"),
    "a circle": (
        robot(THREE + joint('<mimic joint="k"/>') + joint('<mimic joint="j"/>', name="k", ends="bc")),
        "joint 'j' mimics one that mimics another, and so on in a circle",
    ),
    "a free joint": (
        robot(THREE + joint('<mimic joint="k"/>') + joint(name="k", kind="floating", limit="", ends="bc")),
        "joint 'j' mimics 'k', a floating joint, which has no one coordinate",
    ),
    "a word": (
        robot(TWO_LINKS + joint('<mimic joint="k" multiplier="twice"/>')),
        "joint 'j': multiplier of its <mimic> is 'twice', not a number",
    ),
}


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


@pytest.mark.parametrize("lead", ["", "\n  ", '<?xml version="1.0"?>'])
def test_a_urdf_may_be_given_as_a_string(tmp_path: Path, lead: str) -> None:
    text = lead + robot(TWO_LINKS + joint('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'))
    q = [0.5]
    expected = robots.from_urdf(written(tmp_path, text.lstrip())).forward_kinematics(q)
    assert np.array_equal(robots.from_urdf(text).forward_kinematics(q), expected)
    assert robots.load_urdf(text).name == "r"


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


@pytest.mark.parametrize("path", ["no such file.urdf", ".", "/dev/null", "a\0b", ""])
def test_what_is_no_file_is_refused(path: str) -> None:
    with pytest.raises(UrdfError, match="is no file; a URDF is read from a file on this machine"):
        robots.load_urdf(path)


@pytest.mark.parametrize("path", [5, None, b"robot.urdf", ["robot.urdf"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(UrdfError, match="it is the path of a URDF file"):
        robots.load_urdf(path)


def test_a_joint_of_the_floating_bases_name_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, robot(TWO_LINKS + joint(name="root_joint")))
    assert robots.load_urdf(path).joint_names == ("root_joint",)
    with pytest.raises(UrdfError, match="'r' has a joint 'root_joint', the name of the floating base's own; rename it"):
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


def test_twenty_thousand_links_in_a_row(tmp_path: Path) -> None:
    names = "".join(f'<link name="l{i}"/>' for i in range(20_001))
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{i + 1}"/></joint>' for i in range(20_000)
    )
    tree = robots.load_urdf(written(tmp_path, robot(names + joints)))
    assert tree.frame_names[-1] == "l20000"  # no recursion, no square of the number of links


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
