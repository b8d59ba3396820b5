"""Decide whether expressions are real wherever they are defined, as every rule about signs requires."""

from functools import lru_cache

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.stumpff_functions import stumpff

REAL_OF_REAL = (
    *(TrigonometricFunction, HyperbolicFunction, sp.asin, sp.acos, sp.atan, sp.acot, sp.asec, sp.acsc, sp.asinh),
    *(sp.acosh, sp.atanh, sp.atan2, sp.exp, sp.log, sp.sign, sp.Abs, sp.Max, sp.Min, sp.floor, sp.ceiling, stumpff),
    *(sp.factorial, sp.gamma, sp.binomial),
)
"""Functions with a real value for real arguments wherever they are defined."""


@lru_cache(maxsize=8192)
def is_real(e: sp.Basic) -> bool:
    """Return whether an expression is proven to be real for all values of its symbols where it is defined."""
    if isinstance(e, sp.Piecewise):
        return all(is_real(value) for value, _ in e.args)
    if e.is_Add or e.is_Mul or e.is_Pow and e.exp.is_Integer:
        made_of_reals = all(map(is_real, e.args))  # SymPy takes long to decide it for a long sum
        return made_of_reals or bool(e.is_extended_real)
    if e.is_extended_real is not None:
        return bool(e.is_extended_real)
    return (e.is_Pow or isinstance(e, REAL_OF_REAL)) and all(map(is_real, e.args))


def all_real(e: sp.Basic) -> bool:
    """Return whether an expression and all of its symbols are real."""
    return all(s.is_extended_real for s in e.free_symbols) and is_real(e)


def check_order(label: str, *sides: sp.Basic) -> None:
    """Raise ClaimError unless all sides are finite and proven to be real, so that they can be ordered."""
    for side in sides:
        if side.has(sp.oo, sp.zoo, sp.nan):
            raise ClaimError(f"claim {label} is not proven: an inequality needs finite sides, got {side}")
        if not is_real(side):
            raise ClaimError(f"claim {label} is not proven: an inequality needs real sides; {side} may be complex")
