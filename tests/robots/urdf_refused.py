"""URDF texts that are broken or hostile, by name, and what is said of each, a regular expression."""

from urdf_texts import TWO_LINKS, joint, robot

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
    "cut off": (
        '<robot name="r">\n<link name="a">',
        "no element found: line 2, column 15; it ends before its </robot>",
    ),
    "cut in a tag": (
        '<robot name="r">\n<link name="a"',
        "unclosed token: line 2, column .*; what begins there has no end",
    ),
    "words behind it": (robot("") + "\nend", "junk after document element: line 2, column 0; a file ends"),
    "unknown entity": (robot('<link name="&nope;"/>'), "undefined entity: line 1, .*; XML itself knows &amp; &lt;"),
    "a declaration after a comment": (
        '<!-- made by hand -->\n<?xml version="1.0"?>' + robot(TWO_LINKS),
        "declaration not at start of entity: line 2, column 0; <.xml ….> stands first and once, or is left out",
    ),
    "two names": (robot('\n<link name="a" name="b"/>'), "duplicate attribute: line 2, .*; leave one of the two out"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?>' + robot(""), "unknown encoding: klingon"),
    "entity expansion": (BOMB, r"has a document type, <!DOCTYPE 'robot' …>; a URDF has none"),
    "deep": (DEEP, "nests elements more than 64 deep"),
    "web page": ("<html><body/></html>", "begins with <html>; a URDF begins with <robot name=…>"),
    "links with a prefix": (
        robot('\n\n<u:link name="a"/>'),
        r"line 3 of robot\.urdf: <u:link> is not read; <link> would be, and no link is left",
    ),
    "a bare ampersand": (robot('\n<link name="a&b"/>'), r"line 2, column \d+; & is written &amp;"),
    "a line that is skipped counts": ("\n\n\ufeff" + robot("\n<link>"), "mismatched tag: line 4"),
    "xacro": (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="x"/></robot>',
        r"line 1 of robot\.urdf: <xacro:include> is not read; the program xacro makes a URDF of such a file",
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
    "no name": ('<robot><link name="a"/></robot>', r"the <robot> of robot\.urdf has no name"),
    "no link": (robot(""), "robot 'r' has no link; a URDF has at least one"),
    "nameless link": (robot("<link/>"), r"a <link> of robot\.urdf has no name"),
    "name without end": (robot(f'<link name="{"a" * 5000}"/>'), "has a name of 5000 characters; at most 256"),
    "no parent": (
        robot(TWO_LINKS + '<joint name="j" type="fixed"><child link="b"/></joint>'),
        "joint 'j' has no <parent",
    ),
    "child unnamed": (
        robot(TWO_LINKS + '<joint name="j" type="fixed"><parent link="a"/><child/></joint>'),
        "joint 'j' has a <child> that names no link",
    ),
    "unknown parent": (
        robot('<link name="base"/><link name="b"/>' + joint().replace('"a"', '"bose"')),
        "the parent of joint 'j' is 'bose', which is no link; did you mean 'base'",
    ),
    "two links of a name": (robot(TWO_LINKS * 2 + joint()), "robot 'r' has 2 links named 'a'; names must differ"),
    "closed loop": (
        robot(THREE + joint() + joint(name="k", ends="ac") + joint(name="l", ends="cb")),
        "link 'b' is moved by two joints, 'j' and 'l'; a tree's link has one parent",
    ),
    "two roots": (robot(THREE + joint()), "robot 'r' has 2 roots, 'a', 'c'; join them: a tree has one"),
    "only a cycle": (robot(TWO_LINKS + joint() + joint(name="k", ends="ba")), "robot 'r' has a cycle among 'a', 'b'"),
    "unknown type": (
        robot(TWO_LINKS + joint(kind="hinge")),
        "joint 'j' has type 'hinge'; the types are revolute, continuous",
    ),
    "no type": (robot(TWO_LINKS + joint().replace('type="revolute"', "")), "joint 'j' has type None"),
}

NO_NUMBERS = {
    "an expression of xacro": (
        robot(TWO_LINKS + "\n\n" + joint('\n<axis xyz="0 0 ${z}"/>')),
        r"joint 'j': xyz of its <axis> is '\$\{z\}', not a number \(line 4\); the program xacro makes numbers of such",
    ),
    "a limit by xacro": (
        limited('<limit lower="$(arg low)" velocity="1"/>'),
        r"is '\$\(arg low\)', not a number \(line 1\)",
    ),
    "a word": (number("origin", "xyz", "0 zero 0"), "joint 'j': xyz of its <origin> is 'zero', not a number"),
    "four numbers": (number("axis", "xyz", "0 0 1 1"), "joint 'j': xyz of its <axis> must be three numbers, got 4"),
    "an underscore": (number("origin", "xyz", "1_0 0 0"), "xyz of its <origin> is '1_0', not a number"),
    "Arabic digits": (number("origin", "rpy", "0 ٣ 0"), "rpy of its <origin> is '٣', not a number"),
    "a space of another script": (
        number("axis", "xyz", "1\u00a00 0"),
        "xyz of its <axis> must be three numbers, got 2",
    ),
    "NaN": (
        number("origin", "xyz", "0 0 nan"),
        "xyz of its <origin> is 'nan'; it must be a number of size at most 1e.09",
    ),
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
    "a mass below zero": (
        robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'),
        "link 'a' has a mass of -1 kg; a mass is not negative",
    ),
}

NO_LIMITS = {
    "none, revolute": (
        limited(""),
        "joint 'j' is revolute and has no limits; URDF asks for <limit .*without limits is continuous",
    ),
    "no velocity": (
        limited('<limit lower="0" upper="1"/>'),
        "the <limit> of joint 'j' has no velocity; URDF asks for one",
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
    "itself": (number("mimic", "joint", "j"), "joint 'j' mimics one that mimics another, and so on in a circle"),
    "a circle": (
        robot(THREE + joint('<mimic joint="k"/>') + joint('<mimic joint="j"/>', name="k", ends="bc")),
        "joint 'j' mimics one that mimics another, and so on in a circle",
    ),
    "a free joint": (
        robot(THREE + joint('<mimic joint="k"/>') + joint(name="k", kind="floating", limit="", ends="bc")),
        "joint 'j' mimics 'k', a floating joint, which has no one coordinate",
    ),
}
