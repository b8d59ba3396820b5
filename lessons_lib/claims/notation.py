"""The notation of the course: each function prints as its lesson writes it, with the value that `symbolic` derives."""
# A 3-column is a rotation vector or a point, a 6-column a twist (ω, v); `hat`, `exp` and others choose SO(3) or SE(3)
# by the size of their argument. Every argument is a term, or a SymPy expression or matrix.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any

import sympy as sp

from lessons_lib.claims import domain_constraints as domain
from lessons_lib.claims import signs
from lessons_lib.claims.conditions import numerator_factors
from lessons_lib.claims.proof import is_zero
from lessons_lib.claims.real_values import is_real
from lessons_lib.claims.removable_singularities import has_limit
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.claims.terms import ATOM, CROSS, POWER, PRODUCT, Term, bind_letter, det_of, domain_of, entry, term
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import open_chain, quaternion, se3, so3, stumpff_functions
from lessons_lib.symbolic.formulas import tag, tags_of


def lift_to_term(meaning: Callable[..., Term]) -> Callable[..., Term]:
    """Return the function with all of its arguments converted to terms."""

    @wraps(meaning)
    def wrapper(*parts: Any) -> Term:
        return translate_sympy_errors(meaning)(*map(term, parts))

    return wrapper


@lift_to_term
def hat(x: Term) -> Term:
    """Return [x], the matrix of a 3-column or of a twist."""
    return _bracket(x, so3.hat, se3.hat)


@lift_to_term
def vee(X: Term) -> Term:
    """Return the column of a hat matrix, or of the skew part of any 3×3 matrix."""
    value = so3.vee(X.value) if X.value.rows == 3 else se3.vee(X.value)
    return X.combine(value, rf"{X.within(ATOM)}^{{\vee}}", POWER)


@lift_to_term
def exp(x: Term) -> Term:
    if not isinstance(x.value, sp.MatrixBase):
        return x.combine(sp.exp(x.value), f"e^{{{x.latex}}}", POWER)
    value = _evaluate(so3.exp if x.value.rows == 3 else se3.exp, x.value)
    return x.combine(value, rf"\exp[{x.latex}]", ATOM)


@lift_to_term
def joint_exp(screw: Term, angle: Term) -> Term:
    """Return e^{[S] q}, the pose of a joint with a unit axis."""
    value = open_chain.joint_exp(screw.value, angle.value)
    return screw.combine(value, rf"e^{{[{screw.latex}]\,{angle.within(PRODUCT)}}}", ATOM, angle)


@lift_to_term
def Ad(T: Term) -> Term:  # noqa: N802
    return _index(T, r"\mathrm{Ad}", se3.adjoint)


@lift_to_term
def ad(xi: Term) -> Term:
    return _index(xi, r"\mathrm{ad}", se3.bracket)


@lift_to_term
def V_matrix(omega: Term) -> Term:  # noqa: N802
    """Return the V of ω in the exponential of SE(3), 3×3."""
    return _apply(omega, "V", so3.left_jacobian, so3.left_jacobian)


@lift_to_term
def J_l(x: Term) -> Term:  # noqa: N802
    """Return the left Jacobian of the exponential, of a 3-column or of a twist."""
    return _apply(x, "J_l", so3.left_jacobian, se3.left_jacobian)


@lift_to_term
def J_r(x: Term) -> Term:  # noqa: N802
    return _apply(x, "J_r", so3.right_jacobian, se3.right_jacobian)


@lift_to_term
def J_l_inverse(x: Term) -> Term:  # noqa: N802
    """Return the inverse of the left Jacobian by the derived formula."""
    value = _evaluate(so3.left_jacobian_inverse if x.value.rows == 3 else se3.left_jacobian_inverse, x.value)
    return x.combine(value, rf"J_l({x.latex})^{{-1}}", POWER).with_implicit_constraints()


