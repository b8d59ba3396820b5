"""Robots: serial chains from screws, from Denavit-Hartenberg tables and ready-made; trees from URDF files."""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
    from lessons_lib.robots.chain import Chain
    from lessons_lib.robots.closed_form import planar_2r_corners, planar_2r_solutions, planar_2r_source
    from lessons_lib.robots.coupling import Coupling
    from lessons_lib.robots.denavit_hartenberg import from_dh
    from lessons_lib.robots.descriptions import description_file, load_description
    from lessons_lib.robots.dexterity import (
        condition_number,
        manipulability,
        singular_values,
        translation_at_fixed_orientation,
    )
    from lessons_lib.robots.dh_text import load_dh
    from lessons_lib.robots.elbow import arm_angle, elbow_points
    from lessons_lib.robots.library import PANDA_DH, PANDA_FLANGE, ROBOTS, UR10_DH, panda, planar_2r, planar_3r, ur10
    from lessons_lib.robots.mjcf import from_mjcf
    from lessons_lib.robots.screws import from_screws
    from lessons_lib.robots.tree import Tree
    from lessons_lib.robots.tree_state import TreeState
    from lessons_lib.robots.urdf import from_urdf, load_urdf, urdf_file, urdf_names

__all__ = [
    "PANDA_DH",
    "PANDA_FLANGE",
    "ROBOTS",
    "UR10_DH",
    "Chain",
    "Coupling",
    "Tree",
    "TreeState",
    "arm_angle",
    "condition_number",
    "description_file",
    "elbow_points",
    "from_dh",
    "from_mjcf",
    "from_screws",
    "from_urdf",
    "translation_at_fixed_orientation",
    "load_description",
    "load_dh",
    "load_urdf",
    "manipulability",
    "panda",
    "planar_2r",
    "planar_2r_corners",
    "planar_2r_solutions",
    "planar_2r_source",
    "planar_3r",
    "singular_values",
    "ur10",
    "urdf_file",
    "urdf_names",
]

__getattr__, __dir__ = defer_imports(__name__, __file__)
