"""What the joints of a chain may do: where they may stand, how fast they may move, and how soon."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConfigurationError, LimitsError

LIMIT_TOLERANCE = 1e-6
"""By how much a value may lie outside a limit, rad or m, relative to a limit above 1: a few float32 roundings.

float32 has 1.2e-7 between two numbers beside 1, and 4.8e-7 beside 2π; it is also what `Configuration.check_limits` and
Pink allow.
"""


def clip_into_limits(
    q: Array,
    limits: Array,
    joint_names: Sequence[str],
    robot: str,
    tolerance: float = LIMIT_TOLERANCE,
    joint_types: Sequence[str] = (),
) -> Array:
    """Return a finite configuration, shape (n,), clipped into limits that it exceeds by the tolerance at most.

    Raises:
        ConfigurationError: A joint exceeds a limit by more; the message says by how much.
    """
    clipped = np.clip(q, *limits.T)
    excess = np.abs(q - clipped)
    for i in np.flatnonzero(~(excess <= tolerance * np.maximum(1.0, np.abs(clipped)))).tolist():
        raise ConfigurationError(
            f"joint {joint_names[i]!r} of {robot} is at {q[i]:.6g}, outside its limits "
            f"[{limits[i, 0]:.6g}, {limits[i, 1]:.6g}] by {excess[i]:.3g}; only {tolerance:.3g} passes for rounding"
            f"{_degrees_hint(q[i], limits[i]) if joint_types and joint_types[i] == 'revolute' else ''}"
        )
    return clipped


def _degrees_hint(angle: float, limits: Array) -> str:
    """Return the end of a message if an angle outside its limits may have been meant in degrees."""
    radians = math.radians(angle)
    is_likely = abs(angle) > math.pi and limits[0] <= radians <= limits[1]
    return f"; angles are in rad, {angle:g}° is {radians:.6g}: numpy.radians(q)" if is_likely else ""


def check_limits(limits: ArrayLike | None, joint_names: Sequence[str]) -> Array:
    """Return limits as a float64 array of shape (n, 2).

    Raises:
        LimitsError: Wrong shape, NaN, or lower > upper; the message names the joint.
    """
    n = len(joint_names)
    if limits is None:
        return np.tile([-np.inf, np.inf], (n, 1))
    bounds = floats(limits, f"limits must be numbers of shape ({n}, 2)", LimitsError)
    if bounds.shape != (n, 2):
        raise LimitsError(f"limits must have shape ({n}, 2), a row (lower, upper) for each joint; got {bounds.shape}")
    for name, (lower, upper) in zip(joint_names, bounds, strict=True):
        if np.isnan(lower) or np.isnan(upper):
            raise LimitsError(f"limits of {name!r} are [{lower:g}, {upper:g}]; where there is no limit use ±inf")
        if lower > upper:
            raise LimitsError(f"limits of {name!r} are [{lower:g}, {upper:g}]: lower must not exceed upper")
        if lower == np.inf or upper == -np.inf:
            raise LimitsError(f"limits of {name!r} are [{lower:g}, {upper:g}]: no finite value lies between them")
    return bounds


def check_rates(rates: ArrayLike, joint_names: Sequence[str], what: str) -> Array:
    """Return bounds on the size of a rate as a float64 array of shape (n,): of each joint, or the same for all.

    Raises:
        LimitsError: Another shape, or a bound that is not positive; the message names the joint.
    """
    n = len(joint_names)
    bounds = floats(rates, f"{what} limits must be a number, or {n} of them", LimitsError)
    if bounds.shape not in ((), (n,)):
        raise LimitsError(f"{what} limits must be one number, or have shape ({n},), one a joint; got {bounds.shape}")
    bounds = np.broadcast_to(bounds, (n,)).copy()
    for name, bound in zip(joint_names, bounds, strict=True):
        if not bound > 0.0:
            raise LimitsError(f"{what} limit of {name!r} is {bound:g}; it is positive, inf where there is none")
    return bounds
