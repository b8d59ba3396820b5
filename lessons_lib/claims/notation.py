"""The words of the course: each prints as its lesson writes it, and means what `symbolic` derives.

A 3-column is a rotation vector or a point, a 6-column a twist (ω, v); so `hat`, `exp` and the rest know by the size of
what they are given whether SO(3) or SE(3) is meant. Where a statement takes a SymPy matrix, it may take a term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any

import sympy as sp

from lessons_lib.claims import domain_constraints as needs_of
from lessons_lib.claims import signs
from lessons_lib.claims.conditions import factors
from lessons_lib.claims.proof import is_zero
from lessons_lib.claims.real_values import is_real
from lessons_lib.claims.removable_singularities import keeps_its_limit
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.claims.terms import ATOM, CROSS, POWER, PRODUCT, Term, det_of, domain_of, entry, term, without
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import open_chain, quaternion, se3, so3, stumpff_functions
from lessons_lib.symbolic.formulas import tag, tags_of


def word(meaning: Callable[..., Term]) -> Callable[..., Term]:
    """Return the function with whatever it is given made a term first."""

    @wraps(meaning)
    def said(*parts: Any) -> Term:
        return translate_sympy_errors(meaning)(*map(term, parts))

    return said


@word
def hat(x: Term) -> Term:
    """Return [x], the matrix of a 3-column or of a twist."""
    return _bracketed(x, so3.hat, se3.hat)


@word
def vee(X: Term) -> Term:
    """Return the column of a matrix that is a hat, or of the skew part of any 3×3 matrix."""
    value = so3.vee(X.value) if X.value.rows == 3 else se3.vee(X.value)
    return X.made(value, rf"{X.within(ATOM)}^{{\vee}}", POWER)


@word
def exp(x: Term) -> Term:
    """Return exp[x], the rotation or the pose; of a number, e to its power."""
    if not isinstance(x.value, sp.MatrixBase):
        return x.made(sp.exp(x.value), f"e^{{{x.latex}}}", POWER)
    value = _applied(so3.exp if x.value.rows == 3 else se3.exp, x.value)
    return x.made(value, rf"\exp[{x.latex}]", ATOM)


@word
def joint_exp(screw: Term, angle: Term) -> Term:
    """Return e^{[S] q}, the pose that a joint makes, in the form for an axis of length one."""
    value = open_chain.joint_exp(screw.value, angle.value)
    return screw.made(value, rf"e^{{[{screw.latex}]\,{angle.within(PRODUCT)}}}", ATOM, angle)


@word
def Ad(T: Term) -> Term:  # noqa: N802, the field's own name
    """Return the adjoint of a pose, 6×6."""
    return _indexed(T, r"\mathrm{Ad}", se3.adjoint)


@word
def ad(xi: Term) -> Term:
    """Return the bracket matrix of a twist, 6×6."""
    return _indexed(xi, r"\mathrm{ad}", se3.bracket)


@word
def V_matrix(omega: Term) -> Term:  # noqa: N802
    """Return the V of ω, the average of the rotation over its motion, 3×3."""
    return _of(omega, "V", so3.left_jacobian, so3.left_jacobian)


@word
def J_l(x: Term) -> Term:  # noqa: N802
    """Return the left Jacobian of the exponential, of a 3-column or of a twist."""
    return _of(x, "J_l", so3.left_jacobian, se3.left_jacobian)


@word
def J_r(x: Term) -> Term:  # noqa: N802
    """Return the right Jacobian of the exponential."""
    return _of(x, "J_r", so3.right_jacobian, se3.right_jacobian)


@word
def J_l_inverse(x: Term) -> Term:  # noqa: N802
    """Return the inverse of the left Jacobian, by the derived formula."""
    value = _applied(so3.left_jacobian_inverse if x.value.rows == 3 else se3.left_jacobian_inverse, x.value)
    return x.made(value, rf"J_l({x.latex})^{{-1}}", POWER).hiding()


@word
def inverse(T: Term) -> Term:
    """Return T⁻¹ of a pose, by the derived formula."""
    return T.made(se3.inverse(T.value), f"{T.within(ATOM)}^{{-1}}", POWER)


@word
def rotation(T: Term) -> Term:
    """Return the rotation of a pose."""
    return T.made(se3.rotation(T.value), f"R({T.latex})", ATOM)


@word
def position(T: Term) -> Term:
    """Return the position of a pose."""
    return T.made(se3.position(T.value), f"p({T.latex})", ATOM)


@word
def angular(xi: Term) -> Term:
    """Return the angular part of a twist."""
    return xi.made(se3.split(xi.value)[0], rf"\omega({xi.latex})", ATOM)


@word
def linear(xi: Term) -> Term:
    """Return the linear part of a twist."""
    return xi.made(se3.split(xi.value)[1], f"v({xi.latex})", ATOM)


@word
def pose(R: Term, p: Term) -> Term:
    """Return the pose (R, p)."""
    return R.made(se3.pose(R.value, p.value), rf"({R.latex},\, {p.latex})", ATOM, p)


@word
def quaternion_product(a: Term, b: Term) -> Term:
    """Return the product a ∘ b of two quaternions (x, y, z, w)."""
    value = quaternion.product(a.value, b.value)
    return a.made(value, rf"{a.within(PRODUCT)} \circ {b.within(PRODUCT)}", CROSS, b)


@word
def quaternion_exp(omega: Term) -> Term:
    """Return the quaternion of a rotation vector."""
    return omega.made(quaternion.exp(omega.value), f"e^{{{omega.latex}}}", POWER)


@word
def rotation_of(u: Term) -> Term:
    """Return R(u), the rotation that belongs to a quaternion of any length."""
    return u.made(quaternion.rotation(u.value), f"R({u.latex})", ATOM).hiding()


@word
def group(x: Term) -> Term:
    """Return x in parentheses, where they say more than they must."""
    return x.made(x.value, rf"\left({x.latex}\right)", ATOM)


def exchange() -> Term:
    """Return P, which exchanges the halves of a twist."""
    value = se3.exchange()
    return Term(value, "P", ATOM, formulas=tags_of(value))


def identity(n: int) -> Term:
    """Return I, n×n."""
    return Term(sp.eye(n), "I", ATOM)


def zeros(rows: int, columns: int = 1) -> Term:
    """Return a matrix of zeros, which prints as 0."""
    return Term(sp.zeros(rows, columns), "0", ATOM)


def stack(*rows: Any) -> Term:
    """Return a matrix of blocks: one argument a row, each a list of blocks, or a single one."""
    blocks = [[term(part) for part in (row if isinstance(row, list | tuple) else [row])] for row in rows]
    value = sp.Matrix(sp.BlockMatrix([[_matrix(part.value) for part in row] for row in blocks]))
    lines = r" \\ ".join(" & ".join(part.latex for part in row) for row in blocks)
    first, *others = [part for row in blocks for part in row]
    return first.made(value, rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}", ATOM, *others)


def beside(*columns: Any) -> Term:
    """Return matrices next to each other."""
    return stack(list(columns))


@word
def cross(a: Term, b: Term) -> Term:
    """Return the cross product a × b."""
    return a.made(a.value.cross(b.value), rf"{a.within(PRODUCT)} \times {b.within(PRODUCT)}", CROSS, b)


@word
def dot(a: Term, b: Term) -> Term:
    """Return the inner product a · b."""
    return a.made(a.value.dot(b.value), rf"{a.within(PRODUCT)} \cdot {b.within(PRODUCT)}", CROSS, b)


@word
def norm(a: Term) -> Term:
    """Return ‖a‖, of a column or a row.

    Raises:
        ClaimError: An entry may be complex.
    """
    for one in _matrix(a.value):
        if not is_real(one):
            raise ClaimError(f"a norm is of real numbers; {one} in {a.latex} may be complex")
    squares = sum((entry**2 for entry in _matrix(a.value)), sp.Integer(0))
    return a.made(sp.sqrt(squares), rf"\|{a.latex}\|", ATOM)


@word
def det(A: Term) -> Term:
    """Return the determinant."""
    return A.made(det_of(A.value), rf"\det {A.within(ATOM)}", PRODUCT)


@word
def tr(A: Term) -> Term:
    """Return the trace."""
    return A.made(A.value.trace(), rf"\operatorname{{tr}} {A.within(ATOM)}", PRODUCT)


@word
def derivative(f: Term, by: Term) -> Term:
    """Return the derivative of f by its only letter."""
    return _derivative(f, by, "d")


@word
def partial(f: Term, by: Term) -> Term:
    """Return the partial derivative of f by one of its letters."""
    return _derivative(f, by, r"\partial")


@word
def gradient(f: Term, by: Term) -> Term:
    """Return the gradient of a number by a column, as a column."""
    value = sp.Matrix([f.value if not isinstance(f.value, sp.MatrixBase) else f.value[0]]).jacobian(by.value).T
    return _differentiated(f, value, rf"\nabla {f.within(POWER)}", by)


@word
def substitute(f: Term, letter: Term, value: Term) -> Term:
    """Return f where a letter has a value; the letter is free no more.

    Raises:
        ClaimError: The letter may not have that value: f was simplified for values that it may have.
    """
    _check_within(letter, value)
    put = f.value.subs(letter.value, value.value).doit()
    whole = f.made(put, rf"\left.{f.latex}\right|_{{{letter.latex} = {value.latex}}}", PRODUCT, value)
    needs = value.needs | needs_of.substituted(f.needs, letter.value, value.value)
    return without(replace(whole, needs=needs).hiding(), letter)


@word
def limit(f: Term, letter: Term, value: Term) -> Term:
    """Return the limit of f as a letter goes to a value: from both sides, to the end of what it may be from one.

    Raises:
        ClaimError: The limits from above and from below differ; or the letter may not come near that value, or that
            is no number.
    """
    if not value.value.is_number:
        raise ClaimError(f"a limit is at a number or at infinity, got {letter.latex} to {value.latex}")
    if value.value.is_finite:
        _check_within(letter, value, closed=True)
    elif letter.value.is_nonnegative and value.value != sp.oo or letter.value.is_nonpositive and value.value == sp.oo:
        raise ClaimError(f"{letter.latex} {domain_of(letter.value)} does not go to {value.latex}")
    side = "+" if letter.value.is_nonnegative and value.value == 0 else "+-"
    try:
        entries = _matrix(f.value).applyfunc(lambda entry: sp.limit(sp.cancel(entry), letter.value, value.value, side))
    except ValueError as cause:
        raise ClaimError(f"{f.latex} has no limit at {letter.latex} = {value.latex}: {cause}") from cause
    found = entries if isinstance(f.value, sp.MatrixBase) else entries[0]
    whole = f.made(found, rf"\lim_{{{letter.latex}\to {value.latex}}} {f.within(PRODUCT)}", PRODUCT, value)
    at_end, before, after = (
        needs_of.in_the_limit(f.needs, letter.value, value.value),
        tuple(_matrix(f.value)),
        tuple(entries),
    )
    needs = {n for n in at_end if n in f.needs or n.kind != needs_of.NONZERO}
    needs |= {
        replace(n, of=factor)
        for n in at_end - needs
        for factor in factors(n.of)
        if not keeps_its_limit(factor, before, after, letter.value, value.value)
    }
    return without(replace(whole, needs=value.needs | needs).hiding(), letter)


@word
def integral(f: Term, letter: Term, lower: Term, upper: Term) -> Term:
    """Return the integral of f over a letter from one value to another; the letter is free no more.

    It is the difference of an antiderivative, which is differentiated again to see that it is one.

    Raises:
        ClaimError: f or its antiderivative may be undefined or jump somewhere in between, or none is found.
    """
    for end in (lower, upper):
        _check_within(letter, end, closed=True)
    needs = _along(f.needs, f, letter, lower, upper)
    primitive = _matrix(f.value).applyfunc(lambda one: sp.integrate(one, letter.value))
    if not all(map(is_zero, primitive.diff(letter.value) - _matrix(f.value))) or primitive.has(*_JUMPING):
        raise ClaimError(f"no antiderivative of {f.latex} was found that is smooth for every {letter.latex}")
    needs |= _along(needs_of.of_value(primitive), f, letter, lower, upper)
    low, high = (primitive.subs(letter.value, end.value) for end in (lower, upper))
    found = high - low if isinstance(f.value, sp.MatrixBase) else (high - low)[0]
    bounds = rf"\int_{{{lower.latex}}}^{{{upper.latex}}}"
    whole = f.made(found, rf"{bounds} {f.within(CROSS)}\,d{letter.latex}", PRODUCT, lower, upper)
    whole = replace(whole, needs=lower.needs | upper.needs | needs)
    return without(whole.hiding(), letter)


def _along(needs: needs_of.Needs, f: Term, letter: Term, lower: Term, upper: Term) -> needs_of.Needs:
    """Return what makes needs hold for a letter from one value to another."""
    found = frozenset[needs_of.Need]()
    for need in needs:
        if signs.implied(need):
            continue
        along: needs_of.Needs | None = frozenset([need])
        if need.of.has(letter.value):
            along = needs_of.between_ends(need, letter.value, lower.value, upper.value)
        if along is None or any(not one.of.free_symbols and not signs.implied(one) for one in along):
            raise ClaimError(
                f"the integral of {f.latex} needs {need.of} {need.kind}, which {letter.latex} may break between "
                f"{lower.latex} and {upper.latex}; valid is what is defined for every {letter.latex}, or a need that "
                f"is linear in {letter.latex}"
            )
        found |= along
    return found


_JUMPING = (sp.floor, sp.ceiling, sp.sign, sp.Piecewise, sp.atan2, sp.tan, sp.cot, sp.Max, sp.Min, sp.Integral)


def _check_within(letter: Term, value: Term, closed: bool = False) -> None:
    """Check that a letter may have a value, or, if `closed`, that it may come as near to it as one likes."""
    s = letter.value
    if not isinstance(s, sp.Symbol):
        raise ClaimError(f"{letter.latex} is no letter that can be given a value")
    for one in _matrix(value.value):
        for kind in ("positive", "nonnegative", "negative", "nonpositive"):
            over = one if kind in ("positive", "nonnegative") else -one
            strictly = kind in ("positive", "negative") and not closed
            if getattr(s, f"is_{kind}") and not (signs.positive if strictly else signs.never_negative)(over):
                raise ClaimError(f"{letter.latex} is {kind}; {value.latex} is not proven to be so")
        if s.is_integer and not one.is_integer or s.is_real and not is_real(one):
            raise ClaimError(f"{letter.latex} is {'whole' if s.is_integer else 'real'}; {value.latex} may not be")


@word
def stumpff(n: Term, x: Term) -> Term:
    """Return the Stumpff function c_n of x."""
    return n.made(stumpff_functions.stumpff(int(n.value), x.value), rf"c_{{{n.latex}}}({x.latex})", ATOM, x)


@word
def stumpff_closed(n: Term, theta: Term) -> Term:
    """Return the Stumpff function c_n of θ², made of the sine and cosine of θ."""
    value = stumpff_functions.closed_form(int(n.value), theta.value)
    closed = n.made(value, rf"c_{{{n.latex}}}({theta.within(ATOM)}^{{2}})", ATOM, theta)
    return replace(closed, excused=closed.excused | {theta.value}).by(stumpff_functions.closed_form).hiding()


@word
def factorial(n: Term) -> Term:
    """Return n!."""
    value = sp.factorial(n.value)
    return n.made(value, f"{n.within(ATOM)}!", POWER).needing(needs_of.of_value(value))


@word
def sin(angle: Term) -> Term:
    """Return the sine."""
    return _function(angle, r"\sin", sp.sin)


@word
def cos(angle: Term) -> Term:
    """Return the cosine."""
    return _function(angle, r"\cos", sp.cos)


@word
def tan(angle: Term) -> Term:
    """Return the tangent, as the sine over the cosine."""
    needs = needs_of.divided_by(sp.cos(angle.value), cos(angle).latex)
    return _function(angle, r"\tan", lambda x: sp.sin(x) / sp.cos(x)).needing(needs)


@word
def sqrt(number: Term) -> Term:
    """Return the square root that is not negative."""
    root = number.made(sp.sqrt(_number(number)), rf"\sqrt{{{number.latex}}}", ATOM)
    needs = needs_of.of_power(_number(number), sp.S.Half)
    return root.needing(frozenset(replace(need, latex=rf"{number.latex} \ge 0") for need in needs))


def _bracketed(x: Term, small: Callable[..., Any], large: Callable[..., Any]) -> Term:
    return x.made(small(x.value) if x.value.rows == 3 else large(x.value), f"[{x.latex}]", ATOM)


def _indexed(x: Term, letters: str, meaning: Callable[..., Any]) -> Term:
    return x.made(meaning(x.value), f"{letters}_{{{x.latex}}}", ATOM)


def _of(x: Term, letters: str, small: Callable[..., Any], large: Callable[..., Any]) -> Term:
    return x.made(_applied(small if x.value.rows == 3 else large, x.value), f"{letters}({x.latex})", ATOM)


@cache
def _in_letters(formula: Callable[..., sp.Matrix], size: int) -> tuple[sp.Matrix, sp.Matrix]:
    """Return a column of letters and the formula of it."""
    letters = sp.Matrix([sp.Dummy(f"x_{i}", real=True) for i in range(size)])
    return letters, formula(letters)


def _applied(formula: Callable[..., sp.Matrix], column: sp.Matrix) -> sp.Matrix:
    """Return a formula of a column, derived once for letters: SymPy would simplify what stands in a long column."""
    letters, derived = _in_letters(formula, column.rows)
    return tag(derived.xreplace(dict(zip(letters, column, strict=True))), tags_of(derived))


def _derivative(f: Term, by: Term, sign: str) -> Term:
    value = f.value.diff(by.value)
    letters = rf"\frac{{{sign}}}{{{sign} {by.latex}}}"
    if f.level >= POWER and len(f.latex) <= 12:
        return _differentiated(f, value, rf"\frac{{{sign} {f.latex}}}{{{sign} {by.latex}}}", by)
    return _differentiated(f, value, rf"{letters}\,{f.within(PRODUCT)}", by)


def _differentiated(f: Term, value: Any, latex: str, by: Term) -> Term:
    made = f.made(value, latex, PRODUCT, by).hiding()
    return made.needing(needs_of.of_derivative(f.value, by.value))


def _matrix(value: Any) -> sp.Matrix:
    return value if isinstance(value, sp.MatrixBase) else sp.Matrix([[value]])


def _function(x: Term, letters: str, meaning: Callable[..., Any]) -> Term:
    inside = x.latex if x.level == ATOM and "(" not in x.latex else rf"\left({x.latex}\right)"
    return x.made(meaning(_number(x)), f"{letters} {inside}", PRODUCT)


def _number(x: Term) -> sp.Expr:
    """Return the value of a term that is a number."""
    value = entry(x.value)
    if isinstance(value, sp.MatrixBase | sp.MatrixExpr):
        raise ClaimError(f"expected a number, got {x.latex} of shape {value.shape}")
    return value