@lift_to_term
def inverse(T: Term) -> Term:
    """Return T⁻¹ of a pose by the derived formula."""
    return T.combine(se3.inverse(T.value), f"{T.within(ATOM)}^{{-1}}", POWER)


@lift_to_term
def rotation(T: Term) -> Term:
    return T.combine(se3.rotation(T.value), f"R({T.latex})", ATOM)


@lift_to_term
def position(T: Term) -> Term:
    return T.combine(se3.position(T.value), f"p({T.latex})", ATOM)


@lift_to_term
def angular(xi: Term) -> Term:
    return xi.combine(se3.split(xi.value)[0], rf"\omega({xi.latex})", ATOM)


@lift_to_term
def linear(xi: Term) -> Term:
    return xi.combine(se3.split(xi.value)[1], f"v({xi.latex})", ATOM)


@lift_to_term
def pose(R: Term, p: Term) -> Term:
    """Return the pose (R, p)."""
    return R.combine(se3.pose(R.value, p.value), rf"({R.latex},\, {p.latex})", ATOM, p)


@lift_to_term
def quaternion_product(a: Term, b: Term) -> Term:
    """Return the product a ∘ b of two quaternions (x, y, z, w)."""
    value = quaternion.product(a.value, b.value)
    return a.combine(value, rf"{a.within(PRODUCT)} \circ {b.within(PRODUCT)}", CROSS, b)


@lift_to_term
def quaternion_exp(omega: Term) -> Term:
    return omega.combine(quaternion.exp(omega.value), f"e^{{{omega.latex}}}", POWER)


@lift_to_term
def rotation_of(u: Term) -> Term:
    """Return R(u), the rotation of a quaternion of any nonzero length."""
    return u.combine(quaternion.rotation(u.value), f"R({u.latex})", ATOM).with_implicit_constraints()


@lift_to_term
def group(x: Term) -> Term:
    """Return x in parentheses that the order of operations does not require."""
    return x.combine(x.value, rf"\left({x.latex}\right)", ATOM)


def exchange() -> Term:
    """Return P, the matrix that exchanges the halves of a twist."""
    value = se3.exchange()
    return Term(value, "P", ATOM, formulas=tags_of(value))


def identity(n: int) -> Term:
    return Term(sp.eye(n), "I", ATOM)


def zeros(rows: int, columns: int = 1) -> Term:
    """Return a zero matrix, printed as 0."""
    return Term(sp.zeros(rows, columns), "0", ATOM)


def stack(*rows: Any) -> Term:
    """Return a block matrix; each argument is a row: a list of blocks or a single block."""
    blocks = [[term(part) for part in (row if isinstance(row, list | tuple) else [row])] for row in rows]
    value = sp.Matrix(sp.BlockMatrix([[_as_matrix(part.value) for part in row] for row in blocks]))
    lines = r" \\ ".join(" & ".join(part.latex for part in row) for row in blocks)
    first, *others = [part for row in blocks for part in row]
    return first.combine(value, rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}", ATOM, *others)


def beside(*columns: Any) -> Term:
    """Return a block matrix with one row."""
    return stack(list(columns))


@lift_to_term
def cross(a: Term, b: Term) -> Term:
    return a.combine(a.value.cross(b.value), rf"{a.within(PRODUCT)} \times {b.within(PRODUCT)}", CROSS, b)


@lift_to_term
def dot(a: Term, b: Term) -> Term:
    return a.combine(a.value.dot(b.value), rf"{a.within(PRODUCT)} \cdot {b.within(PRODUCT)}", CROSS, b)


@lift_to_term
def norm(a: Term) -> Term:
    """Return ‖a‖ of a column or row; ClaimError if an entry may be complex."""
    for one in _as_matrix(a.value):
        if not is_real(one):
            raise ClaimError(f"a norm needs real entries; {one} in {a.latex} may be complex")
    squares = sum((entry**2 for entry in _as_matrix(a.value)), sp.Integer(0))
    return a.combine(sp.sqrt(squares), rf"\|{a.latex}\|", ATOM)


