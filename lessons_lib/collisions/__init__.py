"""Collision geometry: bodies of an arm or a tree, their distances, and collision-free moves."""

from lessons_lib.collisions.bodies import Capsule, box, fitted_links, mesh, sphere
from lessons_lib.collisions.collision_model import CollisionModel, Distances, load_collisions
from lessons_lib.collisions.moves import Move, moves_free
from lessons_lib.collisions.scene import Scene

__all__ = [
    "Capsule",
    "CollisionModel",
    "Distances",
    "Move",
    "Scene",
    "box",
    "fitted_links",
    "load_collisions",
    "mesh",
    "moves_free",
    "sphere",
]
