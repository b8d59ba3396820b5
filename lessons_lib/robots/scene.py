"""An arm among bodies that it must not touch, itself among them: how far it is from them, and how that changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.robots.bodies import Capsule
from lessons_lib.robots.bodies_module import module
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.collision_bodies import WORLD, CollisionBody, pose_along
from lessons_lib.robots.collisions import Distances, coal_distance, coal_shape

ROUNDED, COARSE = 1e-12, 1e-5
"""By how much a distance may be off, as a part of the scene's size: in closed form, and of coal, which iterates."""


@dataclass(frozen=True, eq=False)
class Scene:
    """An arm with its bodies, and obstacles that stand still.

    Every body of the arm is told apart from every obstacle, and from every other body of the arm but its neighbours:
    those of the same link, and of the next one that has a body. Bodies of the base, which no joint moves, are told
    apart from links alone.

    Attributes:
        chain: The arm.
        links: Pairs (how many joints move it, capsule in {s} at q = 0), as `fitted_links` makes them.
        obstacles: Capsules and spheres; boxes and meshes take the extra `collisions`. In {s}.
        skip: Pairs of names that may touch.
    """

    chain: Chain
    links: tuple[tuple[int, Capsule], ...]
    obstacles: tuple[Capsule | CollisionBody, ...] = ()
    skip: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Give obstacles without a name one, and refuse what is no body.

        Raises:
            ParameterError: A link is no pair of a number of joints and a capsule, an obstacle is no body, or `skip`
                has a name that no body has.
            MissingExtra: An obstacle is a box or a mesh, and coal is not installed.
        """
        n = self.chain.dof
        for link in self.links:
            if not (
                isinstance(link, tuple) and len(link) == 2 and link[0] in range(n + 1) and type(link[1]) is Capsule
            ):
                raise ParameterError(f"links has {link!r}; each is a pair (joints that move it, 0 to {n}, a Capsule)")
        named = []
        for k, body in enumerate(self.obstacles):
            if not isinstance(body, Capsule | CollisionBody):
                raise ParameterError(f"obstacle {k} is {body!r}; make one with robots.sphere, Capsule, box or mesh")
            named.append(body if body.name else replace(body, name=f"obstacle {k + 1}"))
        object.__setattr__(self, "obstacles", tuple(named))
        object.__setattr__(self, "links", tuple(self.links))
        if any(isinstance(body, CollisionBody) for body in named):
            need("collisions", "robots.Scene with a box or a mesh")
        names = set(self._names)
        for name in {name for pair in self.skip for name in pair} - names:
            raise ParameterError(f"skip names {name!r}; the bodies are {', '.join(sorted(names))}")

    def with_obstacles(self, obstacles: Iterable[Capsule | CollisionBody]) -> Scene:
        """Return the scene with these obstacles in the place of its own."""
        return replace(self, obstacles=tuple(obstacles))

    def grasping(self, *bodies: Capsule) -> Scene:
        """Return the scene with bodies that the hand holds, given in {b}; one without a name is called "grasped"."""
        held = [replace(one, name=one.name or "grasped").moved(self.chain.home) for one in bodies]
        return replace(self, links=(*self.links, *((self.chain.dof, one) for one in held)))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return (*(one.name for _, one in self.links), *(one.name for one in self.obstacles))

    @cached_property
    def carriers(self) -> Integers:
        """How many joints move each body, those of the arm first, 0 for an obstacle."""
        return np.array([*(count for count, _ in self.links), *[0] * len(self.obstacles)], dtype=np.int64)

    @cached_property
    def bodies(self) -> Array:
        """The bodies as carried_bodies.py reads them, shape (m, 7); zeros of a box or a mesh."""
        rows = [body.row for _, body in self.links]
        rows += [body.row if isinstance(body, Capsule) else np.zeros(7) for body in self.obstacles]
        return np.array(rows).reshape(-1, 7)

    @cached_property
    def joints(self) -> Array:
        """The joints as carried_bodies.py reads them, shape (n, 10)."""
        rows = np.zeros((self.chain.dof, 10))
        for row, screw in zip(rows, self.chain.screws.T, strict=True):
            omega, v = screw[:3], screw[3:]
            turns = bool(omega.any())
            slide = (omega @ v) * omega if turns else v
            row[:] = *omega, *np.cross(omega, v), *slide, float(turns)
        return rows

    @cached_property
    def _pairs(self) -> Integers:
        """Places of two bodies each, shape (k, 2), the one that fewer joints move first."""
        links, count = len(self.links), self.carriers.tolist()
        ranks = {carrier: rank for rank, carrier in enumerate(sorted(set(count[:links])))}
        left_out = {frozenset(pair) for pair in self.skip}
        found = [(j, i) for i in range(links) for j in range(links, len(count)) if count[i] > 0]
        found += [
            (i, j) if count[i] < count[j] else (j, i)
            for j in range(links)
            for i in range(j)
            if abs(ranks[count[i]] - ranks[count[j]]) > 1
        ]
        kept = [pair for pair in found if frozenset(self._names[i] for i in pair) not in left_out]
        return np.array(kept, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def ends(self) -> tuple[Integers, Integers]:
        """The first and the second body of each pair."""
        return self._pairs[:, 0].copy(), self._pairs[:, 1].copy()

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of the two bodies of each pair."""
        return tuple((self._names[i], self._names[j]) for i, j in self._pairs)

    @cached_property
    def by_coal(self) -> dict[int, Any]:
        """The pairs whose distance is coal's, each with coal's shape of the arm's body and of the obstacle."""
        at = len(self.links)
        boxes = {at + k: one for k, one in enumerate(self.obstacles) if isinstance(one, CollisionBody)}
        shapes = {i: coal_shape(one) for i, one in boxes.items()}
        return {
            k: (boxes[i], shapes[i], int(j), coal_shape(self.links[j][1].body(WORLD)))
            for k, (i, j) in enumerate(self._pairs)
            if i in boxes
        }

    @cached_property
    def rounding(self) -> Array:
        """By how much the distance of each pair may be off, shape (k,), m."""
        size = 1.0 + self.chain.length + float(np.abs(self.bodies).max(initial=0.0))
        part = [COARSE if k in self.by_coal else ROUNDED for k in range(len(self.pairs))]
        return size * np.array(part)

    def distances(self, q: ArrayLike) -> Distances:
        """Return the distance of every pair, in the order of `pairs`, its nearest points and direction.

        Args:
            q: Configuration, shape (n,), rad or m.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        at, found = self.chain.check_configuration(q), np.empty((len(self.pairs), 10))
        module().distances_at(self.joints, at, self.carriers, self.bodies, *self.ends, found)
        if self.by_coal:
            placed = self._placed(at)
            for k, pair in self.by_coal.items():
                found[k] = _by_coal(pair, placed)
        return Distances(found[:, 0].copy(), found[:, 1:7].reshape(-1, 2, 3).copy(), found[:, 7:].copy())

    def gradients(self, q: ArrayLike) -> Array:
        """Return the derivative of every distance, n · (ṗ₂ − ṗ₁) of its nearest points, shape (k, n), m per rad or m.

        Where the nearest points are not the only ones a distance has a kink, and this is its derivative on one side.
        NaN of a mesh that is touched.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        at, found, axes = self.chain.check_configuration(q), self.distances(q), np.empty((self.chain.dof, 9))
        module().joint_motion(self.joints, at, axes)
        rows = np.zeros((len(self.pairs), self.chain.dof))
        for side, body in enumerate(self.ends):
            p = found.points[:, side, None]
            velocity = np.cross(axes[:, :3], p - axes[:, 3:6]) + axes[:, 6:]
            moves = np.arange(self.chain.dof) < self.carriers[body][:, None]
            rows += np.where(moves, np.einsum("ki,kji->kj", found.normals, velocity), 0.0) * (2 * side - 1)
        return rows

    def clearance(self, q: ArrayLike) -> Any:
        """Return the least distance of all pairs, m; inf where there are none; negative where something touches.

        Args:
            q: Configuration, shape (n,), or k of them, shape (k, n): then shape (k,).

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        Q = floats(q, f"q of {self.chain.name} must be {self.chain.dof} numbers", ConfigurationError)
        if Q.ndim != 2 or Q.shape[1] != self.chain.dof or not np.isfinite(Q).all():
            return float(self.at_many(self.chain.check_configuration(Q)[None])[0].min(initial=np.inf))
        return self.at_many(Q)[0].min(axis=1, initial=np.inf)

    def is_free(self, q: ArrayLike) -> bool:
        """Return whether nothing touches at q, by more than rounding.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        return bool((self.distances(q).distance > self.rounding).all())

    def touching(self, q: ArrayLike) -> tuple[tuple[str, str], ...]:
        """Return the names of the bodies that touch, the deepest first.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        distance = self.distances(q).distance
        touch = np.flatnonzero(distance <= self.rounding)
        return tuple(dict.fromkeys(self.pairs[k] for k in touch[np.argsort(distance[touch])]))

    def at_many(self, Q: Array, levers: bool = False) -> tuple[Array, Array]:  # noqa: N803
        """Return the distances of all pairs at r configurations, shape (r, k), and how far bodies are from axes.

        Args:
            Q: Shape (r, n), rad or m.
            levers: Whether to tell how far a unit of each joint moves each body at most, shape (r, n, m), m.
        """
        n, m = self.chain.dof, len(self.carriers)
        distance, lever = np.empty((len(Q), len(self.pairs))), np.empty((len(Q) if levers else 0, n * m))
        module().distances_of(self.joints, Q, self.carriers, self.bodies, *self.ends, distance, lever)
        if self.by_coal:
            for row, q in enumerate(Q):
                placed = self._placed(q)
                for k, pair in self.by_coal.items():
                    distance[row, k] = _by_coal(pair, placed)[0]
        return distance, lever.reshape(len(lever), n, m)

    def _placed(self, q: Array) -> Array:
        """Return the bodies where the arm carries them."""
        waves, placed = np.empty((len(q), 3)), np.empty((len(self.carriers), 7))
        module().waves_of(self.joints, q, waves)
        module().place(self.joints, waves, self.carriers, self.bodies, placed)
        return placed


def _by_coal(pair: Any, placed: Array) -> Array:
    """Return the row of a box or mesh and a capsule of the arm."""
    body, shape, j, capsule = pair
    T = pose_along(placed[j, :3], placed[j, 3:6])
    return coal_distance(shape, body.placement, capsule, T, body.kind == "mesh")
