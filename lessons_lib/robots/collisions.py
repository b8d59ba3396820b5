"""How far the bodies of a robot are from each other, worked out by coal.

Distances between meshes, cylinders and boxes are a library's work; coal is the one that Pinocchio uses. It is an extra:
`pip install 'lessons-lib[collisions]'`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.robots import urdf_text
from lessons_lib.robots.collision_bodies import CollisionBody, read_bodies
from lessons_lib.robots.tree import Tree


@dataclass(frozen=True)
class Distances:
    """How far the bodies of each pair are from each other.

    Attributes:
        distance: From surface to surface, shape (k,), m; where they overlap, minus how deep.
        points: The nearest point of each body, shape (k, 2, 3), m in {s}.
        normals: From the first body to the second, shape (k, 3), unit vectors in {s}.
    """

    distance: Array
    points: Array
    normals: Array


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
    def _shapes(self) -> list[Any]:
        coal = import_module("coal")
        return [_shape(coal, body) for body in self.bodies]

    def distances(self, pose_of: Callable[[str], Array]) -> Distances:
        """Return the distances of all pairs.

        Args:
            pose_of: Returns the pose of a link in {s}, shape (4, 4), m.
        """
        coal, shapes = import_module("coal"), self._shapes
        poses = {body.frame: pose_of(body.frame) for body in self.bodies}
        seats = [poses[body.frame] @ body.placement for body in self.bodies]
        at = [coal.Transform3s(np.ascontiguousarray(T[:3, :3]), np.ascontiguousarray(T[:3, 3])) for T in seats]
        distance, points, normals = np.empty(len(self.pairs)), np.empty((len(self.pairs), 2, 3)), []
        for k, (i, j) in enumerate(self.pairs):
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            distance[k] = coal.distance(shapes[i], at[i], shapes[j], at[j], request, result)
            points[k] = result.getNearestPoint1(), result.getNearestPoint2()
            normals.append(np.array(result.normal))
        return Distances(distance, points, np.array(normals).reshape(-1, 3))


def load_collisions(
    path: str | Path,
    tree: Tree,
    package_dirs: Iterable[str | Path] = (),
    srdf: str | Path | None = None,
    skip: Iterable[tuple[str, str]] = (),
) -> CollisionModel:
    """Return the bodies of a robot, and all pairs of them that a joint moves against each other.

    Neighbours often overlap where they are joined, so that most robots need some pairs left out. A body without a
    surface, such as a box of size 0 0 0, is left out, and a warning names it.

    Args:
        path: The URDF that the tree was read from: a file, or a string that begins with "<".
        tree: The robot.
        package_dirs: Where "package://name/…" is looked for: folders that hold a folder `name`.
        srdf: An SRDF, a file or a string: the links in its <disable_collisions> are left out of account.
        skip: Further pairs of links that are left out.

    Raises:
        MissingExtra: coal is not installed.
        UrdfError: A file cannot be read, a body has no size or a negative one, or a mesh is not there.
    """
    need("collisions", "robots.load_collisions")
    bodies = read_bodies(path, tree, package_dirs)
    carriers = [tree.frame_placement(body.frame)[0] for body in bodies]
    left_out = {frozenset(pair) for pair in [*skip, *(() if srdf is None else urdf_text.read_pairs(srdf))]}
    pairs = [
        (i, j)
        for i in range(len(bodies))
        for j in range(i + 1, len(bodies))
        if carriers[i] != carriers[j] and frozenset((bodies[i].frame, bodies[j].frame)) not in left_out
    ]
    return CollisionModel(bodies, tuple(pairs))


def _shape(coal: Any, body: CollisionBody) -> Any:
    """Return what coal makes of a body."""
    if body.kind == "mesh":
        try:
            return coal.MeshLoader().load(str(body.mesh), np.array(body.sizes))
        except (RuntimeError, ValueError) as cause:
            raise UrdfError(f"the mesh of body {body.name!r} cannot be read from {body.mesh}: {cause}") from cause
    kinds = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    return kinds[body.kind](*body.sizes)
