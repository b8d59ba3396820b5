"""What an expression's sign is for all values of its letters: positive, never negative, never zero, or not known.

Every answer is proven: by SymPy's assumptions, as a sum of squares, by counting the roots of a polynomial in one letter
or in the sine and cosine of one angle, or by the eigenvalues of a quadratic. What is not answered may be so too.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import sympy as sp

from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE, Need
from lessons_lib.claims.real_values import all_real, is_real
from lessons_lib.symbolic.stumpff_functions import stumpff

LONG, MANY = 1500, 12  # operations and letters: what has more is not factored, for which SymPy would take minutes


def implied(need: Need) -> bool:
    """Return whether a need is always met."""
    if need.kind == NONZERO:
        return nonzero(need.of)
    if need.kind == OFF_CUT:
        return nonzero(need.of.args[0]) or positive(need.of.args[1])
    return (need.kind == NOT_NEGATIVE and never_negative(need.of)) or (need.kind == POSITIVE and positive(need.of))


def nonzero(f: sp.Expr) -> bool:
    """Return whether an expression is proven to have no zero."""
    if f.func == stumpff:
        return int(f.args[0]) >= 3  # θ − sin θ and the like have no zero but θ = 0, where cₙ is 1/n!
    return bool(f.is_nonzero) or positive(f) or positive(-f)


@lru_cache(maxsize=4096)
def positive(f: sp.Expr) -> bool:
    """Return whether an expression is proven to be positive."""
    if f.is_positive:
        return True
    if too_long(f) or not all_real(f):
        return False
    parts = [(c, _square_like(c)) for c in _coefficients(f, strictly=True)]
    if parts and all(square for _, square in parts) and any(_plain_positive(c) for c, _ in parts):
        return True
    return _without_root(f) or _quadratic(f, strictly=True) or _small_waves(f)


@lru_cache(maxsize=4096)
def never_negative(f: sp.Expr) -> bool:
    """Return whether an expression is proven never to be negative, where it is defined."""
    if f.is_nonnegative or _squares(f) or positive(f):
        return True
    if too_long(f) or not all_real(f):
        return False
    coefficients = _coefficients(f, strictly=False)
    return (
        bool(coefficients and all(map(_square_like, coefficients)))
        or _between_squares(f)
        or _quadratic(f, False)
        or _completed_square(f)
        or _above_root(f)
    )


def unweighted(f: sp.Expr) -> sp.Expr:
    """Return f with 1 for its positive letters where it is a sum of them times squares: it has the same zeros."""
    letters = [s for s in f.free_symbols if s.is_positive]
    if not letters or too_long(f) or not f.is_polynomial(*f.free_symbols):
        return f
    return sp.expand(f.subs(dict.fromkeys(letters, 1))) if all(map(_square_like, _coefficients(f, True))) else f


def too_long(f: sp.Expr) -> bool:
    """Return whether an expression is too long to be factored."""
    return len(f.free_symbols) > MANY or bool(sp.count_ops(f) > LONG)


def _squares(f: sp.Expr) -> bool:
    """Return whether an expression is, as written, a sum of products of even powers."""
    if f.is_nonnegative:
        return True
    if f.is_Add or f.is_Mul:
        return all(map(_squares, f.args))
    return bool(f.is_Pow and f.exp.is_Integer and f.exp % 2 == 0 and is_real(f.base))


def _coefficients(f: sp.Expr, strictly: bool) -> list[sp.Expr]:
    """Return the coefficients of a polynomial in its letters of one sign; the whole where it has none."""
    if not f.is_polynomial(*f.free_symbols) or f.has(sp.sin, sp.cos):
        return []
    letters = [s for s in f.free_symbols if (s.is_positive if strictly else s.is_nonnegative)]
    expanded = sp.expand(f)
    return list(sp.Poly(expanded, *letters).coeffs()) if letters else [expanded]


def _plain_positive(coefficient: sp.Expr) -> bool:
    return bool(sp.expand(coefficient).as_coefficients_dict()[sp.S.One] > 0 and _square_like(coefficient)) and all(
        _even(t) for t in sp.Add.make_args(sp.expand(coefficient))
    )


def _even(term: sp.Expr) -> bool:
    number, rest = term.as_coeff_Mul()
    return bool(number > 0) and all(_squares(factor) for factor in sp.Mul.make_args(rest))


def _square_like(f: sp.Expr) -> bool:
    """Return whether a polynomial in real letters is a sum of squares, a square, or a sum of squared minors."""
    expanded = sp.expand(f)
    if all(map(_even, sp.Add.make_args(expanded))):
        return True
    if len(expanded.free_symbols) > MANY:
        return False
    number, factors = sp.factor_list(expanded)
    odd = [base for base, power in factors if power % 2]
    return bool(number > 0) and all(_quadratic(base, False) or _squared_minors(base) for base in odd)


def _completed_square(f: sp.Expr) -> bool:
    """Return whether f = a s² + b s + c in a letter s, where neither a nor 4 a c − b² is ever negative.

    Where a > 0, 4 a f = (2 a s + b)² + 4 a c − b². Where the polynomial a is zero, f ≥ 0 by continuity, which whole
    numbers have not. For two columns this comes to Lagrange's identity.
    """
    letters = sorted(f.free_symbols, key=str)
    if not f.is_polynomial(*letters) or any(s.is_integer for s in letters):
        return False
    for s in letters:
        if sp.degree(f, s) == 2:
            a, b, c = sp.Poly(f, s).all_coeffs()
            if len(letters) > 1 and never_negative(a) and _factors_never_negative(4 * a * c - b**2):
                return True
    return False


def _above_root(f: sp.Expr, depth: int = 2) -> bool:
    """Return whether f = p − q with roots p ≥ 0 and p² ≥ q²."""
    parts = sp.Add.make_args(sp.expand(f))
    roots = [part for part in parts if _has_root(part) and all(map(_not_negative, sp.Mul.make_args(part)))]
    if not roots or len(roots) == len(parts):
        return bool(roots)
    p = sp.Add(*roots)
    gap = sp.expand(p**2 - (p - f) ** 2)
    return never_negative(gap) if not _has_root(gap) else depth > 0 and _above_root(gap, depth - 1)


def _has_root(f: sp.Expr) -> bool:
    return any(p.exp.is_Rational and not p.exp.is_Integer for p in f.atoms(sp.Pow))


def _not_negative(f: sp.Expr) -> bool:
    return bool(f.is_nonnegative) or bool(f.is_Pow and f.exp.is_Rational and f.exp.q % 2 == 0 and f.exp > 0)


def _factors_never_negative(f: sp.Expr) -> bool:
    """Return whether f is zero or has factors of which none is ever negative."""
    number, parts = sp.factor_list(sp.expand(f))
    return bool(number >= 0) and all(power % 2 == 0 or never_negative(base) for base, power in parts)


def _squared_minors(f: sp.Expr) -> bool:
    """Return whether f is the sum of the squares of all k×k minors of a matrix of its letters, called J_11, J_12, …."""
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


def _between_squares(f: sp.Expr) -> bool:
    """Return whether f is linear in one sine or cosine, and never negative where that is 1 and where it is −1."""
    waves = f.atoms(sp.cos, sp.sin)
    if len(waves) != 1:
        return False
    t = sp.Dummy("t", real=True)
    linear = sp.expand(f).subs(waves.pop(), t)
    if not linear.is_polynomial(t) or sp.Poly(linear, t).degree() != 1:
        return False
    return all(never_negative(sp.factor(linear.subs(t, end))) for end in (1, -1))


def _small_waves(f: sp.Expr) -> bool:
    """Return whether a number outweighs a sum of sines and cosines."""
    whole, waves = sp.expand(f).as_coeff_Add()
    parts = [part.as_coeff_Mul() for part in sp.Add.make_args(waves)]
    bounded = all(isinstance(w, sp.sin | sp.cos) for _, rest in parts for w, _ in map(_base, sp.Mul.make_args(rest)))
    return bool(bounded and whole.is_real and whole > sum(abs(number) for number, _ in parts))


def _base(factor: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    base, power = factor.as_base_exp()
    return (base, power) if power.is_Integer and power > 0 else (factor, sp.S.One)


def _without_root(f: sp.Expr) -> bool:
    """Return whether f, in one letter, or in the sine and cosine of one angle, is positive and has no real root."""
    angles = {w.args[0] for w in f.atoms(sp.sin, sp.cos)}
    if len(angles) == 1:
        t, angle = sp.Dummy("t", real=True), angles.pop()
        half = f.subs({sp.sin(angle): 2 * t / (1 + t**2), sp.cos(angle): (1 - t**2) / (1 + t**2)})
        at_pi = f.subs({sp.sin(angle): 0, sp.cos(angle): -1})
        return half.free_symbols == {t} and bool(at_pi > 0) and _without_root(sp.numer(sp.together(half)))
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


def _quadratic(f: sp.Expr, strictly: bool) -> bool:
    """Return whether a polynomial of degree two with numbers as coefficients is positive, or never negative."""
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
