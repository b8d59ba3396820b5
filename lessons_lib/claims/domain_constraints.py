"""The domain of definition: divisors that are not zero, and what stands under roots, in logarithms and arcs.

A term carries the needs of all that it was made of, so that one which SymPy cancels is not lost: x/x is 1 where x ≠ 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixElement

from lessons_lib.claims.real_values import is_real
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.stumpff_functions import stumpff

NONZERO, NOT_NEGATIVE, POSITIVE, OFF_CUT = "≠ 0", "≥ 0", "> 0", "off the cut"


@dataclass(frozen=True)
class Need:
    """What has to hold where a value is defined.

    Attributes:
        kind: NONZERO, NOT_NEGATIVE, POSITIVE, or OFF_CUT: an angle that is differentiated jumps where this is negative.
        of: The expression that it is said of; of OFF_CUT, the tuple (y, x) of atan2.
        latex: How it prints where it was written; empty where it was read off a value.
        inside: Entries of the value in which it arose, where no reader sees the operation; empty where one does.
    """

    kind: str
    of: sp.Basic
    latex: str = ""
    inside: tuple[sp.Expr, ...] = ()


Needs = frozenset[Need]


@lru_cache(maxsize=1024)
def of_entries(entries: tuple[sp.Expr, ...]) -> Needs:
    """Return what some expressions need, as they stand.

    Raises:
        ClaimError: One contains an operation whose domain is not known here.
    """
    found, known, waiting = set(), set(), list(entries)
    while waiting:
        e = waiting.pop()
        if e.args and e not in known:
            known.add(e)
            waiting += e.args
            if not (e.is_Add or e.is_Mul):
                found |= {own for own in _own(e) if own.of.free_symbols or own.of.is_zero}
    return frozenset(found)


def _own(e: sp.Basic) -> list[Need]:
    """Return what the outermost operation of an expression needs."""
    if e.is_Pow:
        return of_power(e.base, e.exp) if e.base != sp.E else []
    if type(e) in _EVERYWHERE and not e.args[0].is_Matrix:
        return []
    if isinstance(e, sp.Function) and any(part.is_Matrix for part in e.args):
        raise ClaimError(f"{type(e).__name__} needs numbers, got {e}")
    if isinstance(e, sp.Derivative):
        done = e.doit()
        return [*of_derivative(e.expr, sp.Tuple(*e.variables)), *(of_entries((done,)) if done != e else ())]
    if isinstance(e, sp.Subs) and not any(own.of.has(*e.variables) for own in of_entries((e.expr,))):
        return []  # the chain rule writes these for functions that are not known
    if isinstance(e, sp.binomial | sp.factorial | sp.gamma):
        return _of_factorials(e)
    if isinstance(e, _OF_REALS) and not isinstance(e, sp.Eq | sp.Ne):
        for part in e.args:
            if not is_real(part):
                raise ClaimError(f"{type(e).__name__} needs real arguments; {part} may be complex")
        return [Need(NONZERO, e.args[0] ** 2 + e.args[1] ** 2)] if isinstance(e, sp.atan2) else []
    if isinstance(e, sp.Piecewise):
        if e.args[-1].cond != sp.true:
            raise ClaimError(f"{e} has no value where none of its conditions holds; its last condition has to be True")
        return []
    if len(e.args) == 1 and isinstance(e, sp.Function) and type(e) in _DOMAINS:
        on_reals, elsewhere = _DOMAINS[type(e)]
        needs: list[Need] = (on_reals if is_real(e.args[0]) else elsewhere)(e.args[0])
        return needs
    if isinstance(e, AppliedUndef) and (e.is_nonnegative, e.is_nonpositive, e.is_integer) != (None, None, None):
        raise ClaimError(f"function {e.func} is assumed to have a sign or whole values; valid is real, which prints")
    if isinstance(e, _EVERYWHERE):
        return []
    name = type(e).__name__
    raise ClaimError(f"the domain of {name} is not known to the prover, got {e}; {_INSTEAD.get(name, _KNOWN)}")


def _nowhere_zero(*functions: Any) -> Any:
    return lambda x: [Need(NONZERO, f(x)) for f in functions]


_DOMAINS: dict[Any, tuple[Any, Any]] = {
    sp.log: (lambda x: [Need(POSITIVE, x)], _nowhere_zero(lambda x: x)),
    sp.acos: (lambda x: [Need(NOT_NEGATIVE, 1 - x**2, _within_one(x))], _nowhere_zero()),
    sp.asin: (lambda x: [Need(NOT_NEGATIVE, 1 - x**2, _within_one(x))], _nowhere_zero()),
    sp.asec: (lambda x: [Need(NOT_NEGATIVE, x**2 - 1, _beyond_one(x))], _nowhere_zero(lambda x: x)),
    sp.acsc: (lambda x: [Need(NOT_NEGATIVE, x**2 - 1, _beyond_one(x))], _nowhere_zero(lambda x: x)),
    sp.atan: (_nowhere_zero(), _nowhere_zero(lambda x: 1 + x**2)),
    sp.acot: (_nowhere_zero(), _nowhere_zero(lambda x: 1 + x**2)),
    sp.acosh: (lambda x: [Need(NOT_NEGATIVE, x - 1)], _nowhere_zero()),
    sp.atanh: (lambda x: [Need(POSITIVE, 1 - x**2)], _nowhere_zero(lambda x: 1 - x**2)),
    sp.tan: (_nowhere_zero(sp.cos),) * 2,
    sp.sec: (_nowhere_zero(sp.cos),) * 2,
    sp.cot: (_nowhere_zero(sp.sin),) * 2,
    sp.csc: (_nowhere_zero(sp.sin),) * 2,
    sp.tanh: (_nowhere_zero(), _nowhere_zero(sp.cosh)),
    sp.sech: (_nowhere_zero(), _nowhere_zero(sp.cosh)),
    sp.coth: (_nowhere_zero(lambda x: x), _nowhere_zero(sp.sinh)),
    sp.csch: (_nowhere_zero(lambda x: x), _nowhere_zero(sp.sinh)),
    sp.arg: (_nowhere_zero(lambda x: x),) * 2,
}
"""What functions of one argument need: where that is real, which an author then means, and where it may be complex."""

_EVERYWHERE = (
    *(sp.sin, sp.cos, sp.sinh, sp.cosh, sp.asinh, sp.exp, sp.sign, sp.Abs, sp.re, sp.im, sp.conjugate, sp.Eq, sp.Ne),
    *(stumpff, AppliedUndef, Boolean, ExprCondPair, sp.Tuple, sp.MatrixExpr, MatrixElement, sp.Symbol),
)
"""What has a value wherever its arguments have one."""

_OF_REALS = (sp.Max, sp.Min, sp.floor, sp.ceiling, sp.atan2, Relational)
"""What has a value for real arguments alone."""

_KNOWN = "valid are elementary functions, max, min, floor, factorials and gamma"
_INSTEAD = {
    "Integral": "write `integral` of the vocabulary, which finds where it is defined",
    "Limit": "write `limit` of the vocabulary",
    "Subs": "write `substitute` of the vocabulary",
    "Sum": "write `total` of `sums`, over a range of numbers",
    "Product": "write `product` of `sums`, over a range of numbers",
}


def _of_factorials(e: sp.Expr) -> list[Need]:
    """Return where a factorial, Γ or a binomial coefficient has no pole."""
    if isinstance(e, sp.binomial):
        n, k = e.args
        if n.is_integer and k.is_integer:
            return [Need(NOT_NEGATIVE, n)]
        if is_real(n) and k.is_integer and k.is_nonnegative:
            return []
        raise ClaimError(f"{e} needs whole numbers, or a real one above a whole one that is not negative")
    x = e.args[0] + 1 if isinstance(e, sp.factorial) else e.args[0]
    if not is_real(x):
        raise ClaimError(f"{e} needs a real argument; {x} may be complex")
    if x.is_integer:
        return [Need(NOT_NEGATIVE, sp.expand(x - 1))]
    poles = r"\{0, -1, -2, \dots\}" if isinstance(e, sp.gamma) else r"\{-1, -2, \dots\}"
    latex = rf"{sp.latex(e.args[0])} \notin {poles}"
    return [Need(OFF_CUT, sp.Tuple(sp.sin(sp.pi * x), x), latex)]


def of_power(base: sp.Expr, power: sp.Expr) -> list[Need]:
    """Return what base^power needs; a power that is no number may be any that its assumptions allow.

    A root of what may be complex is the principal one, which is defined for every number.
    """
    if power.is_integer and not power.is_Rational:
        return [] if power.is_nonnegative else [Need(NONZERO, base)]
    if power.is_Integer or not is_real(base):
        return [] if power.is_nonnegative else [Need(NONZERO, base)]
    if power.is_Rational:
        return [Need(NOT_NEGATIVE, base), *([Need(NONZERO, base)] if power.is_negative else [])]
    return [Need(NOT_NEGATIVE if power.is_positive else POSITIVE, base)]


def _within_one(x: sp.Expr) -> str:
    return rf"\left|{sp.latex(x)}\right| \le 1"


def _beyond_one(x: sp.Expr) -> str:
    return rf"\left|{sp.latex(x)}\right| \ge 1"


def entries(value: Any) -> tuple[sp.Expr, ...]:
    """Return the entries of a matrix, or the expression alone."""
    return tuple(value) if isinstance(value, sp.MatrixBase) else (sp.sympify(value),)


def of_value(value: Any) -> Needs:
    """Return what a value needs where a reader sees it."""
    return of_entries(entries(value))


def hidden(value: Any, known: Needs = frozenset()) -> Needs:
    """Return what has arisen in a value out of a reader's sight, beside what its parts needed."""
    held, inside = {(need.kind, need.of) for need in known}, entries(value)
    return known | {replace(n, inside=inside) for n in of_value(value) if (n.kind, n.of) not in held}