@lift_to_term
def det(A: Term) -> Term:
    return A.combine(det_of(A.value), rf"\det {A.within(ATOM)}", PRODUCT)


@lift_to_term
def tr(A: Term) -> Term:
    return A.combine(A.value.trace(), rf"\operatorname{{tr}} {A.within(ATOM)}", PRODUCT)


@lift_to_term
def derivative(f: Term, by: Term) -> Term:
    """Return the derivative of f by its only symbol."""
    return _derivative(f, by, "d")


@lift_to_term
def partial(f: Term, by: Term) -> Term:
    return _derivative(f, by, r"\partial")


@lift_to_term
def gradient(f: Term, by: Term) -> Term:
    """Return the gradient of a scalar by a column, as a column."""
    value = sp.Matrix([f.value if not isinstance(f.value, sp.MatrixBase) else f.value[0]]).jacobian(by.value).T
    return _build_derivative(f, value, rf"\nabla {f.within(POWER)}", by)


@lift_to_term
def substitute(f: Term, letter: Term, value: Term) -> Term:
    """Return f with a value in place of a symbol, then bound; ClaimError if it is outside the symbol's domain."""
    _check_within(letter, value)
    replaced = f.value.subs(letter.value, value.value).doit()
    whole = f.combine(replaced, rf"\left.{f.latex}\right|_{{{letter.latex} = {value.latex}}}", PRODUCT, value)
    constraints = value.constraints | domain.substitute_letter(f.constraints, letter.value, value.value)
    return bind_letter(replace(whole, constraints=constraints).with_implicit_constraints(), letter)


@lift_to_term
def limit(f: Term, letter: Term, value: Term) -> Term:
    """Return the limit of f at a value of a symbol: two-sided, or one-sided at an end of the symbol's domain."""
    if not value.value.is_number:
        raise ClaimError(f"a limit must be at a number or infinity, got {letter.latex} to {value.latex}")
    if value.value.is_finite:
        _check_within(letter, value, closed=True)
    elif letter.value.is_nonnegative and value.value != sp.oo or letter.value.is_nonpositive and value.value == sp.oo:
        raise ClaimError(f"the limit {letter.latex} to {value.latex} is outside the domain {domain_of(letter.value)}")
    before = _as_matrix(f.value)
    side = "+" if letter.value.is_nonnegative and value.value == 0 else "+-"
    try:
        entries = before.applyfunc(lambda entry: sp.limit(sp.cancel(entry), letter.value, value.value, side))
    except ValueError as cause:
        raise ClaimError(f"{f.latex} has no limit at {letter.latex} = {value.latex}: {cause}") from cause
    value_there = entries if isinstance(f.value, sp.MatrixBase) else entries[0]
    whole = f.combine(value_there, rf"\lim_{{{letter.latex}\to {value.latex}}} {f.within(PRODUCT)}", PRODUCT, value)
    at_end = domain.limit_constraints(f.constraints, letter.value, value.value)
    constraints = {n for n in at_end if n in f.constraints or n.kind != domain.NONZERO}
    constraints |= {
        replace(n, expr=factor)
        for n in at_end - constraints
        for factor in numerator_factors(n.expr)
        if not has_limit(factor, tuple(before), tuple(entries), letter.value, value.value)
    }
    return bind_letter(replace(whole, constraints=value.constraints | constraints).with_implicit_constraints(), letter)


