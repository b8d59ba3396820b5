"""The conditions of a claim: the domain constraints of its sides and definitions, factored, reduced and named."""
# Factors that cannot vanish are dropped. A constraint of an operation that is not printed, a pivot for instance, is
# dropped as well if it is a removable singularity of the value in which it arose.

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.condition_latex import Names, relation_latex
from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE, DomainConstraint
from lessons_lib.claims.known_signs import MOST, read_signs, shift_by_bounds
from lessons_lib.claims.known_signs import follows as signs_follow
from lessons_lib.claims.proof import is_zero, substitute_signs
from lessons_lib.claims.removable_singularities import evaluate_at_random, is_removable
from lessons_lib.symbolic.stumpff_functions import closed_form, stumpff

RemovableZeros = frozenset[sp.Expr]
"""Expressions that may vanish in a denominator."""

TRIED = 8  # symbols, and terms, up to which a sum is factored


@dataclass(frozen=True)
class Condition:
    """A relation that holds wherever the claim holds, in addition to the domains of its symbols, and its LaTeX."""

    holds: sp.Basic
    latex: str


@dataclass
class _Factor:
    """A factor of some domain constraints: its kind, the values in which it arose, and its LaTeX there."""

    kind: str
    expr: sp.Expr
    hidden_in: set[tuple[sp.Expr, ...]] = field(default_factory=set)
    latex: str = ""


def derive_conditions(
    constraints: Iterable[tuple[DomainConstraint, RemovableZeros]], names: Names
) -> tuple[Condition, ...]:
    """Derive the conditions that follow from domain constraints, each with the expressions that may vanish in it."""
    # a printed quotient is not defined by a value on another side, so its own side's removable zeros count
    stated = sorted(
        set(constraints),
        key=lambda n: (n[0].kind, n[0].latex == "", sp.count_ops(n[0].expr), sp.default_sort_key(n[0].expr)),
    )
    factors: dict[tuple[str, sp.Basic], _Factor] = {}
    for constraint, removable_zeros in stated:
        angles = {f for e in removable_zeros for f in (*numerator_factors(e), canonical_sign(e))}
        for kind, f in _split_constraint(constraint, removable_zeros):
            if f in angles or signs.always_holds(DomainConstraint(kind, f)):
                continue
            f = signs.drop_weights(f) if kind == NONZERO else f
            one = factors.setdefault((kind, f), _Factor(kind, f))
            one.hidden_in.add(constraint.hidden_in)
            one.latex = one.latex or constraint.latex
    kept = [one for one in _merge(list(factors.values())) if not _is_removable(one)]
    alike: dict[str, list[sp.Basic]] = {}  # a printed name may denote matrices of several sizes
    for one in kept:
        latex = relation_latex(one.kind, one.expr, names, one.latex)
        alike.setdefault(latex, []).append(_relation(one.kind, one.expr))
    return tuple(_drop_implied([Condition(sp.And(*holds), latex) for latex, holds in alike.items()]))


def _split_constraint(constraint: DomainConstraint, removable_zeros: RemovableZeros) -> list[tuple[str, sp.Expr]]:
    """Split a domain constraint into constraints of its factors."""
    f, kind = constraint.expr, constraint.kind
    if kind == OFF_CUT:
        return [(OFF_CUT, f)]
    if kind == NOT_NEGATIVE:
        return [] if signs.never_negative(f) else [(NOT_NEGATIVE, _odd_part(f))]
    if kind == NONZERO or signs.never_negative(f):
        return [(NONZERO, factor) for factor in numerator_factors(f, removable_zeros)]
    if f.func == sp.log:
        return [(POSITIVE, f)]
    return [(POSITIVE, _odd_part(f)), *((NONZERO, factor) for factor in numerator_factors(f))]


def _odd_part(e: sp.Expr) -> sp.Expr:
    """Return the product of the factors that decide the sign of e."""
    if signs.too_long(e):
        return e
    top, below = sp.fraction(sp.together(_expand_waves(e)))
    number, parts = factor_polynomial(sp.expand(top * below))
    odd = [base for base, power in parts if power % 2]
    sign = 1 if number > 0 else -1
    for base in list(odd):
        if signs.never_negative(base) or signs.never_negative(-base):
            odd.remove(base)
            sign *= 1 if signs.never_negative(base) else -1
    return sign * sp.Mul(*odd) if odd else sp.Integer(sign)


