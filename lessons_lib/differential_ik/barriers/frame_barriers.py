"""Barriers of frames: between walls, or apart from each other."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_whole
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.barriers.barrier import Barrier, read_distance
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoPositionLimitProvided
from lessons_lib.errors import LimitsError, ParameterError


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