def seen(needs: Needs, value: Any) -> Needs:
    """Return needs after a value is shown to the reader: what has arisen in it is out of sight no more."""
    inside = entries(value)
    return frozenset(replace(need, inside=()) if need.inside == inside else need for need in needs)


def divided_by(x: sp.Expr, latex: str) -> Needs:
    """Return what a division by x needs; `latex` is how the divisor prints."""
    return frozenset([Need(NONZERO, x, rf"{latex} \ne 0")])


def of_derivative(value: Any, by: Any) -> Needs:
    """Return what a derivative needs beside its value: an angle does not jump, nothing has a kink or a step.

    Raises:
        ClaimError: It is taken by a whole number, or of what has no complex derivative by what may be complex.
    """
    letters = frozenset[sp.Symbol]().union(*(e.free_symbols for e in entries(by)))
    whole = sorted(str(s) for s in letters if s.is_integer)
    if whole:
        raise ClaimError(f"a derivative is taken by a real letter; {whole[0]} is a whole number")
    found = set[Need]()
    for a in {a for e in entries(value) for a in e.atoms(*_UNSMOOTH) if a.free_symbols & letters}:
        if any(not s.is_real for s in a.free_symbols & letters) and not isinstance(a, sp.Piecewise):
            raise ClaimError(f"{a} has no derivative by a letter that may be complex")
        found |= _smooth(a)
    return frozenset(found)


