"""Domain constraints: nonzero divisors, nonnegative radicands, arguments of logarithms and arc functions."""
# A term keeps the constraints of all its operations, so that those which SymPy cancels remain: x/x is 1 where x ≠ 0.

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
class DomainConstraint:
    """A condition for a value to be defined."""

    kind: str  # NONZERO, NOT_NEGATIVE, POSITIVE, or OFF_CUT: a differentiated angle, which jumps on the negative x-axis
    expr: sp.Basic  # the constrained expression; for OFF_CUT the tuple (y, x) of atan2
    latex: str = ""  # print of the operation that causes it; empty if it was read off a value
    hidden_in: tuple[sp.Expr, ...] = ()  # entries of the value in which it arose if its operation is not printed


Constraints = frozenset[DomainConstraint]


@lru_cache(maxsize=1024)
def constraints_of_entries(entries: tuple[sp.Expr, ...]) -> Constraints:
    """Return the domain constraints of all operations in some expressions, without simplifying them."""
    constraints, known, waiting = set(), set(), list(entries)
    while waiting:
        e = waiting.pop()
        if e.args and e not in known:
            known.add(e)
            waiting += e.args
            if not (e.is_Add or e.is_Mul):
                constraints |= {n for n in _outermost_constraints(e) if n.expr.free_symbols or n.expr.is_zero}
    return frozenset(constraints)


def _outermost_constraints(e: sp.Basic) -> list[DomainConstraint]:
    """Return the domain constraints of the outermost operation of an expression."""
    if e.is_Pow:
        return power_constraints(e.base, e.exp) if e.base != sp.E else []
    if type(e) in _EVERYWHERE and not e.args[0].is_Matrix:
        return []
    if isinstance(e, sp.Function) and any(part.is_Matrix for part in e.args):
        raise ClaimError(f"{type(e).__name__} needs numbers, got {e}")
    if isinstance(e, sp.Derivative):
        done = e.doit()
        own = derivative_constraints(e.expr, sp.Tuple(*e.variables))
        return [*own, *(constraints_of_entries((done,)) if done != e else ())]
    if isinstance(e, sp.Subs) and not any(own.expr.has(*e.variables) for own in constraints_of_entries((e.expr,))):
        return []  # the chain rule writes these for functions that are not known
    if isinstance(e, sp.binomial | sp.factorial | sp.gamma):
        return _factorial_constraints(e)
    if isinstance(e, _OF_REALS) and not isinstance(e, sp.Eq | sp.Ne):
        for part in e.args:
            if not is_real(part):
                raise ClaimError(f"{type(e).__name__} needs real arguments; {part} may be complex")
        return [DomainConstraint(NONZERO, e.args[0] ** 2 + e.args[1] ** 2)] if isinstance(e, sp.atan2) else []
    if isinstance(e, sp.Piecewise):
        if e.args[-1].cond != sp.true:
            raise ClaimError(f"the last condition of a Piecewise must be True, got {e}")
        return []
    if len(e.args) == 1 and isinstance(e, sp.Function) and type(e) in _DOMAINS:
        on_reals, elsewhere = _DOMAINS[type(e)]
        return list((on_reals if is_real(e.args[0]) else elsewhere)(e.args[0]))
    if isinstance(e, AppliedUndef) and (e.is_nonnegative, e.is_nonpositive, e.is_integer) != (None, None, None):
        raise ClaimError(
            f"function {e.func} is assumed to have a sign or integer values; only the assumption real is printed"
        )
    if isinstance(e, _EVERYWHERE):
        return []
    name = type(e).__name__
    raise ClaimError(f"the domain of {name} is not known to the prover, got {e}; {_INSTEAD.get(name, _KNOWN)}")


def _require_nonzero(*functions: Any) -> Any:
    return lambda x: [DomainConstraint(NONZERO, f(x)) for f in functions]


_DOMAINS: dict[Any, tuple[Any, Any]] = {
    sp.log: (lambda x: [DomainConstraint(POSITIVE, x)], _require_nonzero(lambda x: x)),
    sp.acos: (lambda x: [DomainConstraint(NOT_NEGATIVE, 1 - x**2, _within_one(x))], _require_nonzero()),
    sp.asin: (lambda x: [DomainConstraint(NOT_NEGATIVE, 1 - x**2, _within_one(x))], _require_nonzero()),
    sp.asec: (lambda x: [DomainConstraint(NOT_NEGATIVE, x**2 - 1, _beyond_one(x))], _require_nonzero(lambda x: x)),
    sp.acsc: (lambda x: [DomainConstraint(NOT_NEGATIVE, x**2 - 1, _beyond_one(x))], _require_nonzero(lambda x: x)),
    sp.atan: (_require_nonzero(), _require_nonzero(lambda x: 1 + x**2)),
    sp.acot: (_require_nonzero(), _require_nonzero(lambda x: 1 + x**2)),
    sp.acosh: (lambda x: [DomainConstraint(NOT_NEGATIVE, x - 1)], _require_nonzero()),
    sp.atanh: (lambda x: [DomainConstraint(POSITIVE, 1 - x**2)], _require_nonzero(lambda x: 1 - x**2)),
    sp.tan: (_require_nonzero(sp.cos),) * 2,
    sp.sec: (_require_nonzero(sp.cos),) * 2,
    sp.cot: (_require_nonzero(sp.sin),) * 2,
    sp.csc: (_require_nonzero(sp.sin),) * 2,
    sp.tanh: (_require_nonzero(), _require_nonzero(sp.cosh)),
    sp.sech: (_require_nonzero(), _require_nonzero(sp.cosh)),
    sp.coth: (_require_nonzero(lambda x: x), _require_nonzero(sp.sinh)),
    sp.csch: (_require_nonzero(lambda x: x), _require_nonzero(sp.sinh)),
    sp.arg: (_require_nonzero(lambda x: x),) * 2,
}
"""Constraints of functions of one argument: the first for real arguments, the second for complex ones."""

