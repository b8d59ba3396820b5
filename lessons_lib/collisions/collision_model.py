"""Distances between the bodies of a robot: spheres and capsules in closed form, other shapes by coal (an extra)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers, summary
from lessons_lib.collisions.bodies import Capsule
from lessons_lib.collisions.module import module
from lessons_lib.collisions.urdf_bodies import WORLD, CollisionBody, read_bodies
from lessons_lib.errors import ParameterError, UrdfError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import short_repr
from lessons_lib.robots import urdf_text
from lessons_lib.robots.arguments import check_tree
from lessons_lib.robots.tree import Tree


@dataclass(frozen=True)
class Distances:
    """Distances between the two bodies of each pair.

    >>> from lessons_lib import collisions, robots
    >>> arm = robots.ur10()
    >>> scene = collisions.Scene(arm, collisions.fitted_links(arm, 0.05), (collisions.sphere([2, 2, 2], 0.1, "far"),))
    >>> bool(scene.distances([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).distance.min() > 0)
    True

    Attributes:
        distance: Distance of the surfaces, shape (k,), m; minus the penetration depth if they overlap. For a mesh in
            contact it is 0 or less, without further meaning.
        points: The nearest point of each body, shape (k, 2, 3), m in {s}; NaN for a mesh in contact.
        normals: From the first body to the second, shape (k, 3), unit vectors in {s}; NaN for a mesh in contact, where
            those of coal 3.0 are wrong (its issue 823).
    """

    distance: Array
    points: Array
    normals: Array

    def __repr__(self) -> str:
        """Return the fields on one line, a long array as its type and shape."""
        return summary(self)


@dataclass(frozen=True, eq=False)
class CollisionModel:
    """The bodies of a robot, and the pairs that must not touch. Created by `load_collisions`.

    >>> from lessons_lib import collisions, robots
    >>> file = robots.urdf_file("ur10")
    >>> collisions.load_collisions(file, robots.load_urdf(file))
    CollisionModel(bodies=(), pairs=())

    Attributes:
        bodies: In the order of the robot's links.
        pairs: Indices of two bodies each.
    """

    bodies: tuple[CollisionBody, ...]
    pairs: tuple[tuple[int, int], ...]

    def __getstate__(self) -> dict[str, Any]:
        """Return bodies and pairs; the shapes of coal are created again when needed."""
        return {"bodies": self.bodies, "pairs": self.pairs}

    @cached_property
    def _shapes(self) -> dict[int, Any]:
        """Shapes of coal for the bodies in pairs without a closed form."""
        used = {i for k in self._coal_pairs for i in self.pairs[k]}
        return {i: coal_shape(self.bodies[i]) for i in sorted(used)}

    @cached_property
    def _coal_pairs(self) -> list[int]:
        """The pairs without a closed form."""
        return [k for k, pair in enumerate(self.pairs) if not all(has_closed_form(self.bodies[i]) for i in pair)]

    @cached_property
    def _closed_form_pairs(self) -> tuple[Integers, Integers, Integers]:
        """The pairs of spheres and capsules, and the indices of their bodies."""
        others = set(self._coal_pairs)
        k = np.array([k for k in range(len(self.pairs)) if k not in others], dtype=np.int64)
        first, second = np.array([self.pairs[one] for one in k], dtype=np.int64).reshape(-1, 2).T
        return k, first.copy(), second.copy()

    @cached_property
    def _placed(self) -> tuple[dict[str, None], Integers, Array, Array]:
        """The links with bodies; the link and the placement of each body; radius and length of spheres and capsules."""
        links = dict.fromkeys(body.frame for body in self.bodies)
        link = np.array([list(links).index(body.frame) for body in self.bodies], dtype=np.int64)
        placements = np.array([body.placement for body in self.bodies]).reshape(-1, 4, 4)
        sizes = [(*body.sizes, 0.0)[:2] if has_closed_form(body) else (0.0, 0.0) for body in self.bodies]
        return links, link, placements, np.array(sizes).reshape(-1, 2)

    def distances(self, pose_of: Callable[[str], Array]) -> Distances:
        """Return the distances of all pairs.

        Args:
            pose_of: Returns the pose of a link in {s}, shape (4, 4), m.
        """
        links, link, placements, sizes = self._placed
        at = np.array([pose_of(name) for name in links]).reshape(-1, 4, 4)[link] @ placements
        known, first, second = self._closed_form_pairs
        results = np.empty((len(self.pairs), 10))
        if len(known):
            along, closed_form = at[:, :3, 2] * sizes[:, 1:], np.empty((len(known), 10))
            rows = np.concatenate([at[:, :3, 3] - 0.5 * along, along, sizes[:, :1]], axis=1)
            module().pair_distances(rows, first, second, closed_form)
            results[known] = closed_form
        if self._coal_pairs:
            placed = {i: (shape, coal_pose(at[i])) for i, shape in self._shapes.items()}
            pairs = [self.pairs[k] for k in self._coal_pairs]
            results[self._coal_pairs] = coal_distances([(*placed[i], *placed[j]) for i, j in pairs])
        return Distances(results[:, 0].copy(), results[:, 1:7].reshape(-1, 2, 3).copy(), results[:, 7:].copy())


@suggest_arguments
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
    """Return the bodies of a robot and its obstacles, and all pairs with relative motion.

    Neighbouring bodies often overlap at their joint, so most robots need some pairs skipped. A body without a surface,
    such as a box of size 0 0 0, is skipped with a warning.

    >>> from lessons_lib import collisions, robots
    >>> file = robots.urdf_file("two_arms")
    >>> ball, table = collisions.sphere([0, 0, 0], 0.05, "ball"), collisions.sphere([0, 0, -1], 0.5, "table")
    >>> carried = [("left_hand", ball)]
    >>> collisions.load_collisions(file, robots.load_urdf(file), carried=carried, obstacles=[table]).pairs
    ((0, 1),)

    Args:
        path: The URDF of the tree: a file, or a string that begins with "<".
        tree: The robot.
        package_dirs: Folders that contain the folder `name` of "package://name/…".
        srdf: An SRDF, a file or a string, whose <disable_collisions> name pairs of links to skip.
        skip: Further pairs of links to skip; the link of an obstacle is "universe".
        obstacles: Fixed bodies in {s}: `Capsule`, `sphere`, `box`, `mesh`.
        carried: Bodies that are not in the URDF, such as a grasped object: pairs (link, capsule in its frame).

    Raises:
        MissingExtra: coal is not installed, and a body is neither a sphere nor a capsule.
        UrdfError: A file cannot be read, a body has no size or a negative one, or a mesh does not exist.
        ParameterError: `tree` is not a tree, `package_dirs` is not a list of paths of folders, or another list has an
            invalid entry.
        FrameNotFound: The link of a carried body does not exist.
    """
    check_tree(tree, "tree")
    obstacles = _read_list("obstacles", obstacles, "spheres, capsules, boxes and meshes", _is_body)
    carried = _read_list("carried", carried, "pairs (link, capsule)", lambda one: _is_pair(one) and _is_capsule(one[1]))
    skip = _read_list("skip", skip, "pairs of names of links", _is_pair)
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


def _read_list(name: str, values: Any, expected: str, is_valid: Callable[[Any], bool]) -> list[Any]:
    entries = list(values) if isinstance(values, Iterable) else [None]
    for entry in entries:
        if not is_valid(entry):
            got = short_repr(values, 300)
            raise ParameterError(
                f"{name} must be a list of {expected}, got {got}; put a single entry in a list: [entry]"
            )
    return entries


def _is_pair(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str) and len(value) == 2


def _is_capsule(value: Any) -> bool:
    return isinstance(value, Capsule)


def _is_body(value: Any) -> bool:
    return isinstance(value, Capsule | CollisionBody)


def has_closed_form(body: CollisionBody) -> bool:
    """Return whether the body is a sphere or capsule, with distances in closed form."""
    return body.kind in ("sphere", "capsule")


def coal_distances(pairs: Sequence[tuple[Any, Any, Any, Any]]) -> Array:
    """Return distance, nearest points and direction of pairs, shape (k, 10); NaN for a mesh in contact.

    A pair is two shapes of coal, each followed by its pose.
    """
    coal = import_module("coal")
    request, result, distances = coal.DistanceRequest(), coal.DistanceResult(), np.empty((len(pairs), 10))
    for row, (first, at, second, there) in zip(distances, pairs, strict=True):
        result.clear()
        row[0] = distance = coal.distance(first, at, second, there, request, result)
        row[1:4], row[4:7], row[7:] = result.getNearestPoint1(), result.getNearestPoint2(), result.normal
        if isinstance(first, coal.BVHModelBase) or isinstance(second, coal.BVHModelBase):
            between = row[4:7] - row[1:4]  # coal does not set the direction for two meshes
            row[7:] = between / np.linalg.norm(between) if distance > 0.0 else np.nan
            row[1:7] = row[1:7] if distance > 0.0 else np.nan
    return distances


def coal_pose(T: Array) -> Any:
    """Return a pose as coal's."""
    return import_module("coal").Transform3s(np.ascontiguousarray(T[:3, :3]), np.ascontiguousarray(T[:3, 3]))


def coal_shape(body: CollisionBody) -> Any:
    """Return the shape of coal for a body; raise UrdfError if a mesh cannot be read."""
    coal = import_module("coal")
    if body.kind == "mesh":
        try:
            return coal.MeshLoader().load(str(body.mesh), np.array(body.sizes))
        except (RuntimeError, ValueError) as cause:
            raise UrdfError(f"the mesh of body {body.name!r} cannot be read from {body.mesh}: {cause}") from cause
    kinds = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    return kinds[body.kind](*body.sizes)
