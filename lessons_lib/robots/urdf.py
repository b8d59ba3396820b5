"""Robots from URDF files: the whole tree, or a serial chain out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import check_flag, check_string
from lessons_lib.errors import ParameterError, near_matches
from lessons_lib.robots import serial, tree_builder, urdf_reader
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.load_warnings import warn_about_degrees, warn_about_zero_width
from lessons_lib.robots.locked_joints import lock_joints
from lessons_lib.robots.tree import Tree

FOLDER = Path(__file__).with_name("urdf_files")
"""The URDF files that come with the course."""


def urdf_names() -> list[str]:
    """Return the names of the files: arms of the library, a quadruped with twelve joints, a torso with two arms."""
    return sorted(path.stem for path in FOLDER.glob("*.urdf"))


def urdf_file(name: str) -> Path:
    """Return the path of a URDF file of the course.

    Args:
        name: One of `urdf_names()`.

    Raises:
        ParameterError: There is none of that name.
    """
    if not isinstance(name, str) or name not in urdf_names():
        raise ParameterError(f"no URDF file comes under the name {name!r}; {near_matches(name, urdf_names())}")
    return FOLDER / f"{name}.urdf"


def load_urdf(
    path: str | Path,
    floating_base: bool = False,
    mimic: bool = True,
    *,
    planar_base: bool = False,
    locked: Mapping[str, float] | Iterable[str] = (),
) -> Tree:
    """Return the robot of a URDF, every link a named frame; no mesh is opened.

    The coordinates of q are in Pinocchio's order: depth first, the joints that leave a link in the order of their
    names. Kinds of joints, and where Pinocchio differs:

    - a continuous joint has one coordinate, its angle (Pinocchio: cosine and sine);
    - a planar joint has x, y and an angle in the plane across its axis, and their rates are its tangent (Pinocchio: the
      plane across z, and a body twist);
    - a floating joint, and the floating base, has seven coordinates, position and quaternion, and six rates, its body
      twist (ω, v) (Pinocchio: (v, ω));
    - a base in the plane has x, y and its angle, and three rates, its body twist (ω, v_x, v_y) (Pinocchio: cosine and
      sine of the angle, and (v_x, v_y, ω)).

    A warning names joints whose limits have no width, so that they cannot move, and limits or rpy angles that look
    like degrees.

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        floating_base: Whether the root link moves freely; its joint is called "root_joint".
        mimic: Whether a joint that mimics another follows it; else it has a coordinate of its own, which is what
            Pinocchio does unless asked.
        planar_base: Whether the root link moves in the plane z = 0 and turns about z; its joint is called "root_joint".
        locked: Joints that hold still, and have no coordinate then: names, or with each its angle [rad] or displacement
            [m], 0 where none is given. A joint that mimics one of them holds still with it.

    Raises:
        UrdfError: It cannot be read, is no URDF, or describes no tree; the message names the element.
        ParameterError: A flag is not True or False; there is no joint of a name in `locked` that turns or slides, or a
            value is not finite.
    """
    flags = {"floating_base": floating_base, "mimic": mimic, "planar_base": planar_base}
    floating_base, mimic, planar_base = (check_flag(name, value) for name, value in flags.items())
    model = lock_joints(urdf_reader.read(path), locked, mimic)
    tree = tree_builder.build(model, floating_base, mimic, planar_base)
    limits = np.column_stack([tree.lower, tree.upper])
    units = ["rad" if is_angle else "m" for is_angle in tree.is_angle]
    remedy = "name it in `locked`; a limit that a URDF leaves out is 0"
    warn_about_zero_width(tree.name, tree.q_names, limits, units, remedy)
    warn_about_degrees(tree.name, tree.q_names, limits, tree.is_angle)
    return tree


def from_urdf(
    path: str | Path, base: str | None = None, tip: str | None = None, tool: ArrayLike | None = None
) -> Chain:
    """Return the serial chain between two links of a URDF, with kinematics generated for it alone.

    A joint that mimics another moves with the coordinate of that one: see `Coupling`. Its limits and its speed narrow
    those of the coordinate, except for limits without width.

    It warns as `load_urdf` does, of the joints of the chain; `Chain.with_limits` holds a joint without a warning.

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        base: The link that carries {s}; the root when left out.
        tip: The link that carries {b}; when left out, the only leaf below the base. A gripper in the file then belongs
            to the chain; a warning says so if a moving joint behind the arm is named like a gripper's.
        tool: Pose of {b} in the tip's frame, shape (4, 4), position in m; the identity when left out.

    Raises:
        UrdfError: As `load_urdf`; or there is more than one leaf, no joint moves it, or a joint on the path floats.
        LimitsError: A joint that mimics another would leave its limits wherever that one stands.
        FrameNotFound: There is no link `base` or `tip`.
        TransformError: `tool` is not a pose.
        ParameterError: base or tip is no string.
    """
    for name, link in (("base", base), ("tip", tip)):
        if link is not None:
            check_string(name, link)
    model = urdf_reader.read(path)
    chain = serial.chain_between(model, tree_builder.build(model), base, tip)
    return chain if tool is None else chain.with_tool(tool)