def numerator_factors(e: sp.Expr, removable_zeros: RemovableZeros = frozenset()) -> list[sp.Expr]:
    """Return the nonconstant factors of the numerator of e in canonical form; [0] if e is zero."""
    if not e.free_symbols:
        return [sp.Integer(0)] if sp.simplify(e) == 0 else []
    if len(e.free_symbols) <= signs.MANY and (number := constant_value(e)) is not None:
        return [] if number else [sp.Integer(0)]
    if e.is_Symbol or e.func == stumpff or signs.too_long(e):
        return [e]
    if e.has(stumpff):
        return _stumpff_factors(e)
    top = sp.fraction(sp.together(_expand_waves(e)))[0]
    try:
        powers = factor_polynomial(sp.expand(top))[1]
        parts = [
            f
            for base, p in powers
            for f in ([base] if sp.sympify(p).is_Integer else numerator_factors(base, removable_zeros))
        ]
    except sp.PolynomialError:
        parts = [top]
    bare = [p.args[0] if isinstance(p, sp.Abs) or (p.is_Pow and p.exp.is_Rational) else p for p in parts]
    reduced = [canonical_sign(_reduce_to_one_wave(part)) for part in bare if part.free_symbols]
    return [_as_stumpff(part, removable_zeros) for part in reduced]


def factor_polynomial(e: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]]:
    """Return the numerical factor of a polynomial, and the other factors with their powers."""
    # SymPy tries many symbols at random points, some of which take minutes: a long sum in many symbols is divided only
    # by the symbols that all of its terms share
    if len(e.free_symbols) <= TRIED or len(sp.Add.make_args(e)) <= TRIED:
        number, parts = sp.factor_list(e)
        return number, list(parts)
    shared, rest = sp.Poly(e).terms_gcd()
    letters = [(letter, power) for letter, power in zip(rest.gens, shared, strict=True) if power]
    return sp.Integer(1), [*letters, (rest.as_expr(), 1)]


@lru_cache(maxsize=1024)
def constant_value(e: sp.Expr) -> sp.Expr | None:
    """Return the rational number that equals an expression for all values of its symbols; None if none is proven."""
    if sp.count_ops(e) < 12:
        return None
    draw, letters = random.Random(5), sorted(e.free_symbols, key=str)
    constants = {sp.nsimplify(evaluate_at_random(e, letters, draw), rational=True, tolerance=1e-20) for _ in range(2)}
    number = constants.pop()
    return number if not constants and number.is_Rational and number.q < 1000 and is_zero(e - number) else None


def canonical_sign(f: sp.Expr) -> sp.Expr:
    """Return f or −f, the same for both."""
    if signs.too_long(f):
        return f
    f = sp.expand(f)
    return -f if f.could_extract_minus_sign() else f


def _expand_waves(e: sp.Expr) -> sp.Expr:
    return sp.expand_trig(sp.expand(e)) if e.has(sp.sin, sp.cos) and sp.count_ops(e) < 400 else e


def _reduce_to_one_wave(f: sp.Expr) -> sp.Expr:
    """Return sin x for 1 − cos² x and cos x for 1 − sin² x; other expressions unchanged."""
    angles = {w.args[0] for w in f.atoms(sp.sin, sp.cos)}
    if len(angles) == 1:
        s, c = sp.sin(angle := angles.pop()), sp.cos(angle)
        for one, other in ((s, c), (c, s)):
            left = sp.factor(sp.expand(f).subs(one**2, 1 - other**2))
            powers = [p for p in sp.Mul.make_args(left) if p.free_symbols]
            if len(powers) == 1 and powers[0].is_Pow and powers[0].base in (s, c):
                return powers[0].base
    return f


