"""Invalid or hostile URDF texts by name, each with a regular expression for its error."""

from urdf_texts import TWO_LINKS, joint, robot

THREE, FIXED = TWO_LINKS + '<link name="c"/>', TWO_LINKS + '<joint name="j" type="fixed">'
DEEP = robot("<x>" * 1000 + "</x>" * 1000)
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
BOMB = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY l0 "ha">{LAUGHS}]>' + robot('<link name="&l9;"/>')


def number(tag: str, attribute: str, value: str) -> str:
    """Return a robot whose joint has an element with one attribute."""
    return robot(TWO_LINKS + joint(f'<{tag} {attribute}="{value}"/>'))


def with_limit(limit: str, kind: str = "revolute") -> str:
    """Return a robot whose joint has the given limit."""
    return robot(TWO_LINKS + joint(kind=kind, limit=limit))


NOT_XML = {
    "empty": ("", r"robot\.urdf is not well-formed XML: no element found: line 1"),
    "cut off": ('<robot name="r">\n<link name="a">', "no element found: line 2, column 15; </robot> is missing"),
    "cut in a tag": ('<robot name="r">\n<link name="a"', "unclosed token: line 2, column .*; the tag that begins"),
    "words behind it": (robot("") + "\nend", "junk after document element: line 2, column 0; delete what"),
    "unknown entity": (robot('<link name="&nope;"/>'), "undefined entity: line 1, .*; XML defines only &amp; &lt;"),
    "a declaration after a comment": (
        '<!-- made by hand -->\n<?xml version="1.0"?>' + robot(TWO_LINKS),
        "declaration not at start of entity: line 2, column 0; <.xml ….> must be at the beginning, once",
    ),
    "two names": (robot('\n<link name="a" name="b"/>'), "duplicate attribute: line 2, .*; delete one of the two"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?>' + robot(""), "unknown encoding: klingon"),
    "entity expansion": (BOMB, "must not have a document type, got <!DOCTYPE 'robot' …>; delete it"),
    "deep": (DEEP, r"elements of robot\.urdf must be nested at most 64 deep"),
    "web page": ("<html><body/></html>", r"robot\.urdf must begin with <robot name=…>, got <html>"),
    "links with a prefix": (robot('\n\n<u:link name="a"/>'), r"line 3 of robot\.urdf: <u:link> is not read; write"),
    "a bare ampersand": (robot('\n<link name="a&b"/>'), r"line 2, column \d+; write &amp; for &"),
    "a line that is skipped counts": ("\n\n\ufeff" + robot("\n<link>"), "mismatched tag: line 4"),
    "xacro": (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="x"/></robot>',
        r"line 1 of robot\.urdf: <xacro:include> is not read; convert the file to a URDF by the program xacro",
    ),
}

NO_ROBOT = {
    "two axes": (robot(TWO_LINKS + joint('<axis xyz="1 0 0"/><axis xyz="0 1 0"/>')), "the <joint> of joint 'j' must"),
    "an axis of nothing": (
        robot(TWO_LINKS + joint('<axis yxz="0 1 0"/>')),
        """the <axis> of joint 'j' must have xyz="…"; without an <axis> it is 1 0 0""",
    ),
    "no name": ('<robot><link name="a"/></robot>', r"the <robot> of robot\.urdf must have a name"),
    "no link": (robot(""), "robot 'r' must have at least one link, got none"),
    "nameless link": (robot("<link/>"), r"a <link> of robot\.urdf must have a name"),
    "name without end": (robot(f'<link name="{"a" * 5000}"/>'), "must have at most 256 characters, got 5000"),
    "no parent": (robot(FIXED + '<child link="b"/></joint>'), "joint 'j' must have a <parent link=…>"),
    "child unnamed": (robot(FIXED + '<parent link="a"/><child/></joint>'), "the <child> of joint 'j' must name a link"),
    "unknown parent": (
        robot('<link name="base"/><link name="b"/>' + joint().replace('"a"', '"bose"')),
        "the parent of joint 'j' must be a link, got 'bose'; did you mean 'base'",
    ),
    "two links of a name": (robot(TWO_LINKS * 2 + joint()), "links of robot 'r' must have different .*got 'a' 2 times"),
    "closed loop": (
        robot(THREE + joint() + joint(name="k", ends="ac") + joint(name="l", ends="cb")),
        "link 'b' must have one parent joint, got 'j' and 'l'",
    ),
    "two roots": (robot(THREE + joint()), "robot 'r' must have one root, got 'a', 'c'"),
    "only a cycle": (robot(TWO_LINKS + joint() + joint(name="k", ends="ba")), "robot 'r' must be a tree, but has a"),
    "unknown type": (robot(TWO_LINKS + joint(kind="hinge")), "the type of joint 'j' must be one of .*got 'hinge'"),
    "no type": (robot(TWO_LINKS + joint().replace('type="revolute"', "")), "the type of joint 'j' must be .*got None"),
}

NO_NUMBERS = {
    "an expression of xacro": (
        robot(TWO_LINKS + "\n\n" + joint('\n<axis xyz="0 0 ${z}"/>')),
        r"joint 'j': xyz of its <axis> must be a number, got '\$\{z\}' \(line 4\); run the program xacro",
    ),
    "a limit by xacro": (with_limit('<limit lower="$(arg low)" velocity="1"/>'), r"must be a number, got '\$\(arg"),
    "a word": (number("origin", "xyz", "0 zero 0"), "joint 'j': xyz of its <origin> must be a number, got 'zero'"),
    "four numbers": (number("axis", "xyz", "0 0 1 1"), "joint 'j': xyz of its <axis> must be three numbers, got 4"),
    "an underscore": (number("origin", "xyz", "1_0 0 0"), "xyz of its <origin> must be a number, got '1_0'"),
    "Arabic digits": (number("origin", "rpy", "0 ٣ 0"), "rpy of its <origin> must be a number, got '٣'"),
    "a space of another script": (number("axis", "xyz", "1\u00a00 0"), "xyz of its <axis> must be three .*got 2"),
    "NaN": (number("origin", "xyz", "0 0 nan"), "xyz of its <origin> must be a number of size at most .*got 'nan'"),
    "beyond the moon": (number("origin", "xyz", "1e308 0 0"), "xyz of its <origin> must be a number of .*got '1e308'"),
    "a million digits": (number("origin", "xyz", "7" * 1_000_000 + " 0 0"), "must be a number of size at most"),
    "no axis": (number("axis", "xyz", "0 0 0"), r"the axis of joint 'j' must not be zero, got \[0\.0, 0\.0, 0\.0\]"),
    "an axis that underflows": (number("axis", "xyz", "1e-200 0 0"), "the axis of joint 'j' must not be zero"),
    "a mass below zero": (
        robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'),
        "the mass of link 'a' must be zero or more, in kg, got -1",
    ),
}

NO_LIMITS = {
    "none, revolute": (with_limit(""), "the revolute joint 'j' must have limits: <limit .*without limits its type"),
    "no velocity": (with_limit('<limit lower="0" upper="1"/>'), "the <limit> of joint 'j' must have a velocity, in"),
    "swapped": (with_limit('<limit lower="2" upper="1" velocity="1"/>'), r"limits of joint 'j' must .*got \[2, 1\]"),
    "beyond infinity": (with_limit('<limit lower="inf" upper="inf" velocity="1"/>'), r"must contain a finite value,"),
    "backward velocity": (with_limit('<limit lower="0" upper="1" velocity="-1"/>'), "the velocity limit of .*got -1"),
}

NO_LEADER = {
    "nobody": (number("mimic", "joint", "knee"), "joint 'j' must mimic a joint, got 'knee'; it has 'j'"),
    "itself": (number("mimic", "joint", "j"), "joint 'j' mimics joints that form a cycle, or a chain of more than"),
    "a circle": (
        robot(THREE + joint('<mimic joint="k"/>') + joint('<mimic joint="j"/>', name="k", ends="bc")),
        "joint 'j' mimics joints that form a cycle, or a chain of more than",
    ),
    "a free joint": (
        robot(THREE + joint('<mimic joint="k"/>') + joint(name="k", kind="floating", limit="", ends="bc")),
        r"joint 'j' must mimic a joint with one coordinate, got 'k' \(floating\)",
    ),
}