@lift_to_term
def integral(f: Term, letter: Term, lower: Term, upper: Term) -> Term:
    """Return the integral of f over a symbol between two values; the antiderivative is checked by differentiation."""
    for end in (lower, upper):
        _check_within(letter, end, closed=True)
    constraints = _constraints_along(f.constraints, f, letter, lower, upper)
    primitive = _as_matrix(f.value).applyfunc(lambda one: sp.integrate(one, letter.value))
    if not all(map(is_zero, primitive.diff(letter.value) - _as_matrix(f.value))) or primitive.has(*_JUMPING):
        raise ClaimError(f"found no antiderivative of {f.latex} that is smooth for every {letter.latex}")
    constraints |= _constraints_along(domain.constraints_of(primitive), f, letter, lower, upper)
    low, high = (primitive.subs(letter.value, end.value) for end in (lower, upper))
    difference = high - low if isinstance(f.value, sp.MatrixBase) else (high - low)[0]
    bounds = rf"\int_{{{lower.latex}}}^{{{upper.latex}}}"
    whole = f.combine(difference, rf"{bounds} {f.within(CROSS)}\,d{letter.latex}", PRODUCT, lower, upper)
    whole = replace(whole, constraints=lower.constraints | upper.constraints | constraints)
    return bind_letter(whole.with_implicit_constraints(), letter)


def _constraints_along(
    constraints: domain.Constraints, f: Term, letter: Term, lower: Term, upper: Term
) -> domain.Constraints:
    """Return constraints under which the given ones hold for all values of a symbol between two ends."""
    all_along = frozenset[domain.DomainConstraint]()
    for constraint in constraints:
        if signs.always_holds(constraint):
            continue
        along: domain.Constraints | None = frozenset([constraint])
        if constraint.expr.has(letter.value):
            along = domain.constraints_between(constraint, letter.value, lower.value, upper.value)
        if along is None or any(not one.expr.free_symbols and not signs.always_holds(one) for one in along):
            raise ClaimError(
                f"the integral of {f.latex} needs {constraint.expr} {constraint.kind}, which may fail for "
                f"{letter.latex} between {lower.latex} and {upper.latex}; the integrand must be defined for every "
                f"{letter.latex}, or need only expressions linear in {letter.latex}"
            )
        all_along |= along
    return all_along


_JUMPING = (sp.floor, sp.ceiling, sp.sign, sp.Piecewise, sp.atan2, sp.tan, sp.cot, sp.Max, sp.Min, sp.Integral)


def _check_within(letter: Term, value: Term, closed: bool = False) -> None:
    """Raise ClaimError if a symbol's assumptions exclude a value; if `closed`, their closure counts."""
    s = letter.value
    if not isinstance(s, sp.Symbol):
        raise ClaimError(f"expected a symbol to substitute, got {letter.latex}")
    for one in _as_matrix(value.value):
        for kind in ("positive", "nonnegative", "negative", "nonpositive"):
            over = one if kind in ("positive", "nonnegative") else -one
            strictly = kind in ("positive", "negative") and not closed
            if getattr(s, f"is_{kind}") and not (signs.positive if strictly else signs.never_negative)(over):
                raise ClaimError(f"{letter.latex} is {kind}; {value.latex} is not proven to be {kind}")
        if s.is_integer and not one.is_integer or s.is_real and not is_real(one):
            raise ClaimError(f"{letter.latex} is {'whole' if s.is_integer else 'real'}; {value.latex} may not be")


@lift_to_term
def stumpff(n: Term, x: Term) -> Term:
    """Return the Stumpff function cₙ(x)."""
    return n.combine(stumpff_functions.stumpff(int(n.value), x.value), rf"c_{{{n.latex}}}({x.latex})", ATOM, x)


@lift_to_term
def stumpff_closed(n: Term, theta: Term) -> Term:
    """Return the closed form of the Stumpff function cₙ(θ²) in sin θ and cos θ."""
    value = stumpff_functions.closed_form(int(n.value), theta.value)
    closed = n.combine(value, rf"c_{{{n.latex}}}({theta.within(ATOM)}^{{2}})", ATOM, theta)
    return (
        replace(closed, removable_zeros=closed.removable_zeros | {theta.value})
        .with_formulas(stumpff_functions.closed_form)
        .with_implicit_constraints()
    )