def _as_stumpff(f: sp.Expr, removable_zeros: RemovableZeros) -> sp.Expr:
    """Return cₙ(θ²) for the numerator of its closed form if θ may vanish: cₙ is 1/n! there."""
    for theta in removable_zeros:
        for n in (1, 2, 3, 4, 5) if f.has(theta) else ():
            if canonical_sign(sp.fraction(sp.together(closed_form(n, theta)))[0]) == f:
                return stumpff(n, theta**2)
    return f


def _stumpff_factors(e: sp.Expr) -> list[sp.Expr]:
    """Return the factors of an expression with Stumpff functions; closed forms of c₁ and c₂ become these functions."""
    arguments = {f.args[1] for f in e.atoms(stumpff)}
    theta, x = sp.Dummy("theta", positive=True), sp.expand(next(iter(arguments)))
    factors = []
    for base, _ in sp.factor_list(e)[1] if sp.count_ops(e) < 60 else [(e, 1)]:
        squares = [s for s in x.free_symbols if sp.expand(x).coeff(s, 2).is_number]
        if base.func == stumpff or not base.has(stumpff) or len(arguments) > 1 or not squares:
            factors.append(base if base.func == stumpff else canonical_sign(base))
            continue
        square, factor = squares[0], x.coeff(squares[0], 2)
        closed = base.replace(stumpff, lambda n, _: closed_form(int(n), theta))
        closed = sp.expand(closed.subs(square**2, (theta**2 - sp.expand(x - factor * square**2)) / factor))
        top = sp.factor(sp.trigsimp(sp.fraction(sp.together(closed))[0]))
        for part, _ in sp.factor_list(top)[1]:
            if canonical_sign(part) == canonical_sign(1 - sp.cos(theta)):
                factors.append(stumpff(2, x))
            elif part == sp.sin(theta):
                factors.append(stumpff(1, x))
            elif part != theta:
                factors.append(part.subs(theta, sp.sqrt(x)))
    return factors


def _merge(factors: list[_Factor]) -> list[_Factor]:
    """Merge f ≥ 0 and f ≠ 0 into f > 0, and drop what other factors cover."""
    zeros = {one.expr: one for one in factors if one.kind == NONZERO}
    kept = []
    for one in factors:
        if one.kind == NOT_NEGATIVE:
            parts = [] if signs.too_long(one.expr) else factor_polynomial(one.expr)[1]
            if parts and all(canonical_sign(base) in zeros for base, _ in parts):
                one.kind, one.latex = POSITIVE, ""
        kept.append(one)
    covered = {
        canonical_sign(base)
        for one in kept
        if one.kind == POSITIVE and not signs.too_long(one.expr)
        for base, _ in factor_polynomial(one.expr)[1]
    }
    covered |= {canonical_sign(y**2 + x**2) for y, x in (one.expr.args for one in kept if one.kind == OFF_CUT)}
    covered |= {one.expr for one in kept if one.expr.func == stumpff and _sine_with_same_zeros(one.expr) in zeros}
    positive = {one.expr for one in kept if one.kind == POSITIVE}
    kept = [one for one in kept if one.kind != NONZERO or one.expr not in covered]
    return [one for one in kept if one.kind != NOT_NEGATIVE or one.expr not in positive]


def _sine_with_same_zeros(f: sp.Expr) -> sp.Expr:
    """Return the sine that vanishes wherever c₁(θ²) or c₂(θ²) does."""
    n = int(f.args[0])
    return canonical_sign(sp.sin(sp.sqrt(f.args[1]) / n)) if n in (1, 2) else sp.S.Zero


def _is_removable(one: _Factor) -> bool:
    """Return whether a factor is not printed and a removable singularity of every value in which it arose."""
    values = one.hidden_in
    return one.kind == NONZERO and () not in values and all(is_removable(one.expr, value) for value in values)


def _relation(kind: str, f: sp.Basic) -> sp.Basic:
    if kind == OFF_CUT:
        return sp.Or(sp.Ne(f.args[0], 0), sp.Gt(f.args[1], 0))
    return {NONZERO: sp.Ne, NOT_NEGATIVE: sp.Ge, POSITIVE: sp.Gt}[kind](f, 0)


