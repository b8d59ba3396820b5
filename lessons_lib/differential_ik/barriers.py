"""Barriers: functions h(q) of frames, of distances and of bodies that must not become negative."""

import abc
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, floats, is_whole
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import (
    InvalidCollisionPairs,
    MeshTouched,
    NegativeMinimumDistance,
    NoPositionLimitProvided,
)
from lessons_lib.errors import LimitsError, ParameterError
from lessons_lib.other_libraries import suggest_arguments

NEGLIGIBLE = 1e-12
"""Norm below which a Jacobian is rounding, m or m² per rad."""


def read_distance(d_min: float) -> float:
    """Return a distance, m, or raise NegativeMinimumDistance or ParameterError."""
    distance = arguments.number(d_min, "d_min")
    if distance < 0.0:
        raise NegativeMinimumDistance(f"d_min must be at least 0, got {distance!r}")
    return distance


class Barrier(abc.ABC):
    """Keep h(q) ≥ 0 by ḣ + γ α(h) ≥ 0: the nearer h is to zero, the more slowly it may fall.

    To define a custom barrier, derive from this class and define `compute_barrier` and `compute_jacobian`.

    Attributes:
        dim: Number of values of h.
        gain: γ, shape (dim,), 1/s, read-only. At most 1/dt: with a larger gain a step may end beyond h = 0.
        safe_displacement_gain: r ≥ 0; adds ½ r/‖J_h‖² ‖Δq − Δq_safe‖² to the objective.

    Source: Ames et al., Control barrier functions: theory and applications (2019).
    """

    def __init__(self, dim: int, gain: ArrayLike = 1.0, safe_displacement_gain: float = 0.0) -> None:
        """Set the number of values and the gains; γ is one number or one for each value.

        Raises:
            ParameterError: A gain is negative or not finite, or γ has another length.
        """
        self.dim = dim
        self.gain = np.broadcast_to(arguments.costs(gain, "gain", (1, dim)), (dim,))
        self.safe_displacement_gain = arguments.between(safe_displacement_gain, "safe_displacement_gain", 0.0, math.inf)

    def __repr__(self) -> str:
        """Name the class and the frames, if there are any."""
        frames = getattr(self, "frames", None) or getattr(self, "frame", None)
        return f"{type(self).__name__}({'' if frames is None else repr(frames)})"

    @abc.abstractmethod
    def compute_barrier(self, configuration: Configuration) -> Array:
        """Return h(q), shape (dim,); it is at least zero in safe configurations.

        Raises:
            FrameNotFound: The robot lacks a frame of the barrier.
        """

    @abc.abstractmethod
    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return ∂h/∂q, shape (dim, nv)."""

    def gain_function(self, h: Array) -> Array:
        """Return α(h), shape (dim,); h itself, unless a barrier overrides it by another increasing function."""
        return h

    def compute_safe_displacement(self, configuration: Configuration) -> Array:
        """Return a safe step Δq_safe, shape (nv,); zero, unless a barrier overrides it."""
        return np.zeros(configuration.model.nv)

    def compute_qp_objective(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return (H, c) of ½ r/‖J_h‖² ‖Δq − Δq_safe‖², shapes (nv, nv) and (nv,).

        It is zero if J_h is zero up to rounding, as for two frames of the same link; in Pink nothing moves then.
        """
        nv = configuration.model.nv
        squared = 0.0
        if self.safe_displacement_gain > 0.0:
            squared = float(np.sum(np.square(self.compute_jacobian(configuration))))
        if squared <= NEGLIGIBLE**2:
            return np.zeros((nv, nv)), np.zeros(nv)
        weight = self.safe_displacement_gain / squared
        return weight * np.eye(nv), -weight * self.compute_safe_displacement(configuration)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return (G, h) = (−J_h/dt, γ α(h)), shapes (dim, nv) and (dim,)."""
        G = -self.compute_jacobian(configuration) / dt
        return G, self.gain * self.gain_function(self.compute_barrier(configuration))


@suggest_arguments
class PositionBarrier(Barrier):
    """Keep the origin of a frame between walls along the axes of the world.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> barrier = dik.PositionBarrier("tool0", [2], p_max=[1.0], gain=10.0)  # stays below z = 1 m
    >>> barrier.compute_barrier(at).round(3).tolist()
    [0.558]

    Attributes:
        frame: Name of the frame.
        indices: Coordinates that have walls: 0 is x, 1 is y, 2 is z.
        p_min: Lower walls, one for each index, m; or None.
        p_max: Upper walls, one for each index, m; or None.
    """

    def __init__(
        self,
        frame: str,
        indices: Sequence[int] | None = None,
        p_min: ArrayLike | None = None,
        p_max: ArrayLike | None = None,
        gain: ArrayLike = 1.0,
        safe_displacement_gain: float = 0.0,
    ) -> None:
        """Set the frame, the walls and the gains; one gain for each index applies to both walls.

        Raises:
            NoPositionLimitProvided: There is no wall.
            LimitsError: A wall is not finite, or p_min is not below p_max.
            ParameterError: An index is not 0, 1 or 2, or the frame or a gain is not valid.
        """
        self.frame = arguments.frame_name(frame)
        chosen = range(3) if indices is None else indices
        chosen = (
            chosen.tolist() if isinstance(chosen, np.ndarray) else chosen
        )  # a 0-d array passes isinstance(…, Iterable)
        self.indices = tuple(chosen) if isinstance(chosen, Iterable) else ()
        named = [index for index in self.indices if is_whole(index) and index in range(3)]
        if not 0 < len(set(named)) == len(self.indices):
            raise ParameterError(f"indices must be some of 0, 1 and 2, each once, got {indices!r}")
        self.p_min, self.p_max = self._walls(p_min, "p_min"), self._walls(p_max, "p_max")
        walls = [wall for wall in (self.p_min, self.p_max) if wall is not None]
        if not walls:
            raise NoPositionLimitProvided(f"the barrier of frame {frame!r} needs p_min, p_max or both")
        if len(walls) == 2 and not (walls[0] < walls[1]).all():
            raise LimitsError(f"p_min must be below p_max, got {walls[0].tolist()} and {walls[1].tolist()}")
        dim = len(self.indices) * len(walls)
        each = floats(gain, "gain must be a number or a sequence of numbers", ParameterError)
        if each.shape == (len(self.indices),) and len(walls) == 2:
            each = np.tile(each, 2)
        super().__init__(dim, each, safe_displacement_gain)

    def _walls(self, value: ArrayLike | None, name: str) -> Array | None:
        """Return one wall for each index."""
        if value is None:
            return None
        chosen = floats(value, f"{name} must be one number or {len(self.indices)}", LimitsError)
        each = np.full(len(self.indices), chosen) if chosen.ndim == 0 else chosen
        return arguments.vector(each, name, len(self.indices), LimitsError)

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Return the distances from the walls, the lower ones first, shape (dim,), m; negative beyond a wall."""
        position = configuration.get_transform_frame_to_world(self.frame)[list(self.indices), 3]
        from_lower = [] if self.p_min is None else [position - self.p_min]
        from_upper = [] if self.p_max is None else [self.p_max - position]
        return np.concatenate([*from_lower, *from_upper])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of the distances, shape (dim, nv)."""
        velocity = configuration.get_velocity_jacobian(self.frame)[list(self.indices)]
        from_lower = [] if self.p_min is None else [velocity]
        from_upper = [] if self.p_max is None else [-velocity]
        return np.vstack([*from_lower, *from_upper])


@suggest_arguments
class BodySphericalBarrier(Barrier):
    """Keep the origins of two frames, the centres of two spheres, at least d_min apart.

    h = ‖p₁ − p₂‖² − d_min², in m², with α(h) = h/(1 + |h|), which bounds how fast h may fall.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("two_arms")))
    >>> barrier = dik.BodySphericalBarrier(("left_hand", "right_hand"), d_min=0.1)
    >>> bool(barrier.compute_barrier(at)[0] > 0)
    True

    Attributes:
        frames: Names of the two frames.
        d_min: Smallest distance, m.
    """

    def __init__(
        self,
        frames: tuple[str, str],
        d_min: float,
        gain: ArrayLike = 1.0,
        safe_displacement_gain: float = 3.0,
    ) -> None:
        """Set the two frames, their smallest distance and the gains.

        Raises:
            NegativeMinimumDistance: The distance is negative.
            ParameterError: Not the names of two frames, or an invalid distance or gain.
        """
        if isinstance(frames, str) or not isinstance(frames, Sequence) or len(frames) != 2:
            raise ParameterError(f"frames must be the names of two frames, got {frames!r}")
        self.frames = (arguments.frame_name(frames[0], "frames[0]"), arguments.frame_name(frames[1], "frames[1]"))
        self.d_min = read_distance(d_min)
        super().__init__(1, gain, safe_displacement_gain)

    def gain_function(self, h: Array) -> Array:
        """Return h/(1 + |h|), shape (1,): close to h near the sphere, at most 1 far from it."""
        return h / (1.0 + np.abs(h))

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Return ‖p₁ − p₂‖² − d_min², shape (1,), m²."""
        p = self._difference(configuration)
        return np.array([p @ p - self.d_min**2])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return 2 (p₁ − p₂)ᵀ (∂p₁/∂q − ∂p₂/∂q), shape (1, nv); zero if the two origins coincide."""
        first, second = (configuration.get_velocity_jacobian(frame) for frame in self.frames)
        jacobian: Array = 2.0 * self._difference(configuration) @ (first - second)
        return jacobian[None, :]

    def _difference(self, configuration: Configuration) -> Array:
        first, second = (configuration.get_transform_frame_to_world(frame)[:3, 3] for frame in self.frames)
        return np.asarray(first - second)


@suggest_arguments
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