_EVERYWHERE = (
    *(sp.sin, sp.cos, sp.sinh, sp.cosh, sp.asinh, sp.exp, sp.sign, sp.Abs, sp.re, sp.im, sp.conjugate, sp.Eq, sp.Ne),
    *(stumpff, AppliedUndef, Boolean, ExprCondPair, sp.Tuple, sp.MatrixExpr, MatrixElement, sp.Symbol),
)
"""Operations that are defined wherever their arguments are."""

_OF_REALS = (sp.Max, sp.Min, sp.floor, sp.ceiling, sp.atan2, Relational)
"""Operations that are defined for real arguments only."""

_KNOWN = "use elementary functions, max, min, floor, factorials and gamma"
_INSTEAD = {
    "Integral": "use `notation.integral`, which derives its domain",
    "Limit": "use `notation.limit`",
    "Subs": "use `notation.substitute`",
    "Sum": "use `sums.total`, over a range of integers",
    "Product": "use `sums.product`, over a range of integers",
}


def _factorial_constraints(e: sp.Expr) -> list[DomainConstraint]:
    """Return the constraints that keep a factorial, Γ or a binomial coefficient away from its poles."""
    if isinstance(e, sp.binomial):
        n, k = e.args
        if n.is_integer and k.is_integer:
            return [DomainConstraint(NOT_NEGATIVE, n)]
        if is_real(n) and k.is_integer and k.is_nonnegative:
            return []
        raise ClaimError(f"{e} needs integers, or a real number over a nonnegative integer")
    x = e.args[0] + 1 if isinstance(e, sp.factorial) else e.args[0]
    if not is_real(x):
        raise ClaimError(f"{e} needs a real argument; {x} may be complex")
    if x.is_integer:
        return [DomainConstraint(NOT_NEGATIVE, sp.expand(x - 1))]
    poles = r"\{0, -1, -2, \dots\}" if isinstance(e, sp.gamma) else r"\{-1, -2, \dots\}"
    latex = rf"{sp.latex(e.args[0])} \notin {poles}"
    return [DomainConstraint(OFF_CUT, sp.Tuple(sp.sin(sp.pi * x), x), latex)]


def power_constraints(base: sp.Expr, power: sp.Expr) -> list[DomainConstraint]:
    """Return the constraints of base^power; a complex base means the principal value, which is defined everywhere."""
    if power.is_integer or not is_real(base):
        return [] if power.is_nonnegative else [DomainConstraint(NONZERO, base)]
    if power.is_Rational:
        return [DomainConstraint(NOT_NEGATIVE, base), *([DomainConstraint(NONZERO, base)] if power.is_negative else [])]
    return [DomainConstraint(NOT_NEGATIVE if power.is_positive else POSITIVE, base)]


def _within_one(x: sp.Expr) -> str:
    return rf"\left|{sp.latex(x)}\right| \le 1"


def _beyond_one(x: sp.Expr) -> str:
    return rf"\left|{sp.latex(x)}\right| \ge 1"


def entries(value: Any) -> tuple[sp.Expr, ...]:
    return tuple(value) if isinstance(value, sp.MatrixBase) else (sp.sympify(value),)


def constraints_of(value: Any) -> Constraints:
    """Return the domain constraints of a value whose operations are printed."""
    return constraints_of_entries(entries(value))


def add_implicit(value: Any, known: Constraints = frozenset()) -> Constraints:
    """Add the constraints of a value that its parts do not have, marked as arising in an unprinted operation."""
    known_pairs, inside = {(n.kind, n.expr) for n in known}, entries(value)
    return known | {replace(n, hidden_in=inside) for n in constraints_of(value) if (n.kind, n.expr) not in known_pairs}


def make_explicit(constraints: Constraints, value: Any) -> Constraints:
    """Mark the constraints that arose in a value as printed."""
    inside = entries(value)
    return frozenset(replace(n, hidden_in=()) if n.hidden_in == inside else n for n in constraints)


