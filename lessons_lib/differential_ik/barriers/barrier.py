"""The base class of all barriers: a function h(q) that must not become negative."""

import abc
import math

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NegativeMinimumDistance

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
        gain: γ, shape (dim,), 1/s, read-only.
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
