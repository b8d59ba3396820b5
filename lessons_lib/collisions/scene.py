"""An arm with its bodies among obstacles: distances, gradients and collision checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, floats, is_whole
from lessons_lib.collisions.bodies import Capsule
from lessons_lib.collisions.collision_model import Distances, coal_distances, coal_pose, coal_shape
from lessons_lib.collisions.module import module
from lessons_lib.collisions.urdf_bodies import WORLD, CollisionBody, pose_along
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.chain import Chain

CLOSED_FORM_ERROR, COAL_ERROR = 1e-12, 1e-5
"""Error of a distance relative to the size of the scene: in closed form, and by coal, which iterates."""


@suggest_arguments
@dataclass(frozen=True, eq=False)
class Scene:
    """An arm with its bodies, and fixed obstacles.

    The pairs are every body of the arm with every obstacle, and with every other body of the arm except its neighbours:
    those of the same link, and of the next link that has a body. Bodies of the base, which no joint moves, are paired
    with links only.

    >>> from lessons_lib import collisions, robots
    >>> arm = robots.planar_2r()
    >>> scene = collisions.Scene(arm, collisions.fitted_links(arm, 0.05), (collisions.sphere([1, 1, 0], 0.1, "ball"),))
    >>> round(float(scene.clearance([0, 0])), 6), scene.is_free([0, 1.5707963267948966])
    (0.85, False)

    Attributes:
        chain: The arm.
        links: Pairs (number of joints that move it, capsule in {s} at q = 0), as `fitted_links` returns them.
        obstacles: Capsules and spheres; boxes and meshes need the extra `collisions`. In {s}.
        skip: Pairs of names that may touch.
    """

    chain: Chain
    links: tuple[tuple[int, Capsule], ...]
    obstacles: tuple[Capsule | CollisionBody, ...] = ()
    skip: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Name unnamed obstacles, and check the fields.

        Raises:
            ParameterError: A link is not a pair of a number of joints and a capsule, an obstacle is not a body, or
                `skip` has the name of no body.
            MissingExtra: An obstacle is a box or a mesh, and coal is not installed.
        """
        check_chain(self.chain)
        n = self.chain.uncoupled.dof
        for field in ("links", "obstacles", "skip"):
            try:
                object.__setattr__(self, field, tuple(getattr(self, field)))
            except TypeError as cause:
                raise ParameterError(
                    f"{field} must be a tuple, got {getattr(self, field)!r}; put a single entry in a tuple: (entry,)"
                ) from cause
        for link in self.links:
            if not (
                isinstance(link, tuple)
                and len(link) == 2
                and is_whole(link[0])
                and link[0] in range(n + 1)
                and type(link[1]) is Capsule
            ):
                raise ParameterError(
                    f"each of links must be a pair (number of joints, 0 to {n}, Capsule), got {link!r}"
                )
        named = []
        for k, body in enumerate(self.obstacles):
            if not isinstance(body, Capsule | CollisionBody):
                raise ParameterError(f"obstacle {k} must be a collisions.sphere, Capsule, box or mesh, got {body!r}")
            named.append(body if body.name else replace(body, name=f"obstacle {k + 1}"))
        object.__setattr__(self, "obstacles", tuple(named))
        if any(isinstance(body, CollisionBody) for body in named):
            need("collisions", "collisions.Scene with a box or a mesh")
        names = set(self._names)
        if not all(isinstance(pair, Collection) and len(pair) == 2 for pair in self.skip):
            raise ParameterError(f"skip must be a tuple of pairs of names, got {self.skip!r}")
        for name in {name for pair in self.skip for name in pair} - names:
            raise ParameterError(f"skip must name bodies, which are {', '.join(sorted(names))}; got {name!r}")

    def with_obstacles(self, obstacles: Iterable[Capsule | CollisionBody]) -> Scene:
        """Return the scene with other obstacles.

        Raises:
            ParameterError: One of them is not a body.
        """
        return replace(self, obstacles=obstacles)  # type: ignore[arg-type]  # converted to a tuple

    def grasping(self, *bodies: Capsule) -> Scene:
        """Return the scene with grasped bodies, given in {b}; those without a name are called "grasped".

        Raises:
            ParameterError: One of them is not a capsule.
        """
        for one in bodies:
            if type(one) is not Capsule:
                raise ParameterError(f"grasped bodies must be spheres or capsules, got {one!r}")
        grasped = [replace(one, name=one.name or "grasped").moved(self.chain.home) for one in bodies]
        return replace(self, links=(*self.links, *((self.chain.uncoupled.dof, one) for one in grasped)))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return (*(one.name for _, one in self.links), *(one.name for one in self.obstacles))

    @cached_property
    def carriers(self) -> Integers:
        """Number of joints that move each body, those of the arm first, 0 for an obstacle."""
        return np.array([*(count for count, _ in self.links), *[0] * len(self.obstacles)], dtype=np.int64)

    @cached_property
    def bodies(self) -> Array:
        """The bodies as rows of carried_bodies.py, shape (m, 7); zeros for a box or a mesh."""
        rows = [body.row for _, body in self.links]
        rows += [body.row if isinstance(body, Capsule) else np.zeros(7) for body in self.obstacles]
        return np.array(rows).reshape(-1, 7)

    @cached_property
    def joints(self) -> Array:
        """The joints as rows of carried_bodies.py, shape (m, 10); m is n unless they are coupled."""
        rows = np.zeros((self.chain.uncoupled.dof, 10))
        for row, screw in zip(rows, self.chain.screws.T, strict=True):
            omega, v = screw[:3], screw[3:]
            rotates = bool(omega.any())
            slide = (omega @ v) * omega if rotates else v
            row[:] = *omega, *np.cross(omega, v), *slide, float(rotates)
        return rows

    @cached_property
    def _with_axes(self) -> tuple[Integers, Array]:
        """Carriers and bodies, followed by the axes of the joints as rows of carried_bodies.py."""
        point, axis, slide = self.joints[:, 3:6], self.joints[:, :3], self.joints[:, 6:9]
        rows = np.column_stack([point, axis, np.linalg.norm(slide, axis=1)])
        return np.append(self.carriers, np.arange(len(self.joints))), np.vstack([self.bodies, rows])

    @cached_property
    def _pairs(self) -> Integers:
        """Indices of two bodies each, shape (k, 2), first the one that fewer joints move."""
        links, count = len(self.links), self.carriers.tolist()
        ranks = {carrier: rank for rank, carrier in enumerate(sorted(set(count[:links])))}
        left_out = {frozenset(pair) for pair in self.skip}
        pairs = [(j, i) for i in range(links) for j in range(links, len(count)) if count[i] > 0]
        pairs += [
            (i, j) if count[i] < count[j] else (j, i)
            for j in range(links)
            for i in range(j)
            if abs(ranks[count[i]] - ranks[count[j]]) > 1
        ]
        kept = [pair for pair in pairs if frozenset(self._names[i] for i in pair) not in left_out]
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
    def coal_pairs(self) -> dict[int, Any]:
        """The pairs whose distance coal computes: shape and pose of the obstacle, body of the arm, and its shape."""
        at = len(self.links)
        boxes = {at + k: one for k, one in enumerate(self.obstacles) if isinstance(one, CollisionBody)}
        shapes = {i: (coal_shape(one), coal_pose(one.placement)) for i, one in boxes.items()}
        return {
            k: (*shapes[i], int(j), coal_shape(self.links[j][1].body(WORLD)))
            for k, (i, j) in enumerate(self._pairs)
            if i in boxes
        }

    @cached_property
    def rounding(self) -> Array:
        """Error bound of the distance of each pair, shape (k,), m."""
        size = 1.0 + self.chain.length + float(np.abs(self.bodies).max(initial=0.0))
        part = [COAL_ERROR if k in self.coal_pairs else CLOSED_FORM_ERROR for k in range(len(self.pairs))]
        return size * np.array(part)

    def distances(self, q: ArrayLike) -> Distances:
        """Return distance, nearest points and direction of every pair, in the order of `pairs`.

        Args:
            q: Configuration, shape (n,), rad or m.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        results = self._rows(self.chain.check_configuration(q)[None])[0]
        return Distances(results[:, 0].copy(), results[:, 1:7].reshape(-1, 2, 3).copy(), results[:, 7:].copy())

    def gradients(self, q: ArrayLike) -> Array:
        """Return the derivative of every distance, n · (ṗ₂ − ṗ₁) of its nearest points, m per rad or m.

        If the nearest points are not unique, the distance has a kink, and this is a one-sided derivative. NaN for a
        mesh in contact.

        Args:
            q: Configuration, shape (n,), rad or m, or r of them, shape (r, n).

        Returns:
            Shape (k, n), or (r, k, n).

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        Q, m, A = self._read_configurations(q), len(self.joints), self.chain.matrix  # noqa: N806
        results = self._rows(Q.reshape(-1, self.chain.dof))
        J_s = self.chain.uncoupled.space_jacobian(self._joint_values(Q.reshape(-1, self.chain.dof)))  # noqa: N806
        rows = np.zeros((len(results), len(self.pairs), m))
        for side, body in enumerate(self.ends):  # n · ṗ = (p × n, n) · V_s, for the twist of what carries p
            p, normal = results[:, :, 1 + 3 * side : 4 + 3 * side], results[:, :, 7:]
            moves = np.arange(m) < self.carriers[body][:, None]
            line = np.concatenate([np.cross(p, normal), normal], axis=-1)
            rows += np.where(moves, line @ J_s, 0.0) * (2 * side - 1)
        rows = rows if A is None else rows @ A
        return rows.reshape(*Q.shape[:-1], *rows.shape[1:])

    def clearance(self, q: ArrayLike) -> Any:
        """Return the least distance of all pairs, m; inf without pairs; negative if bodies overlap.

        Args:
            q: Configuration, shape (n,), or r of them, shape (r, n): then shape (r,).

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        Q = self._read_configurations(q)
        least = self.distances_and_motion(Q.reshape(-1, self.chain.dof))[0].min(axis=1, initial=np.inf)
        return float(least[0]) if Q.ndim == 1 else least

    def is_free(self, q: ArrayLike) -> Any:
        """Return whether all distances exceed their rounding.

        Args:
            q: Configuration, shape (n,), or r of them, shape (r, n): then shape (r,).

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        Q = self._read_configurations(q)
        touches = self.distances_and_motion(Q.reshape(-1, self.chain.dof))[0] <= self.rounding
        free: Any = ~touches.any(axis=1)
        return bool(free[0]) if Q.ndim == 1 else free

    def touching(self, q: ArrayLike) -> tuple[tuple[str, str], ...]:
        """Return the names of the pairs that touch, the deepest first.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        distance = self.distances(q).distance
        touch = np.flatnonzero(distance <= self.rounding)
        return tuple(dict.fromkeys(self.pairs[k] for k in touch[np.argsort(distance[touch])]))

    def distances_and_motion(self, Q: Array, change: Array | None = None) -> tuple[Array, Array]:  # noqa: N803
        """Return the distances of all pairs at r configurations, and bounds on their change, shape (r, k), m.

        Args:
            Q: Shape (r, n), rad or m.
            change: Largest change of each joint from there, zero or more, shape (n,), rad or m; if None, the second
                array is empty.
        """
        A = self.chain.matrix  # noqa: N806
        distance = np.empty((len(Q), len(self.pairs)))
        motion = np.empty(distance.shape if change is not None else (0, 0))
        carriers, bodies = (self.carriers, self.bodies) if change is None else self._with_axes
        change = np.zeros(self.chain.dof) if change is None else change
        change = change if A is None else np.abs(A) @ change
        module().distances_of(
            self.joints, self._joint_values(Q), carriers, bodies, *self.ends, change, distance, motion
        )
        if self.coal_pairs:
            distance[:] = self._rows(Q)[:, :, 0]
        return distance, motion

    def _rows(self, Q: Array) -> Array:
        """Return distance, points and direction of all pairs, shape (r, k, 10)."""
        count = len(self.bodies)
        results, placed = np.empty((len(Q), len(self.pairs), 10)), np.empty((len(Q), count, 7))
        module().place_bodies(self.joints, self._joint_values(Q), self.carriers, self.bodies, placed)
        first, second = ((np.arange(len(Q))[:, None] * count + end).ravel() for end in self.ends)
        module().pair_distances(placed.reshape(-1, 7), first, second, results.reshape(-1, 10))
        if self.coal_pairs:
            pairs = self.coal_pairs.values()
            moved = {j for _, _, j, _ in pairs}
            for row, at in zip(results, placed, strict=True):
                poses = {j: coal_pose(pose_along(at[j, :3], at[j, 3:6])) for j in moved}
                row[list(self.coal_pairs)] = coal_distances([(*fixed, one, poses[j]) for *fixed, j, one in pairs])
        return results

    def _joint_values(self, Q: Array) -> Array:  # noqa: N803
        """Return the values of the joints, counted from q = 0, shape (r, m), for configurations, shape (r, n)."""
        return Q if self.chain.matrix is None else np.ascontiguousarray(Q @ self.chain.matrix.T)

    def _read_configurations(self, q: ArrayLike) -> Array:
        """Return a checked configuration, or a batch of them."""
        Q = floats(q, f"q of {self.chain.name} must be {self.chain.dof} numbers", ConfigurationError)
        many = Q.ndim == 2 and Q.shape[1] == self.chain.dof and np.isfinite(Q).all()
        return Q if many else self.chain.check_configuration(Q)
