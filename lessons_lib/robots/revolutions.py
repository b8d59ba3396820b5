"""Add whole revolutions to a joint value: into the limits, or nearest to another value."""

from __future__ import annotations

import math

import numpy as np

FAR = 628.3185307179587  # [rad] as robots.sampling.FAR_ANGLE: a limit beyond it counts as none


def wrap_joint(value: float, start: float, lower: float, upper: float, period: float) -> float:
    """Return the value minus the revolutions that bring it within its limits."""
    # with no limit, or a far one, on one side it stays within half a revolution of the start, if its limits allow
    if period > 0.0:
        if (lower <= -FAR or upper >= FAR) and abs(value - start) > 0.5 * period:
            value -= period * np.rint((value - start) / period)
        if value > upper:
            value -= period * np.ceil((value - upper) / period)
        elif value < lower:
            value += period * np.ceil((lower - value) / period)
    return value


def unwrap_joint(value: float, beside: float, lower: float, upper: float, period: float) -> float:
    """Return the value plus the revolutions that bring it nearest to another value within the limits."""
    if period == 0.0 or abs(beside - value) <= 0.5 * period:
        return value
    count = np.rint((beside - value) / period)
    if lower > -math.inf:
        count = max(count, np.ceil((lower - value) / period))
    if upper < math.inf:
        count = min(count, np.floor((upper - value) / period))
    # on a limit it may round to just beyond
    return min(max(value + period * count, lower), upper) if count != 0.0 else value
