"""Robots: serial chains from screws, from Denavit-Hartenberg tables and ready-made; trees from URDF files."""

from lessons_lib.robots.bodies import Capsule, box, fitted_links, mesh, sphere
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.closed_form import planar_2r_corners, planar_2r_solutions, planar_2r_source
from lessons_lib.robots.collisions import CollisionModel, Distances, load_collisions
from lessons_lib.robots.denavit_hartenberg import from_dh
from lessons_lib.robots.descriptions import description_file, load_description
from lessons_lib.robots.dexterity import condition_number, held_translation, manipulability, singular_values
from lessons_lib.robots.dh_text import load_dh
from lessons_lib.robots.elbow import arm_angle, elbow_points
from lessons_lib.robots.library import PANDA_DH, PANDA_FLANGE, ROBOTS, UR10_DH, panda, planar_2r, planar_3r, ur10
from lessons_lib.robots.mjcf import from_mjcf
from lessons_lib.robots.moves import Move, moves_free
from lessons_lib.robots.scene import Scene
from lessons_lib.robots.screws import from_screws
from lessons_lib.robots.tree import Tree
from lessons_lib.robots.tree_state import TreeState
from lessons_lib.robots.urdf import from_urdf, load_urdf, urdf_file, urdf_names

__all__ = [
    "PANDA_DH",
    "PANDA_FLANGE",
    "ROBOTS",
    "UR10_DH",
    "Capsule",
    "Chain",
    "CollisionModel",
    "Distances",
    "Move",
    "Scene",
    "Tree",
    "TreeState",
    "arm_angle",
    "box",
    "condition_number",
    "description_file",
    "elbow_points",
    "fitted_links",
    "from_dh",
    "from_mjcf",
    "from_screws",
    "from_urdf",
    "held_translation",
    "load_collisions",
    "load_description",
    "load_dh",
    "load_urdf",
    "manipulability",
    "mesh",
    "moves_free",
    "panda",
    "planar_2r",
    "planar_2r_corners",
    "planar_2r_solutions",
    "planar_2r_source",
    "planar_3r",
    "singular_values",
    "sphere",
    "ur10",
    "urdf_file",
    "urdf_names",
]
