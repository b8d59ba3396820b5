"""How far the bodies of a robot are from each other.

Of spheres and capsules in closed form, see segments.py. Distances between meshes, cylinders and boxes are a library's
work; coal is the one that Pinocchio uses. It is an extra: `pip install 'lessons-lib[collisions]'`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers, summary
from lessons_lib.collisions.bodies import Capsule
from lessons_lib.collisions.module import module
from lessons_lib.collisions.urdf_bodies import WORLD, CollisionBody, read_bodies
from lessons_lib.errors import UrdfError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.robots import urdf_text
from lessons_lib.robots.tree import Tree


@dataclass(frozen=True)
class Distances:
    """How far the bodies of each pair are from each other.

    Attributes:
        distance: From surface to surface, shape (k,), m; where they overlap, minus how deep. Of a mesh that is touched
            it is 0 or less, and says no more than that.
        points: The nearest point of each body, shape (k, 2, 3), m in {s}; NaN of a mesh that is touched.
        normals: From the first body to the second, shape (k, 3), unit vectors in {s}; NaN of a mesh that is touched:
            what coal 3.0 tells of it is wrong (its issue 823).
    """

    distance: Array
    points: Array
    normals: Array

    def __repr__(self) -> str:
        """Return the fields on one line, a long array as its type and shape."""
        return summary(self)


@dataclass(frozen=True, eq=False)
class CollisionModel:
    """The bodies of a robot, and which pairs of them must not touch. Make one with `load_collisions`.

    Attributes:
        bodies: In the order of the robot's links.
        pairs: Places of two bodies each.
    """

    bodies: tuple[CollisionBody, ...]
    pairs: tuple[tuple[int, int], ...]

    def __getstate__(self) -> dict[str, Any]:
        """Return the bodies and pairs; what coal makes of them is made anew where it is needed."""
        return {"bodies": self.bodies, "pairs": self.pairs}

    @cached_property
    def _shapes(self) -> dict[int, Any]:
        """What coal makes of the bodies in pairs that have no closed form."""
        used = {i for k in self._coal_pairs for i in self.pairs[k]}
        return {i: coal_shape(self.bodies[i]) for i in sorted(used)}

    @cached_property
    def _coal_pairs(self) -> list[int]:
        """The pairs that have no closed form."""
        return [k for k, pair in enumerate(self.pairs) if not all(has_closed_form(self.bodies[i]) for i in pair)]

    @cached_property
    def _closed_form_pairs(self) -> tuple[Integers, Integers, Integers]:
        """The pairs of spheres and capsules, and the places of their bodies."""
        others = set(self._coal_pairs)
        k = np.array([k for k in range(len(self.pairs)) if k not in others], dtype=np.int64)
        first, second = np.array([self.pairs[one] for one in k], dtype=np.int64).reshape(-1, 2).T
        return k, first.copy(), second.copy()

    def distances(self, pose_of: Callable[[str], Array]) -> Distances:
        """Return the distances of all pairs.

        Args:
            pose_of: Returns the pose of a link in {s}, shape (4, 4), m.
        """
        poses = {body.frame: pose_of(body.frame) for body in self.bodies}
        placements = [poses[body.frame] @ body.placement for body in self.bodies]
        known, first, second = self._closed_form_pairs
        rows = np.array([capsule_row(body, T) for body, T in zip(self.bodies, placements, strict=True)]).reshape(-1, 7)
        closed_form, found = np.empty((len(known), 10)), np.empty((len(self.pairs), 10))
        if len(known):
            module().pair_distances(rows, first, second, closed_form)
            found[known] = closed_form
        for k in self._coal_pairs:
            i, j = self.pairs[k]
            is_mesh = "mesh" in (self.bodies[i].kind, self.bodies[j].kind)
            found[k] = coal_distance(self._shapes[i], placements[i], self._shapes[j], placements[j], is_mesh)
        return Distances(found[:, 0].copy(), found[:, 1:7].reshape(-1, 2, 3).copy(), found[:, 7:].copy())


def load_collisions(
    path: str | Path,
    tree: Tree,
    package_dirs: Iterable[str | Path] = (),
    srdf: str | Path | None = None,
    skip: Iterable[tuple[str, str]] = (),
    *,
    obstacles: Iterable[Capsule | CollisionBody] = (),
    carried: Iterable[tuple[str, Capsule]] = (),
) -> CollisionModel:
    """Return the bodies of a robot and its obstacles, and all pairs of them that a joint moves against each other.

    Neighbours often overlap where they are joined, so that most robots need some pairs left out. A body without a
    surface, such as a box of size 0 0 0, is left out, and a warning names it.

    Args:
        path: The URDF that the tree was read from: a file, or a string that begins with "<".
        tree: The robot.
        package_dirs: Where "package://name/…" is looked for: folders that hold a folder `name`.
        srdf: An SRDF, a file or a string: the links in its <disable_collisions> are left out of account.
        skip: Further pairs of links that are left out; the link of an obstacle is "universe".
        obstacles: What stands still in {s}: `Capsule`, `sphere`, `box`, `mesh`.
        carried: What the URDF does not tell, such as what a hand holds: pairs (link, capsule given in its frame).

    Raises:
        MissingExtra: coal is not installed, and a body is neither a sphere nor a capsule.
        UrdfError: A file cannot be read, a body has no size or a negative one, or a mesh is not there.
        ParameterError: `package_dirs` is no list, or holds what is no path of a folder.
        FrameNotFound: The robot lacks a link that carries something.
    """
    bodies = (*read_bodies(path, tree, package_dirs), *(one.body(frame) for frame, one in carried))
    bodies += tuple(one.body(WORLD) if isinstance(one, Capsule) else one for one in obstacles)
    carriers = [tree.frame_placement(body.frame)[0] for body in bodies]
    left_out = {frozenset(pair) for pair in [*skip, *(() if srdf is None else urdf_text.read_pairs(srdf))]}
    pairs = [
        (i, j)
        for i in range(len(bodies))
        for j in range(i + 1, len(bodies))
        if carriers[i] != carriers[j] and frozenset((bodies[i].frame, bodies[j].frame)) not in left_out
    ]
    if not all(has_closed_form(bodies[i]) for pair in pairs for i in pair):
        need("collisions", "collisions.load_collisions")
    return CollisionModel(bodies, tuple(pairs))


def has_closed_form(body: CollisionBody) -> bool:
    """Return whether the distances of a body from its like have a closed form."""
    return body.kind in ("sphere", "capsule")


def capsule_row(body: CollisionBody, T: Array) -> Array:
    """Return a sphere or capsule that sits at T as the closed form reads it, see carried_bodies.py; zeros of others."""
    row = np.zeros(7)
    if has_closed_form(body):
        along = T[:3, 2] * (body.sizes[1] if body.kind == "capsule" else 0.0)
        row[:3], row[3:6], row[6] = T[:3, 3] - 0.5 * along, along, body.sizes[0]
    return row


def coal_distance(first: Any, at: Array, second: Any, there: Array, is_mesh: bool) -> Array:
    """Return the distance of two shapes, the nearest points of both, and the direction between, shape (10,).

    Args:
        first: What coal makes of the first body.
        at: Its pose in {s}, shape (4, 4), m.
        second: What coal makes of the second.
        there: Its pose.
        is_mesh: Whether one is a mesh: where they touch, points and direction are then NaN.
    """
    coal = import_module("coal")
    poses = [coal.Transform3s(np.ascontiguousarray(T[:3, :3]), np.ascontiguousarray(T[:3, 3])) for T in (at, there)]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    distance = coal.distance(first, poses[0], second, poses[1], request, result)
    if is_mesh and distance <= 0.0:
        return np.array([distance, *np.full(9, np.nan)])
    p, q, n = result.getNearestPoint1(), result.getNearestPoint2(), np.array(result.normal)
    if is_mesh:  # of two meshes coal leaves it unset
        n = (q - p) / np.linalg.norm(q - p)
    return np.array([distance, *p, *q, *n])


def coal_shape(body: CollisionBody) -> Any:
    """Return what coal makes of a body.

    Raises:
        UrdfError: A mesh cannot be read.
    """
    coal = import_module("coal")
    if body.kind == "mesh":
        try:
            return coal.MeshLoader().load(str(body.mesh), np.array(body.sizes))
        except (RuntimeError, ValueError) as cause:
            raise UrdfError(f"the mesh of body {body.name!r} cannot be read from {body.mesh}: {cause}") from cause
    kinds = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    return kinds[body.kind](*body.sizes)
