"""The conditions of a claim: what its sides and definitions need, beside what its letters allow, factored and named.

A need is split into factors; what a factor cannot do is dropped (`signs`). What has arisen where no reader sees it, a
pivot for instance, is a condition only if something happens there: beside a removable singularity the value that it
arose in tends to one value from all sides, and the singularity is not printed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.bounds import beside
from lessons_lib.claims.condition_latex import Names, relation_latex
from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE, Need
from lessons_lib.claims.known_signs import MOST, known_signs
from lessons_lib.claims.known_signs import follows as signs_follow
from lessons_lib.claims.proof import is_zero, with_signs
from lessons_lib.claims.removable_singularities import at_numbers, removable
from lessons_lib.symbolic.stumpff_functions import closed_form, stumpff

Excused = frozenset[sp.Expr]
"""What may vanish though it stands in a denominator."""

TRIED = 8
"""Letters, and terms, up to which a sum is factored."""


@dataclass(frozen=True)
class Condition:
    """What has to hold, beside the domains of the letters, where a claim does.

    Attributes:
        holds: SymPy relation.
        latex: How it prints.
    """

    holds: sp.Basic
    latex: str


@dataclass
class _Factor:
    """A factor of some needs: of what kind, where it arose, and how it printed there."""

    kind: str
    of: sp.Expr
    inside: set[tuple[sp.Expr, ...]] = field(default_factory=set)
    latex: str = ""


def conditions_of(needs: Iterable[tuple[Need, Excused]], names: Names) -> tuple[Condition, ...]:
    """Return the conditions that some needs come to.

    Args:
        needs: Of all sides and definitions, each with what may vanish: for a quotient that a side writes, in that side,
            for it is not defined because another side has a value there.
        names: How a reader calls what may vanish.
    """
    given = sorted(
        set(needs), key=lambda n: (n[0].kind, n[0].latex == "", sp.count_ops(n[0].of), sp.default_sort_key(n[0].of))
    )
    found: dict[tuple[str, sp.Basic], _Factor] = {}
    for need, excused in given:
        angles = {b for e in excused for b in factors(e)} | {canonical(e) for e in excused}
        for kind, f in _parts(need, excused):
            if f in angles or signs.implied(Need(kind, f)):
                continue
            f = signs.unweighted(f) if kind == NONZERO else f
            one = found.setdefault((kind, f), _Factor(kind, f))
            one.inside.add(need.inside)
            one.latex = one.latex or need.latex
    kept = [one for one in _merged(list(found.values())) if not _idle(one)]
    said = [Condition(_relation(one.kind, one.of), relation_latex(one.kind, one.of, names, one.latex)) for one in kept]
    alike: dict[str, list[sp.Basic]] = {}  # a letter may stand for matrices of several sizes
    for condition in said:
        alike.setdefault(condition.latex, []).append(condition.holds)
    return tuple(_without_followers([Condition(sp.And(*holds), latex) for latex, holds in alike.items()]))


def _parts(need: Need, excused: Excused) -> list[tuple[str, sp.Expr]]:
    """Return the factors of a need, each with what it must not do."""
    if need.kind == OFF_CUT:
        return [(OFF_CUT, need.of)]
    if need.kind == NONZERO:
        return [(NONZERO, f) for f in factors(need.of, excused)]
    if signs.never_negative(need.of):
        return [(NONZERO, f) for f in factors(need.of, excused)] if need.kind == POSITIVE else []
    if need.kind == POSITIVE and need.of.func == sp.log:
        return [(POSITIVE, need.of)]
    odd = _odd_part(need.of)
    return (
        [(need.kind, odd)]
        if need.kind == NOT_NEGATIVE
        else [(POSITIVE, odd), *((NONZERO, f) for f in factors(need.of))]
    )


def _odd_part(e: sp.Expr) -> sp.Expr:
    """Return the product of the factors on which the sign of e depends."""
    if signs.too_long(e):
        return e
    top, below = sp.fraction(sp.together(_expanded(e)))
    number, parts = factored(sp.expand(top * below))
    odd = [base for base, power in parts if power % 2]
    sign = 1 if number > 0 else -1
    for base in list(odd):
        if signs.never_negative(base) or signs.never_negative(-base):
            odd.remove(base)
            sign *= 1 if signs.never_negative(base) else -1
    return sign * sp.Mul(*odd) if odd else sp.Integer(sign)


def factors(e: sp.Expr, excused: Excused = frozenset()) -> list[sp.Expr]:
    """Return the factors of the numerator of e that have letters, each in one form; zero alone where e is zero."""
    if not e.free_symbols:
        return [sp.Integer(0)] if sp.simplify(e) == 0 else []
    if len(e.free_symbols) <= signs.MANY and (number := constant(e)) is not None:
        return [] if number else [sp.Integer(0)]
    if e.is_Symbol or e.func == stumpff or signs.too_long(e):
        return [e]
    if e.has(stumpff):
        return _of_stumpffs(e)
    top = sp.fraction(sp.together(_expanded(e)))[0]
    try:
        powers = factored(sp.expand(top))[1]
        parts = [f for base, p in powers for f in ([base] if sp.sympify(p).is_Integer else factors(base, excused))]
    except sp.PolynomialError:
        parts = [top]
    bare = [p.args[0] if isinstance(p, sp.Abs) or (p.is_Pow and p.exp.is_Rational) else p for p in parts]
    return [_named_stumpff(canonical(_one_wave(part)), excused) for part in bare if part.free_symbols]


def factored(e: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]]:
    """Return the factors of a polynomial: its number, and each other one with its power.

    SymPy draws the points at which it tries many letters, and some points take minutes where others take a moment. So a
    sum in many letters is taken apart by the letters that all of its terms share alone.
    """
    if len(e.free_symbols) <= TRIED or len(sp.Add.make_args(e)) <= TRIED:
        number, parts = sp.factor_list(e)
        return number, list(parts)
    shared, rest = sp.Poly(e).terms_gcd()
    letters = [(letter, power) for letter, power in zip(rest.gens, shared, strict=True) if power]
    return sp.Integer(1), [*letters, (rest.as_expr(), 1)]


@lru_cache(maxsize=1024)
def constant(e: sp.Expr) -> sp.Expr | None:
    """Return the number that an expression is for all values of its letters; None where it is none, or not proven."""
    if sp.count_ops(e) < 12:
        return None
    draw, letters = random.Random(5), sorted(e.free_symbols, key=str)
    seen = {sp.nsimplify(at_numbers(e, letters, draw), rational=True, tolerance=1e-20) for _ in range(2)}
    number = seen.pop()
    return number if not seen and number.is_Rational and number.q < 1000 and is_zero(e - number) else None


def canonical(f: sp.Expr) -> sp.Expr:
    """Return f or −f, whichever of them stands for both."""
    if signs.too_long(f):
        return f
    f = sp.expand(f)
    return -f if f.could_extract_minus_sign() else f


def _expanded(e: sp.Expr) -> sp.Expr:
    return sp.expand_trig(sp.expand(e)) if e.has(sp.sin, sp.cos) and sp.count_ops(e) < 400 else e


def _one_wave(f: sp.Expr) -> sp.Expr:
    """Return −sin x for cos² x − 1 and the like."""
    angles = {w.args[0] for w in f.atoms(sp.sin, sp.cos)}
    if len(angles) == 1:
        s, c = sp.sin(angle := angles.pop()), sp.cos(angle)
        for one, other in ((s, c), (c, s)):
            left = sp.factor(sp.expand(f).subs(one**2, 1 - other**2))
            powers = [p for p in sp.Mul.make_args(left) if p.free_symbols]
            if len(powers) == 1 and powers[0].is_Pow and powers[0].base in (s, c):
                return powers[0].base
    return f


def _named_stumpff(f: sp.Expr, excused: Excused) -> sp.Expr:
    """Return cₙ(θ²) for the numerator of its closed form in an excused θ: where θ is 0, it is 1/n!."""
    for theta in excused:
        for n in (1, 2, 3, 4, 5) if f.has(theta) else ():
            if canonical(sp.fraction(sp.together(closed_form(n, theta)))[0]) == f:
                return stumpff(n, theta**2)
    return f


def _of_stumpffs(e: sp.Expr) -> list[sp.Expr]:
    """Return the factors of what holds Stumpff functions: c₁ and c₂ by their names, from the closed forms."""
    arguments = {f.args[1] for f in e.atoms(stumpff)}
    theta, x = sp.Dummy("theta", positive=True), sp.expand(next(iter(arguments)))
    found = []
    for base, _ in sp.factor_list(e)[1] if sp.count_ops(e) < 60 else [(e, 1)]:
        squares = [s for s in x.free_symbols if sp.expand(x).coeff(s, 2).is_number]
        if base.func == stumpff or not base.has(stumpff) or len(arguments) > 1 or not squares:
            found.append(base if base.func == stumpff else canonical(base))
            continue
        square, factor = squares[0], x.coeff(squares[0], 2)
        closed = base.replace(stumpff, lambda n, _: closed_form(int(n), theta))
        closed = sp.expand(closed.subs(square**2, (theta**2 - sp.expand(x - factor * square**2)) / factor))
        top = sp.factor(sp.trigsimp(sp.fraction(sp.together(closed))[0]))
        for part, _ in sp.factor_list(top)[1]:
            if canonical(part) == canonical(1 - sp.cos(theta)):
                found.append(stumpff(2, x))
            elif part == sp.sin(theta):
                found.append(stumpff(1, x))
            elif part != theta:
                found.append(part.subs(theta, sp.sqrt(x)))
    return found


def _merged(found: list[_Factor]) -> list[_Factor]:
    """Return the factors with f ≥ 0 and f ≠ 0 made f > 0."""
    zeros = {one.of: one for one in found if one.kind == NONZERO}
    kept = []
    for one in found:
        if one.kind == NOT_NEGATIVE:
            parts = [canonical(base) for base, _ in factored(one.of)[1]] if not signs.too_long(one.of) else []
            met = [part for part in parts if part in zeros]
            if met and len(met) == len(parts):
                one.kind, one.latex = POSITIVE, ""
        kept.append(one)
    covered = {
        canonical(base)
        for one in kept
        if one.kind == POSITIVE and not signs.too_long(one.of)
        for base, _ in factored(one.of)[1]
    }
    covered |= {canonical(y**2 + x**2) for y, x in (one.of.args for one in kept if one.kind == OFF_CUT)}
    covered |= {one.of for one in kept if one.of.func == stumpff and _turn(one.of) in zeros}
    positive = {one.of for one in kept if one.kind == POSITIVE}
    kept = [one for one in kept if one.kind != NONZERO or one.of not in covered]
    return [one for one in kept if one.kind != NOT_NEGATIVE or one.of not in positive]


def _turn(f: sp.Expr) -> sp.Expr:
    """Return the sine that is zero wherever c₁(θ²) or c₂(θ²) is."""
    n = int(f.args[0])
    return canonical(sp.sin(sp.sqrt(f.args[1]) / n)) if n in (1, 2) else sp.S.Zero


def _idle(one: _Factor) -> bool:
    """Return whether nothing happens where a factor vanishes: no reader sees it, and every value stays as it was."""
    return one.kind == NONZERO and () not in one.inside and all(removable(one.of, value) for value in one.inside)


def _relation(kind: str, f: sp.Basic) -> sp.Basic:
    if kind == OFF_CUT:
        return sp.Or(sp.Ne(f.args[0], 0), sp.Gt(f.args[1], 0))
    return {NONZERO: sp.Ne, NOT_NEGATIVE: sp.Ge, POSITIVE: sp.Gt}[kind](f, 0)


def _without_followers(said: Sequence[Condition]) -> list[Condition]:
    """Return conditions without those that follow from the others: x + 1 ≥ 0 from x ≥ 1, x y > 0 from both signs."""
    kept = list(said)
    for one in reversed(said):
        if follows(one.holds, [other.holds for other in kept if other is not one]):
            kept.remove(one)
    return kept


def follows(one: sp.Basic, known: Sequence[sp.Basic]) -> bool:
    """Return whether a relation is proven to follow from others: by the signs of letters and factors, or by zeros."""
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
        isinstance(r, sp.Ne) and _fine(over) & _fine(r.lhs - r.rhs) == _fine(over) for r in known
    ):
        return True
    if any(
        type(r) is type(one) and sp.expand(over - r.lhs + r.rhs) * sp.expand(over + r.lhs - r.rhs) == 0 for r in known
    ):
        return isinstance(one, sp.Ne) or any(sp.expand(over - r.lhs + r.rhs) == 0 for r in known)
    shifted = beside(known, over.free_symbols)
    moved = sp.expand(over.xreplace(shifted)) if not signs.too_long(over) else over
    forms = [moved, with_signs(sp.factor(over), known)] if not signs.too_long(over) else [over]
    if any(signs.implied(Need(kinds[type(one)], form)) for form in forms):
        return True
    orders, strictly = known_signs(known), not isinstance(one, sp.Ge | sp.Le)
    sides = (over, -over) if isinstance(one, sp.Ne) else (over,)
    return 0 < len(orders) <= MOST and any(signs_follow(side, orders, strictly) for side in sides)


def _poles_follow(one: sp.Or, other: sp.Basic) -> bool:
    """Return whether x + n is no pole of Γ, for n = 0, 1, 2, …, where x is none."""
    places = [[part.lhs for part in whole.args if isinstance(part, sp.Gt)] for whole in (one, other)]
    if not isinstance(other, sp.Or) or any(len(place) != 1 for place in places):
        return False
    (above,), (below,) = places
    shift, off = sp.expand(above - below), [sp.Ne(sp.sin(sp.pi * x), 0) for x in (above, below)]
    return bool(shift.is_Integer and shift >= 0) and off[0] in one.args and off[1] in other.args


def _fine(f: sp.Expr) -> frozenset[sp.Expr]:
    """Return the factors of sines and cosines, written in half of their smallest angle; f itself for anything else."""
    waves = f.atoms(sp.sin, sp.cos)
    angles = {w.args[0] for w in waves}
    letters = {s for a in angles for s in a.free_symbols}
    if not waves or len(letters) != 1 or f.free_symbols != letters or signs.too_long(f):
        return frozenset([canonical(f)])
    s, fine = letters.pop(), sp.Dummy("fine", real=True)
    if not all((a / s).is_Rational for a in angles):
        return frozenset([canonical(f)])
    step = sp.Rational(1, 2)
    top = sp.expand_trig(sp.expand(f.xreplace({s: fine / step})))
    return frozenset(canonical(_one_wave(base)).xreplace({fine: s * step}) for base, _ in factored(sp.expand(top))[1])
