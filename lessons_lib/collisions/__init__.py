"""Collision geometry: bodies of an arm or a tree, their distances, and collision-free moves."""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
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

__getattr__, __dir__ = defer_imports(__name__, __file__)