@lift_to_term
def factorial(n: Term) -> Term:
    value = sp.factorial(n.value)
    return n.combine(value, f"{n.within(ATOM)}!", POWER).with_constraints(domain.constraints_of(value))


@lift_to_term
def sin(angle: Term) -> Term:
    return _apply_elementary(angle, r"\sin", sp.sin)


@lift_to_term
def cos(angle: Term) -> Term:
    return _apply_elementary(angle, r"\cos", sp.cos)


@lift_to_term
def tan(angle: Term) -> Term:
    constraints = domain.divisor_constraint(sp.cos(angle.value), cos(angle).latex)
    return _apply_elementary(angle, r"\tan", lambda x: sp.sin(x) / sp.cos(x)).with_constraints(constraints)


@lift_to_term
def sqrt(number: Term) -> Term:
    """Return the nonnegative square root."""
    root = number.combine(sp.sqrt(_scalar(number)), rf"\sqrt{{{number.latex}}}", ATOM)
    constraints = domain.power_constraints(_scalar(number), sp.S.Half)
    return root.with_constraints(
        frozenset(replace(constraint, latex=rf"{number.latex} \ge 0") for constraint in constraints)
    )


def _bracket(x: Term, small: Callable[..., Any], large: Callable[..., Any]) -> Term:
    return x.combine(small(x.value) if x.value.rows == 3 else large(x.value), f"[{x.latex}]", ATOM)


def _index(x: Term, letters: str, meaning: Callable[..., Any]) -> Term:
    return x.combine(meaning(x.value), f"{letters}_{{{x.latex}}}", ATOM)


def _apply(x: Term, letters: str, small: Callable[..., Any], large: Callable[..., Any]) -> Term:
    return x.combine(_evaluate(small if x.value.rows == 3 else large, x.value), f"{letters}({x.latex})", ATOM)


@cache
def _derive_in_letters(formula: Callable[..., sp.Matrix], size: int) -> tuple[sp.Matrix, sp.Matrix]:
    """Return a column of symbols and the formula of it."""
    letters = sp.Matrix([sp.Dummy(f"x_{i}", real=True) for i in range(size)])
    return letters, formula(letters)


def _evaluate(formula: Callable[..., sp.Matrix], column: sp.Matrix) -> sp.Matrix:
    """Return a formula of a column, derived once in symbols: SymPy would simplify the entries of a long column."""
    letters, derived = _derive_in_letters(formula, column.rows)
    return tag(derived.xreplace(dict(zip(letters, column, strict=True))), tags_of(derived))


def _derivative(f: Term, by: Term, sign: str) -> Term:
    value = f.value.diff(by.value)
    letters = rf"\frac{{{sign}}}{{{sign} {by.latex}}}"
    if f.level >= POWER and len(f.latex) <= 12:
        return _build_derivative(f, value, rf"\frac{{{sign} {f.latex}}}{{{sign} {by.latex}}}", by)
    return _build_derivative(f, value, rf"{letters}\,{f.within(PRODUCT)}", by)


def _build_derivative(f: Term, value: Any, latex: str, by: Term) -> Term:
    built = f.combine(value, latex, PRODUCT, by).with_implicit_constraints()
    return built.with_constraints(domain.derivative_constraints(f.value, by.value))


def _as_matrix(value: Any) -> sp.Matrix:
    return value if isinstance(value, sp.MatrixBase) else sp.Matrix([[value]])


def _apply_elementary(x: Term, letters: str, meaning: Callable[..., Any]) -> Term:
    inside = x.latex if x.level == ATOM and "(" not in x.latex else rf"\left({x.latex}\right)"
    return x.combine(meaning(_scalar(x)), f"{letters} {inside}", PRODUCT).with_implicit_constraints()


def _scalar(x: Term) -> sp.Expr:
    value = entry(x.value)
    if isinstance(value, sp.MatrixBase | sp.MatrixExpr):
        raise ClaimError(f"expected a number, got {x.latex} of shape {value.shape}")
    return value
