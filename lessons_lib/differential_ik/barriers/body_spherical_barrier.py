"""Keep two frames of the robot apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers.barrier import Barrier, least_distance
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.errors import ParameterError


class BodySphericalBarrier(Barrier):
    """Keep the origins of two frames at least d_min apart, as if each sat in the middle of a ball.

    h = ‖p₁ − p₂‖² − d_min², in m². From far away it may fall no faster than from near by: α(h) = h/(1 + |h|).

    Attributes:
        frames: Names of the two frames.
        d_min: The least distance, m.
    """

    def __init__(
        self,
        frames: tuple[str, str],
        d_min: float,
        gain: ArrayLike = 1.0,
        safe_displacement_gain: float = 3.0,
    ) -> None:
        """Take the two frames, their least distance and the gains.

        Raises:
            NegativeMinimumDistance: The distance is negative.
            ParameterError: Not two frames, or a distance or gain that is no such number.
        """
        if isinstance(frames, str) or not isinstance(frames, Sequence) or len(frames) != 2:
            raise ParameterError(f"frames must be the names of two frames, got {frames!r}")
        self.frames = (frames[0], frames[1])
        self.d_min = least_distance(d_min)
        super().__init__(1, gain, safe_displacement_gain)

    def gain_function(self, h: Array) -> Array:
        """Return h/(1 + |h|), shape (1,): like h near the ball, at most 1 far from it."""
        return h / (1.0 + np.abs(h))

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Return ‖p₁ − p₂‖² − d_min², shape (1,), m².

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        apart = self._apart(configuration)
        return np.array([apart @ apart - self.d_min**2])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return 2 (p₁ − p₂)ᵀ (∂p₁/∂q − ∂p₂/∂q), shape (1, nv); zero where the two origins coincide.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        first, second = (configuration.get_velocity_jacobian(frame) for frame in self.frames)
        jacobian: Array = 2.0 * self._apart(configuration) @ (first - second)
        return jacobian[None, :]

    def _apart(self, configuration: Configuration) -> Array:
        first, second = (configuration.get_transform_frame_to_world(frame)[:3, 3] for frame in self.frames)
        return np.asarray(first - second)
