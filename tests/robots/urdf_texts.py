"""Small URDF texts for tests."""

from pathlib import Path

LIMIT = '<limit lower="-1" upper="2" velocity="3" effort="4"/>'
TWO_LINKS = '<link name="a"/><link name="b"/>'


def joint(inner: str = "", name: str = "j", kind: str = "revolute", limit: str = LIMIT, ends: str = "ab") -> str:
    """Return a joint from the first letter of `ends` to the second."""
    parent, child = ends
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{limit}{inner}</joint>'


def robot(inner: str) -> str:
    """Return a robot."""
    return f'<robot name="r">{inner}</robot>'


def link(name: str, mass: float, centre: str) -> str:
    """Return a link with a mass."""
    return f'<link name="{name}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/></inertial></link>'


EVERY_KIND = robot(
    link("a", 9.0, "1 1 1")
    + link("b", 1.0, "0.1 0.2 0.3")
    + link("c", 2.0, "0.2 0 -0.1")
    + link("d", 0.5, "0 0.1 0")
    + link("e", 0.7, "-0.1 0 0.2")
    + link("f", 0.3, "0 0 0.1")
    + link("g", 0.2, "0.3 0 0")
    + '<link name="h"/>'
    + joint('<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>', "float", "floating", "", "ab")
    + joint('<origin xyz="0.3 0 0" rpy="0 0.2 0"/><axis xyz="1 2 -2"/>', "plane", "planar", "", "bc")
    + joint('<origin xyz="0 0.4 0"/><axis xyz="0 -1 0"/>', "turn", "continuous", "", "cd")
    + joint('<origin xyz="0 0 0.5"/><axis xyz="3 0 4"/>', "slide", "prismatic", LIMIT, "de")
    + joint('<axis xyz="0 1 1"/><mimic joint="turn" multiplier="-2" offset="0.3"/>', "echo", "revolute", LIMIT, "ef")
    + joint('<mimic joint="echo" multiplier="0.5"/>', "echo of echo", "prismatic", LIMIT, "fg")
    + joint('<axis xyz="0 0 1"/><mimic joint="glue" multiplier="7" offset="0.25"/>', "stuck", "revolute", LIMIT, "gh")
    + '<link name="i"/>'
    + joint('<origin xyz="1 0 0"/>', "glue", "fixed", "", "ai")
)
"""A robot with every kind of joint, one below the other, oblique axes, and joints that mimic."""


PLACED = TWO_LINKS + joint('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>')
UNREAD = {
    "a default namespace": '<robot name="r" xmlns="http://x">{}</robot>',
    "an empty line before the declaration": '\n\n<?xml version="1.0"?><robot name="r">{}</robot>',
    "a mark of bytes, and a line": '\ufeff\n<?xml version="1.0"?><robot name="r">{}</robot>',
    "a prefix that nothing declares": '<robot name="r">{}<gazebo:plugin x="1"><a:b/></gazebo:plugin></robot>',
    "an attribute of one": '<robot name="r" x:name="s">{}</robot>',
    "a prefix for nothing": '<robot name="r" xmlns:x="">{}</robot>',
    "a declared one": '<robot name="r" xmlns:x="http://x">{}<x:y name="a"/></robot>',
}
"""Texts that URDF readers accept and strict XML readers refuse; {} is the content of the robot."""


def with_macro(prefix: str, declared: bool = True) -> str:
    """Return a robot with a joint, with an unexpanded macro of xacro."""
    inner = TWO_LINKS + joint() + f'\n<{prefix}:macro name="m"><link name="c"/></{prefix}:macro>'
    named = f'<robot xmlns:{prefix}="http://www.ros.org/wiki/xacro"'
    return robot(inner).replace("<robot", named) if declared else robot(inner)


def write_urdf(folder: Path, text: str) -> Path:
    """Write a text to a file and return its path."""
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf8")
    return path
