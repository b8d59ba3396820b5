"""Real values: whether an expression is real wherever it is defined, which every rule about signs needs."""

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
"""Functions with a real value for real arguments, wherever `needs` lets them have one."""


@lru_cache(maxsize=8192)
def is_real(e: sp.Basic) -> bool:
    """Return whether an expression is proven to be real at all values of its letters where it is defined.

    A power that is no whole number is defined where its base is not negative (`needs.of_power`).
    """
    if isinstance(e, sp.Piecewise):
        return all(is_real(value) for value, _ in e.args)
    if e.is_Add or e.is_Mul or e.is_Pow and e.exp.is_Integer:
        made_of_reals = all(map(is_real, e.args))  # SymPy's own answer takes long for a long sum
        return made_of_reals or bool(e.is_extended_real)
    if e.is_extended_real is not None:
        return bool(e.is_extended_real)
    return (e.is_Pow or isinstance(e, REAL_OF_REAL)) and all(map(is_real, e.args))


def all_real(e: sp.Basic) -> bool:
    """Return whether an expression and all of its letters are real: what polynomials and waves need for their signs."""
    return all(s.is_extended_real for s in e.free_symbols) and is_real(e)


def check_order(label: str, *sides: sp.Basic) -> None:
    """Check that sides can be compared by size.

    Raises:
        ClaimError: One is not proven to be real, or is infinite.
    """
    for side in sides:
        if side.has(sp.oo, sp.zoo, sp.nan):
            raise ClaimError(f"claim {label} is not proven: an inequality needs finite sides, got {side}")
        if not is_real(side):
            raise ClaimError(f"claim {label} is not proven: an inequality needs real sides; {side} may be complex")
