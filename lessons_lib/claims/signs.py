"""Decide the sign of an expression for all values of its symbols; False means that nothing was proven."""
# Proofs use SymPy's assumptions, sums of squares, root counts of a polynomial in one symbol or in the sine and cosine
# of one angle, and eigenvalues of quadratic forms.

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import sympy as sp

from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE, DomainConstraint
from lessons_lib.claims.real_values import all_real, is_real
from lessons_lib.symbolic.stumpff_functions import stumpff

LONG, MANY = 1500, 12  # operations and symbols; SymPy would take minutes to factor longer expressions


def always_holds(constraint: DomainConstraint) -> bool:
    if constraint.kind == NONZERO:
        return nonzero(constraint.expr)
    if constraint.kind == OFF_CUT:
        return nonzero(constraint.expr.args[0]) or positive(constraint.expr.args[1])
    return (constraint.kind == NOT_NEGATIVE and never_negative(constraint.expr)) or (
        constraint.kind == POSITIVE and positive(constraint.expr)
    )


def nonzero(f: sp.Expr) -> bool:
    if f.func == stumpff:
        return int(f.args[0]) >= 3  # θ − sin θ and the like vanish only at θ = 0, where cₙ is 1/n!
    return bool(f.is_nonzero) or positive(f) or positive(-f)


@lru_cache(maxsize=4096)
def positive(f: sp.Expr) -> bool:
    if f.is_positive:
        return True
    if too_long(f) or not all_real(f):
        return False
    parts = [(c, _square_like(c)) for c in _coefficients(f, strictly=True)]
    if parts and all(square for _, square in parts) and any(_has_positive_constant(c) for c, _ in parts):
        return True
    return _has_no_root(f) or _is_definite_quadratic(f, strictly=True) or _dominates_waves(f)


@lru_cache(maxsize=4096)
def never_negative(f: sp.Expr) -> bool:
    """Return whether an expression is proven to be nonnegative where it is defined."""
    if f.is_nonnegative or _is_sum_of_squares(f) or positive(f):
        return True
    if too_long(f) or not all_real(f):
        return False
    coefficients = _coefficients(f, strictly=False)
    return (
        bool(coefficients and all(map(_square_like, coefficients)))
        or _is_linear_in_wave(f)
        or _is_definite_quadratic(f, False)
        or _completes_square(f)
        or _difference_of_roots_sign(f)
    )


def drop_weights(f: sp.Expr) -> sp.Expr:
    """Set positive weights in a sum of squares to 1, which leaves its zeros as they are."""
    letters = [s for s in f.free_symbols if s.is_positive]
    if not letters or too_long(f) or not f.is_polynomial(*f.free_symbols):
        return f
    return sp.expand(f.subs(dict.fromkeys(letters, 1))) if all(map(_square_like, _coefficients(f, True))) else f


def too_long(f: sp.Expr) -> bool:
    return len(f.free_symbols) > MANY or bool(sp.count_ops(f) > LONG)


def _is_sum_of_squares(f: sp.Expr) -> bool:
    """Return whether an expression is, as written, a sum of products of even powers."""
    if f.is_nonnegative:
        return True
    if f.is_Add or f.is_Mul:
        return all(map(_is_sum_of_squares, f.args))
    return bool(f.is_Pow and f.exp.is_Integer and f.exp % 2 == 0 and is_real(f.base))


def _coefficients(f: sp.Expr, strictly: bool) -> list[sp.Expr]:
    """Return the coefficients of a polynomial in its symbols of one sign, or the polynomial if it has none."""
    if not f.is_polynomial(*f.free_symbols) or f.has(sp.sin, sp.cos):
        return []
    letters = [s for s in f.free_symbols if (s.is_positive if strictly else s.is_nonnegative)]
    expanded = sp.expand(f)
    return list(sp.Poly(expanded, *letters).coeffs()) if letters else [expanded]


def _has_positive_constant(coefficient: sp.Expr) -> bool:
    return bool(sp.expand(coefficient).as_coefficients_dict()[sp.S.One] > 0 and _square_like(coefficient)) and all(
        _is_square_term(t) for t in sp.Add.make_args(sp.expand(coefficient))
    )


def _is_square_term(term: sp.Expr) -> bool:
    number, rest = term.as_coeff_Mul()
    return bool(number > 0) and all(_is_sum_of_squares(factor) for factor in sp.Mul.make_args(rest))


def _square_like(f: sp.Expr) -> bool:
    """Return whether a real polynomial is a sum of squares, a square, or a sum of squared minors."""
    expanded = sp.expand(f)
    if all(map(_is_square_term, sp.Add.make_args(expanded))):
        return True
    if len(expanded.free_symbols) > MANY:
        return False
    try:
        number, factors = sp.factor_list(expanded)
    except sp.PolynomialError:  # x + 1/e, for example
        return False
    odd = [base for base, power in factors if power % 2]
    return bool(number > 0) and all(
        _is_definite_quadratic(base, False) or _is_sum_of_squared_minors(base) for base in odd
    )


def _completes_square(f: sp.Expr) -> bool:
    """Return whether f = a s² + b s + c for some symbol s, with a ≥ 0 and 4 a c − b² ≥ 0."""
    # 4 a f = (2 a s + b)² + 4 a c − b². If a = 0, f ≥ 0 by continuity, except for integers. For two columns this is
    # Lagrange's identity.
    letters = sorted(f.free_symbols, key=str)
    if not f.is_polynomial(*letters) or any(s.is_integer for s in letters):
        return False
    for s in letters:
        if sp.degree(f, s) == 2:
            a, b, c = sp.Poly(f, s).all_coeffs()
            if len(letters) > 1 and never_negative(a) and _factors_never_negative(4 * a * c - b**2):
                return True
    return False


