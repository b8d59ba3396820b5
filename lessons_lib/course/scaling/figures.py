"""Lesson 24: a reachability map, and Amdahl's law."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.course.scaling import amdahl
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import PAPER

__all__ = [
    "draw_map_of_reach",
    "speed_up",
]


def speed_up(share: float, cores: ArrayLike) -> Array:
    """Return Amdahl's speed-up 1/(s + (1 − s)/p), shape of `cores`.

    Args:
        share: Serial fraction s of the time on one core, from 0 to 1.
        cores: Number of cores p, each at least 1.

    Raises:
        ParameterError: `share` is outside [0, 1], or a number of cores is below 1.
    """
    counts = np.asarray(cores, dtype=np.float64)
    if not (is_real(share) and 0.0 <= share <= 1.0):
        raise ParameterError(f"share must be in [0, 1], got {share!r}")
    if not (counts >= 1.0).all():
        raise ParameterError(f"cores must be at least 1, got {cores!r}")
    return np.asarray(_formula()(share, counts), dtype=np.float64)


@cache
def _formula() -> Callable[[float, Array], Array]:
    """Return the derived speed-up as a NumPy function of s and p."""
    share, cores = sp.symbols("s p", positive=True)
    formula: Callable[[float, Array], Array] = sp.lambdify((share, cores), amdahl.speed_up(share, cores), "numpy")
    return formula


def draw_map_of_reach(ax: Axes, x: ArrayLike, z: ArrayLike, shares: ArrayLike, **looks: Any) -> QuadMesh:
    """Draw a map over x and z: for each position the fraction of its poses that are reached, or another number.

    Args:
        ax: Axes for x and z.
        x: Shape (m,), m, evenly spaced.
        z: Shape (n,), m, evenly spaced.
        shares: Shape (n, m), one row for each z.
        **looks: Options of Matplotlib's `pcolormesh`; by default blue from 0 to 1.

    Returns:
        The mesh, for a colour bar.

    Raises:
        ParameterError: The shape of `shares` is wrong.
    """
    across, up, values = (np.asarray(given, dtype=np.float64) for given in (x, z, shares))
    if values.shape != (up.size, across.size):
        raise ParameterError(f"shares must have shape ({up.size}, {across.size}), got {values.shape}")
    dressed: dict[str, Any] = {"cmap": "Blues", "vmin": 0.0, "vmax": 1.0} | looks
    drawn = ax.pcolormesh(across, up, values, shading="nearest", edgecolor=PAPER, linewidth=0.4, **dressed)
    ax.set(aspect="equal", xlabel="x [m]", ylabel="z [m]")
    ax.grid(visible=False)
    return drawn
