"""Robots from URDF files: the whole tree, or a serial chain out of it."""

from pathlib import Path

from lessons_lib.robots import serial, tree_builder, urdf_reader
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.tree import Tree


def load_urdf(path: str | Path, floating_base: bool = False, mimic: bool = True) -> Tree:
    """Return the robot of a URDF, every link a named frame; no mesh is opened.

    The coordinates of q are in Pinocchio's order: depth first, the joints that leave a link in the order of their
    names. Kinds of joints, and where Pinocchio differs:

    - a continuous joint has one coordinate, its angle (Pinocchio: cosine and sine);
    - a planar joint has x, y and an angle in the plane across its axis, and their rates are its tangent (Pinocchio: the
      plane across z, and a body twist);
    - a floating joint, and the floating base, has seven coordinates, position and quaternion, and six rates, its body
      twist (ω, v) (Pinocchio: (v, ω)).

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        floating_base: Whether the root link moves freely; its joint is called "root_joint".
        mimic: Whether a joint that mimics another follows it; else it has a coordinate of its own, which is what
            Pinocchio does unless asked.

    Raises:
        UrdfError: It cannot be read, is no URDF, or describes no tree; the message names the element.
    """
    return tree_builder.build(urdf_reader.read(path), floating_base, mimic)


def from_urdf(path: str | Path, base: str | None = None, tip: str | None = None) -> Chain:
    """Return the serial chain between two links of a URDF, with kinematics generated for it alone.

    Args:
        path: A .urdf file, or the URDF itself, a string that begins with "<"; at most 8 MiB.
        base: The link that carries {s}; the root when left out.
        tip: The link that carries {b}; when left out, the only link at the end of the joints that start at the base.

    Raises:
        UrdfError: As `load_urdf`; or there is more than one such tip, no joint moves it, or a joint on the path floats
            or mimics another.
        FrameNotFound: There is no link `base` or `tip`.
    """
    model = urdf_reader.read(path)
    return serial.chain_between(model, tree_builder.build(model), base, tip)
