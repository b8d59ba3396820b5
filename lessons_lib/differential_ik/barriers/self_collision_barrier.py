"""Keep the bodies of the robot apart, and away from obstacles."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, is_whole
from lessons_lib.differential_ik.barriers.barrier import Barrier, read_distance
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import InvalidCollisionPairs, MeshTouched


class SelfCollisionBarrier(Barrier):
    """Keep the nearest pairs of bodies at least d_min apart; the configuration needs a `collision_model`.

    h is the distance between surfaces minus d_min, in m, the nearest pair first. The nearest pairs change during the
    motion, so choose as many pairs as may come close at once.

    >>> from lessons_lib import collisions, differential_ik as dik, robots
    >>> file = robots.urdf_file("two_arms")
    >>> tree, ball = robots.load_urdf(file), collisions.sphere([0, 0, 0], 0.05)
    >>> hands = [("left_hand", ball), ("right_hand", ball)]
    >>> at = dik.Configuration(tree, collision_model=collisions.load_collisions(file, tree, carried=hands))
    >>> dik.SelfCollisionBarrier(n_collision_pairs=1).compute_barrier(at).shape
    (1,)

    Attributes:
        d_min: Smallest distance, m.
    """

    def __init__(
        self,
        n_collision_pairs: int,
        gain: ArrayLike = 1.0,
        safe_displacement_gain: float = 1.0,
        d_min: float = 0.02,
    ) -> None:
        """Set the number of pairs, the gains and the smallest distance.

        Raises:
            InvalidCollisionPairs: The number of pairs is not a whole number, or below zero.
            NegativeMinimumDistance: The distance is negative.
            ParameterError: An invalid distance or gain.
        """
        if not is_whole(n_collision_pairs):
            raise InvalidCollisionPairs(f"n_collision_pairs must be a whole number, got {n_collision_pairs!r}")
        if n_collision_pairs < 0:
            raise InvalidCollisionPairs(f"n_collision_pairs must be at least 0, got {n_collision_pairs}")
        self.d_min = read_distance(d_min)
        super().__init__(int(n_collision_pairs), gain, safe_displacement_gain)

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Return the smallest distances minus d_min, shape (dim,), m, in ascending order."""
        distance: Array = configuration.distances().distance[self._nearest(configuration)]
        return distance - self.d_min

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of the distances, shape (dim, nv): n · (ṗ₂ − ṗ₁) of the nearest points.

        n points from the first body to the second, also if they overlap. Then the rows of Pink 4.4 have the opposite
        sign, which pulls the bodies further into each other; they are zero if the bodies just touch.
        """
        pairs, model, nearest = configuration.distances(), configuration.collision_model, self._nearest(configuration)
        assert model is not None  # distances() has checked it
        for k in nearest[np.isnan(pairs.normals[nearest, 0])]:
            first, second = model.pairs[k]
            raise MeshTouched((model.bodies[first].name, model.bodies[second].name))
        bodies = [[model.bodies[body].frame for body in model.pairs[k]] for k in nearest]
        frames = list(dict.fromkeys(frame for pair in bodies for frame in pair))
        if not frames:
            return np.zeros((0, configuration.model.nv))
        places = np.array([[frames.index(frame) for frame in pair] for pair in bodies])
        origins, omega, v = map(np.array, zip(*[_in_world(configuration, frame) for frame in frames], strict=True))
        n = pairs.normals[nearest]
        moments = np.cross(pairs.points[nearest] - origins[places], n[:, None])  # n · (ω × r) = (r × n) · ω
        moved = np.einsum("ki,kbij->kbj", n, v[places]) + np.einsum("kbi,kbij->kbj", moments, omega[places])
        jacobian: Array = moved[:, 1] - moved[:, 0]
        return jacobian

    def _nearest(self, configuration: Configuration) -> Integers:
        """Return the indices of the nearest pairs, the nearest first."""
        distance = configuration.distances().distance
        if distance.size < self.dim:
            raise InvalidCollisionPairs(
                f"n_collision_pairs must be at most {distance.size}, the number of pairs of bodies of "
                f"{configuration.model.name}, got {self.dim}"
            )
        return np.argsort(distance, kind="stable")[: self.dim]


def _in_world(configuration: Configuration, frame: str) -> tuple[Array, Array, Array]:
    """Return a frame's origin, shape (3,), and its Jacobians of ω and v in the world's axes, each of shape (3, nv)."""
    T, J_b = configuration.get_transform_frame_to_world(frame), configuration.get_frame_jacobian(frame)
    return T[:3, 3], T[:3, :3] @ J_b[:3], T[:3, :3] @ J_b[3:]