def divisor_constraint(x: sp.Expr, latex: str) -> Constraints:
    return frozenset([DomainConstraint(NONZERO, x, rf"{latex} \ne 0")])


def derivative_constraints(value: Any, by: Any) -> Constraints:
    """Return the constraints that a derivative adds: no jump of an angle, no kink and no step."""
    letters = frozenset[sp.Symbol]().union(*(e.free_symbols for e in entries(by)))
    whole = sorted(str(s) for s in letters if s.is_integer)
    if whole:
        raise ClaimError(f"a derivative must be by a real symbol; {whole[0]} is an integer")
    constraints = set[DomainConstraint]()
    for a in {a for e in entries(value) for a in e.atoms(*_UNSMOOTH) if a.free_symbols & letters}:
        if any(not s.is_real for s in a.free_symbols & letters) and not isinstance(a, sp.Piecewise):
            raise ClaimError(f"{a} has no derivative by a symbol that may be complex")
        constraints |= _smoothness_constraints(a)
    return frozenset(constraints)


_UNSMOOTH = (
    *(sp.atan2, sp.Abs, sp.sign, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.Piecewise, sp.re, sp.im, sp.conjugate),
    sp.arg,
)


def _smoothness_constraints(a: sp.Expr) -> set[DomainConstraint]:
    """Return the constraints under which a nonsmooth function is differentiable."""
    if isinstance(a, sp.atan2):
        return {DomainConstraint(OFF_CUT, sp.Tuple(*a.args))}
    if isinstance(a, sp.Abs | sp.sign):
        return {DomainConstraint(NONZERO, a.args[0])}
    if isinstance(a, sp.Max | sp.Min):
        return {DomainConstraint(NONZERO, first - second) for first, second in combinations(a.args, 2)}
    if isinstance(a, sp.floor | sp.ceiling):
        return {DomainConstraint(NONZERO, sp.sin(sp.pi * a.args[0]))}
    if isinstance(a, sp.Piecewise):
        return {DomainConstraint(NONZERO, one.lhs - one.rhs) for one in a.atoms(Relational)}
    return set()


def substitute_letter(constraints: Constraints, letter: sp.Expr, value: sp.Expr) -> Constraints:
    """Substitute a value for a symbol in constraints; drop those that then always hold."""
    affected = {n for n in constraints if n.expr.has(letter)}
    now = (replace(n, expr=n.expr.subs(letter, value).doit(), latex="", hidden_in=()) for n in affected)
    return (constraints - affected).union(n for n in now if not _always_holds(n))


def _always_holds(constraint: DomainConstraint) -> bool:
    """Return whether a constraint without symbols holds; a violated one is kept, so that the claim is refused."""
    f, kind = constraint.expr, constraint.kind
    if f.free_symbols or kind == OFF_CUT:
        return False
    return bool({NONZERO: f != 0, NOT_NEGATIVE: f >= 0, POSITIVE: f > 0}[kind])


def constraints_between(
    constraint: DomainConstraint, letter: sp.Symbol, lower: sp.Expr, upper: sp.Expr
) -> Constraints | None:
    """Return constraints under which one holds for all values of a symbol between two ends; None if unknown."""
    f, kind = constraint.expr, constraint.kind
    if kind == OFF_CUT or not f.is_polynomial(letter):
        return None
    parts = sp.factor_list(f, letter)[1]
    if any(sp.degree(base, letter) > 1 for base, _ in parts) or kind != NONZERO and f.diff(letter, 2) != 0:
        return None
    bases = [base for base, _ in parts] if kind == NONZERO else [f]
    # a linear expression has one sign between two ends if it has that sign at both
    ends = [[base.subs(letter, end) for end in (lower, upper)] for base in bases]
    if kind == NONZERO:
        return frozenset(DomainConstraint(POSITIVE, low * high) for low, high in ends if low * high != 1)
    return frozenset(DomainConstraint(kind, end) for pair in ends for end in pair)


def limit_constraints(constraints: Constraints, letter: sp.Symbol, value: sp.Expr) -> Constraints:
    """Return the constraints under which a one-sided limit exists: no divisor vanishes on the way or at its end."""
    kept = {n for n in constraints if not n.expr.has(letter)}
    small = sp.Dummy("small", positive=True)
    for n in constraints - kept:
        end = n.expr.subs(letter, value).doit()
        if n.kind == NONZERO and (end == 0 or end.has(sp.nan, sp.zoo)):
            end = _leading_coefficient(n.expr.subs(letter, value + small), small)
        if end.free_symbols or end == 0:
            kept.add(replace(n, expr=end, latex="", hidden_in=()))
    return frozenset(kept)


def _leading_coefficient(e: sp.Expr, small: sp.Symbol) -> sp.Expr:
    """Return the first coefficient in powers of a small symbol."""
    return sp.sympify(e).as_leading_term(small).as_coeff_exponent(small)[0]
