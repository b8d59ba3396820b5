"""Keep two frames of the robot apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.barriers.barrier import Barrier, read_distance
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.errors import ParameterError


class BodySphericalBarrier(Barrier):
    """Keep the origins of two frames, the centres of two spheres, at least d_min apart.

    h = ‖p₁ − p₂‖² − d_min², in m², with α(h) = h/(1 + |h|), which bounds how fast h may fall.

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
