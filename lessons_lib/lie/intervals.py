"""Intervals for the six components (ω, r) of a displacement from a target, and the error outside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, is_real
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.lie import derivations

COMPONENTS = ("rotation x", "rotation y", "rotation z", "position x", "position y", "position z")
"""Names of the components, in the frame of the target."""

VALID = "intervals must be six, (ω, r) along the target's axes: each t for ±t, (lower, upper), or None if it is free"


@dataclass(frozen=True)
class Intervals:
    """Allowed displacements ω = log(R_dᵀR), r = R_dᵀ(p − p_d) of {b} from the target {d}: a box of each, in {d}."""

    # it is not the twist log(T_sd⁻¹ T_sb): a box of its v is not a box of positions

    bounds: tuple[tuple[float, float], ...]  # (ω, r), rad and the robot's unit of length; ±inf for none

    @classmethod
    def of(cls, intervals: Any) -> Intervals:
        """Create intervals from six entries: t ≥ 0 for [−t, t], (lower, upper), or None for a free component."""
        # Raises ParameterError if all components are free, or the first three exclude all rotation vectors, whose
        # length is at most π.
        try:
            entries = list(intervals)
        except TypeError:
            raise ParameterError(f"{VALID}; got {intervals!r}") from None
        if len(entries) != 6:
            raise ParameterError(f"{VALID}; got {len(entries)} of them")
        bounds = [_pair(name, entry) for name, entry in zip(COMPONENTS, entries, strict=True)]
        bounds[:3] = [_angles(name, *pair) for name, pair in zip(COMPONENTS[:3], bounds[:3], strict=True)]
        if all(math.isinf(lower) and math.isinf(upper) for lower, upper in bounds):
            raise ParameterError("all six intervals are free; at least one component must have a bound")
        least = math.hypot(*(max(lower, -upper, 0.0) for lower, upper in bounds[:3]))
        if least > math.pi:
            raise ParameterError(
                f"the intervals of the rotation must contain a rotation vector of length at most π, but the shortest "
                f"one has length {least:.4g}"
            )
        return cls(tuple(bounds))

    def in_unit(self, unit: float) -> Intervals:
        """Return the intervals with positions in another unit of length."""
        return Intervals((*self.bounds[:3], *((lower / unit, upper / unit) for lower, upper in self.bounds[3:])))

    @cached_property
    def error_bounds(self) -> Array:
        """Bounds of the error, which points from {b} to the target: six lower, six upper ones, shape (12,)."""
        lower, upper = np.array(self.bounds).T
        ends: Array = np.concatenate([-upper, -lower])
        ends.setflags(write=False)
        return ends

    @property
    def farthest(self) -> float:
        """Largest distance of an allowed position from the target."""
        return math.hypot(*(max(-lower, upper) for lower, upper in self.bounds[3:]))

    def error(self, omega: Array, T_bd: Array) -> tuple[Array, Array]:  # noqa: N803
        """Return the error e outside the intervals, and L: after a small body twist V it is e − L V (zero inside)."""
        e, L, ends = np.empty(6), np.empty((6, 6)), self.error_bounds
        module().interval_error_kernel(np.ascontiguousarray(omega), T_bd, ends[:6], ends[6:], e, L)
        return e, L

    def __str__(self) -> str:
        return ", ".join(f"[{lower:.4g}, {upper:.4g}]" for lower, upper in self.bounds)


def _pair(name: str, entry: Any) -> tuple[float, float]:
    wrong = f"the interval of {name} must be a number t ≥ 0 for ±t, a pair (lower, upper), or None, got {entry!r}"
    if entry is None:
        return -math.inf, math.inf
    if is_real(entry):
        if not entry >= 0.0:
            raise ParameterError(wrong)
        return 0.0 - float(entry), float(entry)
    try:
        ends = tuple(entry)
    except TypeError:
        raise ParameterError(wrong) from None
    if isinstance(entry, str) or len(ends) != 2 or not all(end is None or is_real(end) for end in ends):
        raise ParameterError(wrong)
    lower, upper = (free if end is None else float(end) for end, free in zip(ends, (-math.inf, math.inf), strict=True))
    if math.isnan(lower) or math.isnan(upper) or lower == math.inf or upper == -math.inf:
        raise ParameterError(wrong)
    if lower > upper:
        raise ParameterError(f"the interval of {name} must have lower ≤ upper, got ({lower:g}, {upper:g})")
    return lower, upper


def _angles(name: str, lower: float, upper: float) -> tuple[float, float]:
    """Check an interval of angles; one that covers a revolution is free."""
    for end in (lower, upper):
        if 2.0 * math.pi < abs(end) < math.inf:
            raise ParameterError(
                f"the bounds of {name} must be within a revolution, got {end:g} rad; for degrees, write "
                f"numpy.radians({end:g}), and for a free component None"
            )
    first, last = (math.copysign(math.pi, end) if math.isinf(end) else end for end in (lower, upper))
    if last - first >= 2.0 * math.pi:
        return -math.inf, math.inf
    if (math.isfinite(lower) and lower < -math.pi) or (math.isfinite(upper) and upper > math.pi):
        raise ParameterError(
            f"the interval of {name} must be within [-π, π], as rotation vectors are, or cover a revolution, got "
            f"[{lower:.4g}, {upper:.4g}]; rotate the target to shift it"
        )
    return lower, upper


RECIPE = Recipe("lie_intervals", (Derived(derivations.intervals),), derives="the error outside intervals")


@lru_cache(maxsize=1)
def module() -> Any:
    """Return the generated module with `interval_error_kernel`."""
    return linker.load(RECIPE)
