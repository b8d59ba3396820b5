"""A step in place of one that does not exist: what contradicts itself is missed by as little as possible.

The box of the rates is kept, but for bounds that cross, which meet in their middle. Of all steps in it those are taken
that miss rows and constraints least, by the sum of squares of what is missed; and of those the one that costs least.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.solver.exact_step import Allowed, exact_step
from lessons_lib.differential_ik.solver.feasible_set import least_missed

ROOM = 1e-9
"""By how much rows are opened beyond what is missed, of the largest bound: rounding must not close them."""


def nearest_step(step: Step) -> Array:
    """Return Δq, shape (nv,)."""
    allowed = Allowed.read(step)
    crossed = allowed.lower > allowed.upper
    lower, upper = allowed.lower.copy(), allowed.upper.copy()
    lower[crossed] = upper[crossed] = 0.5 * (lower[crossed] + upper[crossed])
    n = len(lower)
    G = np.zeros((0, n)) if allowed.G is None else allowed.G
    A, b = (np.zeros((0, n)), np.zeros(0)) if allowed.A is None or allowed.b is None else (allowed.A, allowed.b)
    h = np.zeros(0) if allowed.h is None else allowed.h
    sizes = np.abs(np.concatenate([b, h, lower, upper]))
    unit = float(max(sizes[np.isfinite(sizes)].max(initial=0.0), 1e-12))
    x = least_missed(A, b / unit, G, h / unit, lower / unit, upper / unit) * unit
    room = ROOM * unit
    opened = None if allowed.h is None else np.maximum(h, G @ x) + room
    met = None if allowed.A is None else A @ x
    best = exact_step(replace(allowed, lower=lower, upper=upper, h=opened, b=met), x)
    return x if best is None else best
