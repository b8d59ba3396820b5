"""Functions written in one way of several, by identities that hold wherever both ways have a value.

acos x is π/2 − asin x. A positive factor of both sides of an angle atan2(y, x) drops out. What stands under a root is
factored, so that the roots of factors of known sign come apart.
"""

import sympy as sp

from lessons_lib.claims import signs


def rewritten(e: sp.Expr) -> sp.Expr:
    """Return an expression with arc cosines, angles and roots written in one way."""
    e = e.replace(sp.acos, lambda x: sp.pi / 2 - sp.asin(x)).replace(sp.atan2, _without_factor)
    return e.replace(lambda p: p.is_Pow and p.exp.is_Rational and not p.exp.is_Integer, _factored)


def _factored(root: sp.Expr) -> sp.Expr:
    return sp.expand_power_base(root if signs.too_long(root.base) else sp.factor(root.base) ** root.exp)


def _without_factor(y: sp.Expr, x: sp.Expr) -> sp.Expr:
    """Return atan2(y, x) without a factor of both that is never negative; where it is zero there is no angle."""
    if signs.too_long(y) or signs.too_long(x):
        return sp.atan2(y, x)
    try:
        number, parts = sp.factor_list(sp.gcd(y, x))
    except sp.PolynomialError:
        return sp.atan2(y, x)
    factor = abs(number) * sp.Mul(*(base**power for base, power in parts if signs.never_negative(base**power)))
    return sp.atan2(sp.cancel(y / factor), sp.cancel(x / factor)) if factor != 0 else sp.atan2(y, x)
