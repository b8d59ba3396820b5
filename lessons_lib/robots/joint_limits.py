"""Limits of the joints of a chain: position, speed and acceleration."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConfigurationError, LimitsError

LIMIT_TOLERANCE = 1e-6
"""Largest excess over a limit, rad or m, relative to a limit above 1: a few roundings of float32.

The spacing of float32 is 1.2e-7 at 1, and 4.8e-7 at 2π. `Configuration.check_limits` and Pink allow the same.
"""


def clip_into_limits(
    q: Array,
    limits: Array,
    joint_names: Sequence[str],
    robot: str,
    tolerance: float = LIMIT_TOLERANCE,
    joint_types: Sequence[str] = (),
) -> Array:
    """Clip a finite configuration, shape (n,), into limits; raise ConfigurationError beyond the tolerance."""
    clipped = np.clip(q, *limits.T)
    excess = np.abs(q - clipped)
    for i in np.flatnonzero(~(excess <= tolerance * np.maximum(1.0, np.abs(clipped)))).tolist():
        raise ConfigurationError(
            f"joint {joint_names[i]!r} of {robot} is at {q[i]:.6g}, outside its limits "
            f"[{limits[i, 0]:.6g}, {limits[i, 1]:.6g}] by {excess[i]:.3g}; {tolerance:.3g} is allowed for rounding"
            f"{_degrees_hint(q[i], limits[i]) if joint_types and joint_types[i] == 'revolute' else ''}"
        )
    return clipped


def _degrees_hint(angle: float, limits: Array) -> str:
    """Return a hint for the message if an angle outside its limits is probably in degrees."""
    radians = math.radians(angle)
    is_likely = abs(angle) > math.pi and limits[0] <= radians <= limits[1]
    return f"; angles are in rad, {angle:g}° is {radians:.6g}: numpy.radians(q)" if is_likely else ""


def check_limits(limits: ArrayLike | None, joint_names: Sequence[str]) -> Array:
    """Return limits as a float64 array of shape (n, 2); LimitsError names a joint with an invalid row."""
    n = len(joint_names)
    if limits is None:
        return np.tile([-np.inf, np.inf], (n, 1))
    bounds = floats(limits, f"limits must be numbers of shape ({n}, 2)", LimitsError)
    if bounds.shape != (n, 2):
        raise LimitsError(f"limits must have shape ({n}, 2), a row (lower, upper) for each joint; got {bounds.shape}")
    for name, (lower, upper) in zip(joint_names, bounds, strict=True):
        if np.isnan(lower) or np.isnan(upper):
            raise LimitsError(f"limits of {name!r} must not be NaN, got [{lower:g}, {upper:g}]; use ±inf for no limit")
        if lower > upper:
            raise LimitsError(f"limits of {name!r} must have lower ≤ upper, got [{lower:g}, {upper:g}]")
        if lower == np.inf or upper == -np.inf:
            raise LimitsError(f"limits of {name!r} must contain a finite value, got [{lower:g}, {upper:g}]")
    return bounds


def check_rates(rates: ArrayLike, joint_names: Sequence[str], what: str) -> Array:
    """Return bounds on a rate as a float64 array of shape (n,); LimitsError names a joint with an invalid bound."""
    n = len(joint_names)
    bounds = floats(rates, f"{what} limits must be a number, or {n} of them", LimitsError)
    if bounds.shape not in ((), (n,)):
        raise LimitsError(
            f"{what} limits must be one number, or have shape ({n},), one for each joint; got {bounds.shape}"
        )
    bounds = np.broadcast_to(bounds, (n,)).copy()
    for name, bound in zip(joint_names, bounds, strict=True):
        if not bound > 0.0:
            raise LimitsError(f"{what} limit of {name!r} must be positive (inf for no limit), got {bound:g}")
    return bounds
