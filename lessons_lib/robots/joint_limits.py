"""What the joints of a chain may do: where they may stand, how fast they may move, and how soon."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import LimitsError


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
