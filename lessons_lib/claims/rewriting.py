"""Normal forms of functions, by identities that hold wherever both forms are defined."""

import sympy as sp

from lessons_lib.claims import signs


def rewrite_functions(e: sp.Expr) -> sp.Expr:
    """Return an expression with arc cosines, angles and roots in normal form."""
    e = e.replace(sp.acos, lambda x: sp.pi / 2 - sp.asin(x)).replace(sp.atan2, _cancel_positive_factor)
    return e.replace(lambda p: p.is_Pow and p.exp.is_Rational and not p.exp.is_Integer, _factor_root)


def _factor_root(root: sp.Expr) -> sp.Expr:
    return sp.expand_power_base(root if signs.too_long(root.base) else sp.factor(root.base) ** root.exp)


def _cancel_positive_factor(y: sp.Expr, x: sp.Expr) -> sp.Expr:
    """Cancel a nonnegative common factor in atan2(y, x), which is undefined where that factor vanishes."""
    if signs.too_long(y) or signs.too_long(x):
        return sp.atan2(y, x)
    try:
        number, parts = sp.factor_list(sp.gcd(y, x))
    except sp.PolynomialError:
        return sp.atan2(y, x)
    factor = abs(number) * sp.Mul(*(base**power for base, power in parts if signs.never_negative(base**power)))
    return sp.atan2(sp.cancel(y / factor), sp.cancel(x / factor)) if factor != 0 else sp.atan2(y, x)