def _difference_of_roots_sign(f: sp.Expr, depth: int = 2) -> bool:
    """Return whether f = p − q with roots p ≥ 0 and p² ≥ q²."""
    parts = sp.Add.make_args(sp.expand(f))
    roots = [part for part in parts if _has_root(part) and all(map(_is_plainly_nonnegative, sp.Mul.make_args(part)))]
    if not roots or len(roots) == len(parts):
        return bool(roots)
    p = sp.Add(*roots)
    gap = sp.expand(p**2 - (p - f) ** 2)
    return never_negative(gap) if not _has_root(gap) else depth > 0 and _difference_of_roots_sign(gap, depth - 1)


def _has_root(f: sp.Expr) -> bool:
    return any(p.exp.is_Rational and not p.exp.is_Integer for p in f.atoms(sp.Pow))


def _is_plainly_nonnegative(f: sp.Expr) -> bool:
    return bool(f.is_nonnegative) or bool(f.is_Pow and f.exp.is_Rational and f.exp.q % 2 == 0 and f.exp > 0)


def _factors_never_negative(f: sp.Expr) -> bool:
    """Return whether f is zero or all of its factors are nonnegative."""
    number, parts = sp.factor_list(sp.expand(f))
    return bool(number >= 0) and all(power % 2 == 0 or never_negative(base) for base, power in parts)


def _is_sum_of_squared_minors(f: sp.Expr) -> bool:
    """Return whether f is the sum of all squared k×k minors of the matrix of its symbols J_11, J_12, …."""
    places = {s: str(s).rpartition("_")[2].lstrip("J") for s in f.free_symbols}
    if not all(len(p) == 2 and p.isdigit() for p in places.values()):
        return False
    rows, columns = (sorted({p[k] for p in places.values()}) for k in (0, 1))
    letter = {p: s for s, p in places.items()}
    degree = sp.Poly(f).total_degree()
    if degree % 2 or len(letter) != len(places) or len(letter) != len(rows) * len(columns) or degree < 4:
        return False
    A = sp.Matrix([[letter[r + c] for c in columns] for r in rows])
    some = [list(combinations(range(n), degree // 2)) for n in A.shape]
    minors = sum((A.extract(list(r), list(c)).det() ** 2 for r in some[0] for c in some[1]), sp.Integer(0))
    return bool(sp.expand(minors - f) == 0)


def _is_linear_in_wave(f: sp.Expr) -> bool:
    """Return whether f is linear in one sine or cosine and nonnegative at its values 1 and −1."""
    waves = f.atoms(sp.cos, sp.sin)
    if len(waves) != 1:
        return False
    t = sp.Dummy("t", real=True)
    linear = sp.expand(f).subs(waves.pop(), t)
    if not linear.is_polynomial(t) or sp.Poly(linear, t).degree() != 1:
        return False
    return all(never_negative(sp.factor(linear.subs(t, end))) for end in (1, -1))


def _dominates_waves(f: sp.Expr) -> bool:
    """Return whether a constant exceeds the sum of the amplitudes of sines and cosines."""
    whole, waves = sp.expand(f).as_coeff_Add()
    parts = [part.as_coeff_Mul() for part in sp.Add.make_args(waves)]
    bounded = all(
        isinstance(w, sp.sin | sp.cos) for _, rest in parts for w, _ in map(_split_power, sp.Mul.make_args(rest))
    )
    return bool(bounded and whole.is_real and whole > sum(abs(number) for number, _ in parts))


def _split_power(factor: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    base, power = factor.as_base_exp()
    return (base, power) if power.is_Integer and power > 0 else (factor, sp.S.One)


def _has_no_root(f: sp.Expr) -> bool:
    """Return whether f, in one symbol or in the sine and cosine of one angle, is positive and has no real root."""
    angles = {w.args[0] for w in f.atoms(sp.sin, sp.cos)}
    if len(angles) == 1:
        t, angle = sp.Dummy("t", real=True), angles.pop()
        half = f.subs({sp.sin(angle): 2 * t / (1 + t**2), sp.cos(angle): (1 - t**2) / (1 + t**2)})
        at_pi = f.subs({sp.sin(angle): 0, sp.cos(angle): -1})
        return half.free_symbols == {t} and bool(at_pi > 0) and _has_no_root(sp.numer(sp.together(half)))
    if len(f.free_symbols) != 1 or not f.is_polynomial(s := next(iter(f.free_symbols))):
        return False
    whole = sp.Poly(f, s)
    if not all(c.is_Rational for c in whole.coeffs()):
        return False
    at = sp.Integer(1) if not s.is_negative else sp.Integer(-1)
    low, high = (0 if s.is_nonnegative else None), (0 if s.is_nonpositive else None)
    roots = whole.count_roots(low, high)
    if (s.is_positive or s.is_negative) and whole.eval(0) == 0:
        roots -= 1
    return bool(roots == 0 and whole.eval(at) > 0)


def _is_definite_quadratic(f: sp.Expr, strictly: bool) -> bool:
    """Return whether a quadratic polynomial with rational coefficients is positive, or nonnegative."""
    letters = sorted(f.free_symbols, key=str)
    if not letters or len(letters) > MANY or not f.is_polynomial(*letters) or not all(s.is_real for s in letters):
        return False
    whole = sp.Poly(f, *letters)
    if whole.total_degree() != 2 or not all(c.is_Rational for c in whole.coeffs()):
        return False
    one = sp.Dummy("one")
    form = sp.hessian(whole.homogenize(one).as_expr() if not whole.is_homogeneous else f, [*letters, one])
    if whole.is_homogeneous:
        return not strictly and bool(form[:-1, :-1].is_positive_semidefinite)
    return bool(form.is_positive_definite if strictly else form.is_positive_semidefinite)
