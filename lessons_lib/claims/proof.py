"""Decide whether two sides are equal, or ordered, for all values of their symbols."""
# Sines, cosines and Stumpff functions become polynomial generators with sin² + cos² = 1 and θ² = x; the difference of
# the sides must reduce to zero modulo these relations. An inequality is proven if right − left factors into terms whose
# signs follow from the assumptions on the symbols.

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import sympy as sp
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from lessons_lib.claims import matrix_symbols, signs
from lessons_lib.claims.domain_constraints import constraints_of_entries
from lessons_lib.claims.domain_constraints import entries as entries_of
from lessons_lib.claims.known_signs import follows_by_factors, map_to_half_line, read_signs, shift_by_bounds
from lessons_lib.claims.ratios import Ratios, find_generators, over_rationals, rewrite_functions, subexpressions
from lessons_lib.claims.real_values import check_order, is_real
from lessons_lib.claims.removable_singularities import sample_value, to_mpmath
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.stumpff_functions import NUMERIC, closed_form, stumpff

_EVIDENCE_DIGITS = 30  # a counterexample must exceed rounding at this precision by 15 digits
_EVIDENCE = sp.Float(10) ** (-_EVIDENCE_DIGITS // 2)
_PATIENCE = 25  # random points tried for each one at which the known relations hold
_RATIOS = (1, 97, 41)  # least and largest numerator, and denominator, of random numbers
_TRIALS = 8  # a claim that fails for one sign of one symbol escapes one time in 256

SAME, MULTIPLIED, FRACTION, WAVES = "same", "multiplied", "fraction", "waves"
SIGNED, REWRITTEN, SIMPLIFIED, SIGN, RULES = "signed", "rewritten", "simplified", "sign", "rules"
"""Methods that decide an entry of left − right."""


@translate_sympy_errors
def prove(
    label: str,
    sentence: str,
    left: sp.Expr | sp.Matrix,
    relation: str,
    right: sp.Expr | sp.Matrix,
    known: Sequence[sp.Basic] = (),
) -> Counter[str]:
    """Prove left = right, left ≤ right or left < right by entries, or raise; return how many each method decided."""
    # raises ClaimError if the statement is false (the message has a counterexample) or not proven, or the shapes differ
    decide = {"=": _prove_equal, "<=": _prove_ordered, "<": _prove_ordered}.get(relation)
    if decide is None:
        raise ClaimError(f"claim {label}: unknown relation {relation!r}; valid are '=', '<=' and '<'")
    if relation == "=" and isinstance(left, sp.MatrixExpr) and isinstance(right, sp.MatrixExpr):
        return _prove_for_every_size(label, sentence, left, right)
    entries = _differences(label, left, right)
    for side in (left, right) if relation != "=" else ():
        check_order(label, *entries_of(side))
    open_entries = [e for e in dict.fromkeys(entries) if e != 0 or relation == "<"]
    how = {difference: decide(label, sentence, difference, relation, known) for difference in open_entries}
    return Counter(how.get(entry, SAME) for entry in entries)


def _prove_equal(label: str, sentence: str, difference: sp.Expr, relation: str, known: Sequence[sp.Basic]) -> str:
    if _reduces_to_zero(difference):
        return _proof_kind(difference)
    letters = difference.free_symbols
    signed = difference.xreplace(signed_letters(known, letters) | shift_by_bounds(known, letters)).doit()
    if signed == 0 or _reduces_to_zero(signed):
        return SIGNED
    if not _reduces_to_zero(signed := rewrite_functions(signed)):
        _refute(label, sentence, difference, relation, known)
        constraints_of_entries((signed,))  # raises if a domain is unknown: SymPy simplifies beyond domains
        if sp.simplify(sp.expand_log(signed) if signed.has(sp.log) else signed) != 0:
            raise ClaimError(f"claim {label} is not proven: {sentence!r} leaves {difference}")
        return SIMPLIFIED
    return REWRITTEN


def _prove_for_every_size(label: str, sentence: str, left: sp.MatrixExpr, right: sp.MatrixExpr) -> Counter[str]:
    if left.shape != right.shape:
        raise ClaimError(
            f"claim {label} compares shapes {left.shape} and {right.shape}; both sides must have the same shape"
        )
    if not matrix_symbols.is_zero_for_every_size(left - right):
        sizes = sorted(matrix_symbols.sizes(left) | matrix_symbols.sizes(right), key=str)
        numbers = {s: 2 + place for place, s in enumerate(sizes)}
        prove(label, sentence, matrix_symbols.with_sizes(left, numbers), "=", matrix_symbols.with_sizes(right, numbers))
        raise ClaimError(f"claim {label} is not proven: {sentence!r} does not follow for every size")
    return Counter({RULES: 1})


def _proof_kind(difference: sp.Expr) -> str:
    """Return which reduction a reader needs to check that a difference is zero."""
    parts = subexpressions(difference)
    if any(isinstance(part, sp.sin | sp.cos | sp.tan | stumpff) for part in parts):
        return WAVES
    return FRACTION if any(part.is_Pow and part.args[1].is_negative for part in parts) else MULTIPLIED


def _prove_ordered(label: str, sentence: str, difference: sp.Expr, relation: str, known: Sequence[sp.Basic]) -> str:
    rises = _never_negative if relation == "<=" else _positive
    factored = sp.factor(sp.together(-difference))
    forms = (-difference, factored)  # a sum of squares may be visible only as written
    if any(map(rises, forms)) or any(rises(substitute_signs(form, known)) for form in forms):
        return SIGN
    if any(_sign_by_factors(form, known, relation == "<") for form in forms):
        return SIGN
    if follows_by_factors(factored, read_signs(known), relation == "<"):
        return SIGN
    _refute(label, sentence, difference, relation, known)
    raise ClaimError(
        f"claim {label} is not proven: {sentence!r}; the sign of right − left = {factored} "
        "does not follow from the assumptions on its symbols"
    )


def _sign_by_factors(form: sp.Expr, known: Sequence[sp.Basic], strictly: bool) -> bool:
    """Return whether the signs of all factors are proven, with bounded symbols mapped to the half-line."""
    known = [one for one in known if not isinstance(one, sp.Ne)]  # states no sign, and would hide relations that do
    form, below = sp.factor(sp.together(form.xreplace(map_to_half_line(known, form.free_symbols, strictly)))), 0
    signed = signs.positive if strictly else signs.never_negative
    for part in sp.Mul.make_args(substitute_signs(form, known)):
        if not signed(part) and (strictly or not _completes_square(part, known)):
            below += 1
            if not signed(-part):
                return False
    return below % 2 == 0


def _completes_square(f: sp.Expr, known: Sequence[sp.Basic]) -> bool:
    """Return whether f = a s² + b s + c with a > 0 and c − b²/(4a) ≥ 0 for some symbol s."""
    for s in sorted(f.free_symbols, key=str) if not signs.too_long(f) else ():
        if not s.is_real or not f.is_polynomial(s) or sp.degree(f, s) != 2:
            continue
        a, b, c = sp.Poly(f, s).all_coeffs()
        rest = sp.Mul.make_args(substitute_signs(sp.factor(c - b**2 / (4 * a)), known))
        if signs.positive(a) and all(map(signs.never_negative, rest)):
            return True
    return False


def signed_letters(known: Sequence[sp.Basic], letters: Iterable[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """Return a substitution that gives symbols of known sign that assumption."""
    letters = set(letters)
    zeros = {one.lhs for one in known if isinstance(one, sp.Ne) and one.rhs == 0} & letters
    signs: dict[sp.Symbol, sp.Expr] = {s: sp.Dummy(s.name, **s.assumptions0, nonzero=True) for s in zeros if s.is_real}
    return signs | shift_by_bounds(
        [one for one in known if getattr(one, "rhs", None) == 0 and one.lhs in letters], letters
    )


def substitute_signs(expression: sp.Expr, known: Sequence[sp.Basic]) -> sp.Expr:
    """Replace symbols and factors of known sign by symbols with that assumption."""
    expression = expression.xreplace(signed_letters(known, expression.free_symbols))
    top, below = sp.fraction(expression)
    parts = [base**power for side, p in ((top, 1), (below, -1)) for base, power in _powers(side, p)]
    return sp.Mul(*(_signed_factor(part, known) for part in parts))


def _powers(side: sp.Expr, sign: int) -> list[tuple[sp.Expr, sp.Expr]]:
    return [(base, sign * power) for base, power in (part.as_base_exp() for part in sp.Mul.make_args(side))]


def _signed_factor(factor: sp.Expr, known: Sequence[sp.Basic]) -> sp.Expr:
    """Return a multiple of a symbol whose sign a relation gives, if the factor is a multiple of its difference."""
    base, power = factor.as_base_exp()
    for one in known:
        if not isinstance(one, sp.Gt | sp.Ge | sp.Lt | sp.Le | sp.Ne):
            continue
        more = one.lhs - one.rhs if not isinstance(one, sp.Lt | sp.Le) else one.rhs - one.lhs
        ratio = sp.cancel(base / more) if base.free_symbols and base.free_symbols == more.free_symbols else sp.S.Zero
        if ratio.is_number and ratio.is_nonzero:
            kinds = {"positive": True} if isinstance(one, sp.Gt | sp.Lt) else {"nonnegative": True}
            kinds = {"real": True, "nonzero": True} if isinstance(one, sp.Ne) else kinds
            return (ratio * sp.Dummy("factor", **kinds)) ** power
    return factor


def _positive(expression: sp.Expr) -> bool:
    """Return whether an expression is a sum of nonnegative terms and a positive one."""
    if expression.is_extended_positive:
        return True
    if expression.is_Mul:
        return all(part.is_extended_positive or _nonzero_square(part) for part in expression.args)
    if expression.is_Add:
        return all(map(_never_negative, expression.args)) and any(map(_positive, expression.args))
    return _nonzero_square(expression)


def _nonzero_square(expression: sp.Expr) -> bool:
    return bool(expression.is_Pow and expression.exp.is_even and expression.base.is_nonzero)


def _never_negative(expression: sp.Expr) -> bool:
    """Return whether an expression is a sum of products of squares and nonnegative terms, wherever it is defined."""
    if expression.is_extended_nonnegative:
        return True
    if expression.is_Add or expression.is_Mul:
        return all(_never_negative(part) for part in expression.args)
    if expression.is_Pow and expression.exp.is_Integer and _never_negative(expression.base):
        return True
    # SymPy leaves open that a quotient of real polynomials is real
    square = expression.is_Pow and expression.exp.is_Integer and expression.exp % 2 == 0
    return bool(square and is_real(expression.base))


def is_zero(expression: sp.Expr) -> bool:
    """Return whether an expression is zero for all values of its symbols.

    The decision is complete for rational expressions in symbols, stumpff(n, x), and sines and cosines of sums of
    terms; other functions are left to SymPy's `simplify`.

    >>> import sympy as sp
    >>> from lessons_lib.claims import is_zero
    >>> a, b = sp.symbols("a b", real=True)
    >>> is_zero(sp.sin(a + b) - sp.sin(a) * sp.cos(b) - sp.cos(a) * sp.sin(b)), is_zero(sp.sin(a) - a)
    (True, False)

    Args:
        expression: SymPy expression, or what `sympify` converts.

    Returns:
        True if it is proven to be zero.
    """
    return _reduces_to_zero(sp.sympify(expression)) or bool(sp.simplify(expression) == 0)


def _reduces_to_zero(expression: sp.Expr) -> bool:
    """Decide by polynomial reduction; False may also mean that the expression is out of its scope."""
    expression, relations, leading = _as_rational(expression.doit())
    if expression.has(sp.nan, sp.zoo, sp.oo, sp.Float):
        return False
    rest = [g for g in find_generators([expression, *relations]) if g not in leading]
    ratios = _ratios((*leading, *rest))
    try:
        ratio = ratios.of(expression)
        rules = [over_rationals(ratios.of(relation).numerator) for relation in relations]
    except sp.PolynomialError:  # a division by zero
        return False
    polynomials = [ratio.numerator, *ratio.factors]
    left, *factors = [over_rationals(p).rem(rules) for p in polynomials] if rules else polynomials
    return left == 0 and 0 not in factors


def _differences(label: str, left: sp.Expr | sp.Matrix, right: sp.Expr | sp.Matrix) -> list[sp.Expr]:
    if isinstance(left, sp.MatrixBase) or isinstance(right, sp.MatrixBase):
        shapes = tuple(getattr(side, "shape", ()) for side in (left, right))
        if shapes[0] != shapes[1]:
            raise ClaimError(
                f"claim {label} compares shapes {shapes[0]} and {shapes[1]}; both sides must have the same shape"
            )
        return [a - b for a, b in zip(left, right, strict=True)]
    return [sp.sympify(left) - sp.sympify(right)]


def _refute(label: str, sentence: str, difference: sp.Expr, relation: str, known: Sequence[sp.Basic]) -> None:
    """Raise ClaimError with a counterexample if random values of the symbols provide one."""
    draw, tried = random.Random(label), 0
    symbols = sorted(difference.free_symbols.union(*(one.free_symbols for one in known)), key=str)
    all_hold = sp.lambdify([symbols], list(known), modules=[NUMERIC, "mpmath"])
    for _ in range(_TRIALS * (_PATIENCE if known else 1)):
        values = {s: sample_value(s, draw, _RATIOS) for s in symbols}
        if known and not all(all_hold([to_mpmath(v) for v in values.values()])):
            continue
        value = difference.subs(values).doit().evalf(_EVIDENCE_DIGITS)
        if _contradicts(value, relation):
            where = ", ".join(f"{s} = {v}" for s, v in values.items())
            error = ClaimError(
                f"claim {label} is false: {sentence!r}; at {where or 'every point'}, left − right = {sp.N(value, 6)}"
            )
            error.counterexample = sentence, values, sp.N(value, 6)
            raise error
        tried += 1
        if tried == _TRIALS:
            return


def _contradicts(value: sp.Expr, relation: str) -> bool:
    """Return whether the value of left − right is evidence against the relation; no evidence if it is not a number."""
    if not value.is_number or value is sp.nan:
        return False
    if relation == "=":
        return bool(sp.Abs(value) > _EVIDENCE)
    return bool(value.is_extended_real and (value > _EVIDENCE if relation == "<=" else value > -_EVIDENCE))


def _as_rational(expression: sp.Expr) -> tuple[sp.Expr, list[sp.Expr], list[sp.Symbol]]:
    """Return (rational, relations, leading): zero modulo the relations, whose leading symbols are given, means zero."""
    angles: dict[sp.Expr, sp.Symbol] = {}  # x -> θ with θ² = x
    if any(isinstance(part, stumpff) for part in subexpressions(expression)):
        expression = expression.replace(stumpff, lambda n, x: closed_form(int(n), _angle_of(x, angles)))
    if any(
        isinstance(part, sp.exp) or part.is_Pow and not part.args[1].is_Integer for part in subexpressions(expression)
    ):
        expression = sp.expand_power_base(sp.expand_power_exp(expression))
    if any(
        isinstance(part, TrigonometricFunction) and not part.args[0].is_Symbol for part in subexpressions(expression)
    ):
        expression = sp.expand_trig(expression)
    functions = sorted((part for part in subexpressions(expression) if isinstance(part, sp.sin | sp.cos)), key=str)
    waves = {function.args[0]: _wave(function.args[0]) for function in functions}
    swap = {f: waves[f.args[0]][0 if isinstance(f, sp.sin) else 1] for f in functions}
    relations = [s**2 + c**2 - 1 for s, c in waves.values()]
    leading = [s for s, _ in waves.values()]
    for x, theta in angles.items():
        if x != theta**2:
            relations.append(sp.expand(x - theta**2))
            leading += sorted(x.free_symbols, key=str)[:1]
    return expression.xreplace(swap), relations, list(dict.fromkeys(leading))


def _angle_of(x: sp.Expr, angles: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """Return θ with θ² = x; square factors come out: (s + t)²·x gives (s + t)·θ, so that angle sums remain visible."""
    coefficient, factors = _factors(x)
    outside, inside = sp.sqrt(coefficient) if sp.sqrt(coefficient).is_rational else sp.Integer(1), sp.Integer(1)
    if outside == 1:
        inside = coefficient
    for base, power in factors:
        outside *= base ** (power // 2)
        inside *= base ** (power % 2)
    inside = sp.expand(inside)
    if inside == 1:
        return outside
    if inside not in angles:
        angles[inside] = sp.Dummy("theta", positive=True)
    return sp.expand(outside * angles[inside])


@lru_cache(maxsize=64)
def _factors(x: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]]:
    """Return the numerical factor, and the other factors with their powers."""
    number, factors = sp.factor_list(sp.trigsimp(x) if x.has(sp.sin, sp.cos) else sp.cancel(x))
    return number, factors


@lru_cache(maxsize=4)
def _ratios(generators: tuple[sp.Expr, ...]) -> Ratios:
    """Return the converter for these generators; cached, so that the entries of a matrix share common parts."""
    return Ratios(list(generators))


@lru_cache(maxsize=256)
def _wave(angle: sp.Expr) -> tuple[sp.Symbol, sp.Symbol]:
    """Return the generators for the sine and cosine of an angle."""
    return sp.Dummy("s"), sp.Dummy("c")