def _drop_implied(conditions: Sequence[Condition]) -> list[Condition]:
    """Drop conditions that follow from the others: x + 1 ≥ 0 from x ≥ 1, x y > 0 from both signs."""
    kept = list(conditions)
    for one in reversed(conditions):
        if follows(one.holds, [other.holds for other in kept if other is not one]):
            kept.remove(one)
    return kept


def follows(one: sp.Basic, known: Sequence[sp.Basic]) -> bool:
    """Return whether a relation is proven to follow from others: by signs of symbols and factors, or by zeros."""
    kinds = {sp.Ne: NONZERO, sp.Ge: NOT_NEGATIVE, sp.Gt: POSITIVE, sp.Le: NOT_NEGATIVE, sp.Lt: POSITIVE}
    known = [part for other in known for part in (other.args if isinstance(other, sp.And) else (other,))]
    if isinstance(one, sp.And):
        return all(follows(part, known) for part in one.args)
    if isinstance(one, sp.Or):
        return any(follows(part, known) for part in one.args) or any(_poles_follow(one, other) for other in known)
    if type(one) not in kinds or not known:
        return False
    over = one.rhs - one.lhs if isinstance(one, sp.Le | sp.Lt) else one.lhs - one.rhs
    if isinstance(one, sp.Ne) and any(
        isinstance(r, sp.Ne)
        and _half_angle_factors(over) & _half_angle_factors(r.lhs - r.rhs) == _half_angle_factors(over)
        for r in known
    ):
        return True
    if any(
        type(r) is type(one) and sp.expand(over - r.lhs + r.rhs) * sp.expand(over + r.lhs - r.rhs) == 0 for r in known
    ):
        return isinstance(one, sp.Ne) or any(sp.expand(over - r.lhs + r.rhs) == 0 for r in known)
    shifted = shift_by_bounds(known, over.free_symbols)
    moved = sp.expand(over.xreplace(shifted)) if not signs.too_long(over) else over
    forms = [moved, substitute_signs(sp.factor(over), known)] if not signs.too_long(over) else [over]
    if any(signs.always_holds(DomainConstraint(kinds[type(one)], form)) for form in forms):
        return True
    orders, strictly = read_signs(known), not isinstance(one, sp.Ge | sp.Le)
    sides = (over, -over) if isinstance(one, sp.Ne) else (over,)
    return 0 < len(orders) <= MOST and any(signs_follow(side, orders, strictly) for side in sides)


def _poles_follow(one: sp.Or, other: sp.Basic) -> bool:
    """Return whether x + n, n = 0, 1, 2, …, is no pole of Γ because x is none."""
    places = [[part.lhs for part in whole.args if isinstance(part, sp.Gt)] for whole in (one, other)]
    if not isinstance(other, sp.Or) or any(len(place) != 1 for place in places):
        return False
    (above,), (below,) = places
    shift, off = sp.expand(above - below), [sp.Ne(sp.sin(sp.pi * x), 0) for x in (above, below)]
    return bool(shift.is_Integer and shift >= 0) and off[0] in one.args and off[1] in other.args


def _half_angle_factors(f: sp.Expr) -> frozenset[sp.Expr]:
    """Return the factors of a trigonometric polynomial in the half angle; {f} for other expressions."""
    waves = f.atoms(sp.sin, sp.cos)
    angles = {w.args[0] for w in waves}
    letters = {s for a in angles for s in a.free_symbols}
    if not waves or len(letters) != 1 or f.free_symbols != letters or signs.too_long(f):
        return frozenset([canonical_sign(f)])
    s, fine = letters.pop(), sp.Dummy("fine", real=True)
    if not all((a / s).is_Rational for a in angles):
        return frozenset([canonical_sign(f)])
    step = sp.Rational(1, 2)
    top = sp.expand_trig(sp.expand(f.xreplace({s: fine / step})))
    return frozenset(
        canonical_sign(_reduce_to_one_wave(base)).xreplace({fine: s * step})
        for base, _ in factor_polynomial(sp.expand(top))[1]
    )
