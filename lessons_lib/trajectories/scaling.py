"""How far along a path to be at which time: the derived time scalings as numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real, is_whole
from lessons_lib.errors import ParameterError

Scaling = Literal["linear", "cubic", "quintic", "trapezoidal"]
SCALINGS: tuple[Scaling, ...] = get_args(Scaling)

POLYNOMIALS = {"cubic": 1, "quintic": 2}
"""How many derivatives vanish at both ends."""

RAMP = 0.25
"""Part of the duration that each ramp of the trapezoid takes, when none is given."""


def time_scaling(tau: ArrayLike, kind: Scaling = "quintic", *, order: int = 0, ramp: float = RAMP) -> Array:
    """Return s(τ), or one of its derivatives, from 0 at τ = 0 to 1 at τ = 1; before and after, it rests.

    "linear" starts and stops with a jerk of the velocity, "cubic" with one of the acceleration; "quintic" starts and
    stops with both at zero; "trapezoidal" rises evenly to a velocity, holds it, and falls evenly.

    Args:
        tau: Time over the duration, any shape.
        kind: "linear", "cubic", "quintic" or "trapezoidal".
        order: 0 for s, 1 for ds/dτ, 2 for d²s/dτ².
        ramp: Part of the duration that each ramp of the trapezoid takes, in (0, 1/2].

    Returns:
        The shape of τ.

    Raises:
        ParameterError: τ is not finite, or another argument is not what it should be.

    Source: Lynch & Park (2017), §9.2.2; derived in `symbolic.time_scaling`.
    """
    times = floats(tau, "tau must be numbers, the time over the duration", ParameterError)
    if not np.isfinite(times).all():
        raise ParameterError(f"tau must be finite, got {times.tolist()}")
    if not isinstance(kind, str) or kind not in SCALINGS:
        raise ParameterError(f"unknown time scaling {kind!r}; valid are {', '.join(SCALINGS)}")
    if not is_whole(order) or order not in (0, 1, 2):
        raise ParameterError(f"order is {order!r}; it is 0 for s, 1 for its velocity, 2 for its acceleration")
    if not is_real(ramp) or not 0.0 < ramp <= 0.5:
        raise ParameterError(f"ramp is {ramp!r}; each ramp takes a part of the duration in (0, 0.5]")
    moving = (times >= 0.0) & (times <= 1.0)
    values = np.broadcast_to(_formula(kind, order)(np.clip(times, 0.0, 1.0), float(ramp)), times.shape)
    return np.array(values if order == 0 else np.where(moving, values, 0.0), dtype=np.float64)


@cache
def _formula(kind: str, order: int) -> Callable[[Array, float], Any]:
    """Return the derived formula as a NumPy function of τ and the ramp."""
    import sympy as sp

    from lessons_lib.symbolic import time_scaling as derived

    tau, ramp = sp.symbols("tau ramp", real=True)
    if kind == "linear":
        s: sp.Expr = tau
    else:
        s = derived.polynomial(tau, POLYNOMIALS[kind]) if kind in POLYNOMIALS else derived.trapezoid(tau, ramp)
    formula: Callable[[Array, float], Any] = sp.lambdify((tau, ramp), sp.diff(s, tau, order), "numpy")
    return formula
