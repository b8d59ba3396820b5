"""Limits of the joints of a chain: position, speed and acceleration."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
            f"{degrees_hint(q[i], limits[i]) if joint_types and joint_types[i] == 'revolute' else ''}"
        )
    return clipped


def degrees_hint(angle: float, limits: Array | tuple[float, float]) -> str:
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


FAR_ANGLE = 200.0 * np.pi
"""Beyond 100 revolutions [rad] a limit of a revolute joint counts as none: no arm's cables allow as many."""

FAR_DISTANCE = 1e3
"""The same for a prismatic joint, relative to the length of the arm: 1 km for an arm of some metres."""

FAR_ALONE = 1e5
"""The same if the arm has no other length, in the unit of the robot: 100 m for a gantry in mm."""

FAR_SCREW = 1e5
"""The same for a coupled coordinate and a helical joint [rad], whose spindle may make thousands of revolutions."""

_FAR = {"revolute": FAR_ANGLE, "prismatic": FAR_DISTANCE, "helical": FAR_SCREW, "coupled": FAR_SCREW}
_REACH = {"revolute": np.pi, "prismatic": 1.0, "helical": np.pi, "coupled": 2.0 * np.pi}


def finite_limits(lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0) -> Array:
    """Return limits, shape (n, 2), each missing one replaced by a finite bound: π rad or one length from zero."""
    # If only one limit is missing, its substitute is at least one revolution or two lengths away from the other. Some
    # files write ±1e12 or ±1e16 for no limit: in such a range nearly all configurations would be useless, and their
    # poses lost in rounding.
    reach = np.array([_REACH[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    below, above = unlimited_sides(lower, upper, kinds, length)
    low = np.where(below, np.maximum(np.minimum(-reach, upper - 2 * reach), lower), lower)
    high = np.where(above, np.minimum(np.maximum(reach, lower + 2 * reach), upper), upper)
    return np.column_stack([low, high])


def unlimited_sides(
    lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether each joint has no lower limit, and whether it has no upper one."""
    far = np.array([_FAR[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    return lower <= -far, upper >= far


def characteristic_length(screws: Array, home: Array, limits: Array, kinds: Sequence[str]) -> float:
    """Return the length of an arm as a power of 32, so that dividing by it does not round: 1 m from 0.25 to 8 m."""
    # It is the path from the tip to the innermost axis over the nearest points of the axes, plus prismatic travel,
    # except travel beyond `FAR_DISTANCE` times all that is shorter. It scales with the unit of length.
    point, total = home[:3, 3], 0.0
    for i in reversed([i for i, kind in enumerate(kinds) if kind != "prismatic"]):
        foot = np.cross(screws[:3, i], screws[3:, i])
        nearest = foot + screws[:3, i] * float(screws[:3, i] @ (point - foot))
        total += math.hypot(*(point - nearest))
        point = nearest
    travels = [float(np.abs(limits[i]).max()) for i, kind in enumerate(kinds) if kind == "prismatic"]
    for travel in sorted(travels):
        if travel <= (FAR_DISTANCE * total if total > 0.0 else FAR_ALONE):
            total += travel
    if not 0.0 < total < math.inf:
        return 1.0
    return 32.0 ** ((math.frexp(total)[1] + 1) // 5)