_UNSMOOTH = (
    *(sp.atan2, sp.Abs, sp.sign, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.Piecewise, sp.re, sp.im, sp.conjugate),
    sp.arg,
)


def _smooth(a: sp.Expr) -> set[Need]:
    """Return where a function that is not smooth everywhere has a derivative."""
    if isinstance(a, sp.atan2):
        return {Need(OFF_CUT, sp.Tuple(*a.args))}
    if isinstance(a, sp.Abs | sp.sign):
        return {Need(NONZERO, a.args[0])}
    if isinstance(a, sp.Max | sp.Min):
        return {Need(NONZERO, first - second) for first, second in combinations(a.args, 2)}
    if isinstance(a, sp.floor | sp.ceiling):
        return {Need(NONZERO, sp.sin(sp.pi * a.args[0]))}
    if isinstance(a, sp.Piecewise):
        return {Need(NONZERO, one.lhs - one.rhs) for one in a.atoms(Relational)}
    return set()


def substituted(needs: Needs, letter: sp.Expr, value: sp.Expr) -> Needs:
    """Return needs after a letter was given a value."""
    now = (replace(n, of=n.of.subs(letter, value).doit(), latex="", inside=()) for n in needs if n.of.has(letter))
    return frozenset(n for n in needs if not n.of.has(letter)) | frozenset(n for n in now if not _always(n))


def _always(need: Need) -> bool:
    """Return whether a need without letters holds; one that does not is kept, and the claim refused."""
    if need.of.free_symbols or need.kind == OFF_CUT:
        return False
    return bool({NONZERO: need.of != 0, NOT_NEGATIVE: need.of >= 0, POSITIVE: need.of > 0}[need.kind])


def between_ends(need: Need, letter: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> Needs | None:
    """Return what makes a need hold for a letter from one value to another; None if that is not known.

    What is linear in the letter has one sign in between if it has it at both ends.
    """
    if need.kind == OFF_CUT or not need.of.is_polynomial(letter):
        return None
    parts = sp.factor_list(need.of, letter)[1]
    if any(sp.degree(base, letter) > 1 for base, _ in parts) or need.kind != NONZERO and need.of.diff(letter, 2) != 0:
        return None
    bases = [base for base, _ in parts] if need.kind == NONZERO else [need.of]
    ends = [[base.subs(letter, end) for end in (lower, upper)] for base in bases]
    if need.kind == NONZERO:
        return frozenset(Need(POSITIVE, low * high) for low, high in ends if low * high != 1)
    return frozenset(Need(need.kind, end) for pair in ends for end in pair)


def in_the_limit(needs: Needs, letter: sp.Symbol, value: sp.Expr) -> Needs:
    """Return what is needed so that a limit exists from above: no divisor that vanishes on the way, or at its end.

    Of a divisor that is zero at the end, the first coefficient that is not identically zero counts.
    """
    kept = {n for n in needs if not n.of.has(letter)}
    small = sp.Dummy("small", positive=True)
    for n in needs - kept:
        end = n.of.subs(letter, value).doit()
        if n.kind == NONZERO and (end == 0 or end.has(sp.nan, sp.zoo)):
            end = _leading(n.of.subs(letter, value + small), small)
        if end.free_symbols or end == 0:
            kept.add(replace(n, of=end, latex="", inside=()))
    return frozenset(kept)


def _leading(e: sp.Expr, small: sp.Symbol) -> sp.Expr:
    """Return the first coefficient in powers of a small letter."""
    return sp.sympify(e).as_leading_term(small).as_coeff_exponent(small)[0]
