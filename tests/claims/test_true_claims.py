"""True claims are proven with exactly the conditions under which they hold; plausible false ones are refused."""

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier
from test_false_claims import C, N, P, X, Y, Z, b, c, chain, k, n, p, v, w, x, y

from lessons_lib.claims import claim
from lessons_lib.claims.known_signs import map_to_half_line, shift_by_bounds
from lessons_lib.claims.notation import (
    J_l,
    J_l_inverse,
    cos,
    cross,
    derivative,
    det,
    dot,
    factorial,
    hat,
    identity,
    integral,
    limit,
    norm,
    sin,
    sqrt,
    stumpff_closed,
    substitute,
    tan,
    tr,
)
from lessons_lib.claims.terms import any_rotation, matrix, term, variable, vector
from lessons_lib.errors import ClaimError

a = variable("a", sp.Symbol("a", positive=True))
A, B, J, R, omega = matrix("A", 2, 2), matrix("B", 2, 2), matrix("J", 2, 3), any_rotation("R"), vector("omega")
damped = A.T * A + a**2 * identity(2)
acos, asin, atan, atan2, log = sp.acos, sp.asin, sp.atan, sp.atan2, sp.log
h = sp.Symbol("h", real=True)
ANGLE = derivative(term(atan2(Y, X)), x)
quadratic = a * x**2 + 2 * term(h) * x * y + b * y**2

TRUE = {  # statement, given conditions, printed conditions
    "a divisor that cancels": ((x * y / x, "=", y), [], r"x \ne 0"),
    "a quotient of polynomials": (((x**2 - 1) / (x - 1), "=", x + 1), [], r"x \ne 1"),
    "nested fractions": ((1 / (1 + 1 / x), "=", x / (1 + x)), [], r"x \ne 0$, $x \ne -1"),
    "an inverse of a product": (((A * B).inv, "=", B.inv * A.inv), [], r"\det A \ne 0$, $\det B \ne 0"),
    "rank": ((J * J.T * (J * J.T).inv, "=", identity(2)), [], r"\operatorname{rank} J = 2"),
    "a vector": ((norm(omega) ** 2 / dot(omega, omega), "=", 1), [], r"\omega \ne 0"),
    "a root of a quotient": ((sqrt(x / y), "=", sqrt(x) / sqrt(y)), [], r"x \ge 0$, $y > 0"),
    "logarithms": ((term(log(X * Y)), "=", term(log(X) + log(Y))), [], "x > 0$, $y > 0"),
    "a root of a cube in a divisor": ((x**3 / sqrt(x**3), "=", sqrt(x**3)), [], "x > 0"),
    "a value for another letter": ((substitute(x * y / y, x, 2), "=", 2), [], r"y \ne 0"),
    "an angle": ((ANGLE, "=", -(y / (x**2 + y**2))), [], r"\left(y \ne 0 \text{ or } x > 0\right)"),
    "whole turns": ((J_l_inverse(omega) * J_l(omega), "=", identity(3)), [], r"\|\omega\| \notin 2\pi\{1, 2, \dots\}"),
    "half turns": ((sin(x) / stumpff_closed(1, x), "=", x), [], r"\left|{x}\right| \notin \pi\{1, 2, \dots\}"),
    "a quotient beside a function that has its limit": ((sin(x) / x, "=", stumpff_closed(1, x)), [], r"x \ne 0"),
    "a limit": ((limit(x / (x + y), x, 0), "=", 0), [], r"y \ne 0"),
    "a limit that no zero disturbs": ((limit(x**3 / (x**2 + y**2), x, 0), "=", 0), [], ""),
    "a limit with one divisor too many": ((limit(x**2 * y / (x * y + y**2 * (1 + y)), x, 0), "=", 0), [], r"y \ne 0"),
    "a limit of a letter that is not negative": ((limit(b / (b + a * x**2), x, 0), "=", 1), [], "b > 0"),
    "a sum of waves": ((1 / (2 + sin(x) + cos(x)), "=", 1 / (cos(x) + sin(x) + 2)), [], ""),
    "a damped inverse": ((damped.inv * damped, "=", identity(2)), [], ""),
    "acos of −x": ((term(acos(-X)), "=", sp.pi - acos(X)), [], r"\left|x\right| \le 1"),
    "two roots": ((sqrt(x - 1) * sqrt(x + 1), "=", sqrt(x**2 - 1)), [], r"x \ge 1"),
    "roots of factors": ((sqrt(x * (x - 1)), "=", sqrt(x) * sqrt(x - 1)), [], r"x \ge 1"),
    "a root of a square": ((sqrt((x - 2) ** 2), "=", 2 - x), [X <= 2], r"x \le 2"),
    "twice a point": ((term(atan2(2 * Y, 2 * X)), "=", term(atan2(Y, X))), [], r"x^{2} + y^{2} \ne 0"),
    "a point times a square": ((term(atan2(X**2 * Y, X**3)), "=", term(atan2(Y, X))), [], r"x \ne 0"),
    "log of a square": ((term(log(X**2)), "=", 2 * term(log(X))), [], "x > 0"),
    "a determinant of an inverse": ((det(A.inv), "=", 1 / det(A)), [], r"\det A \ne 0"),
    "a square to be completed": ((0, "<=", X**2 * Y**2 + 2 * X * Y + Y**2 + 1), [], ""),
    "a parabola": ((4 * x * (1 - x), "<=", 1), [], ""),
    "a saturation": ((b / (1 + b), "<", 1), [], ""),
    "waves": ((0, "<=", (2 - cos(x)) * (1 + cos(x))), [], ""),
    "between 0 and 1": ((x**2, "<=", x), [X >= 0, X <= 1], r"x \ge 0$, $x \le 1"),
    "the cosine in a trace": ((-1, "<=", tr(R), "<=", 3), [], ""),
    "the slope of acos": ((derivative(term(acos(X)), x), "=", -1 / sqrt(1 - x**2)), [], r"\left|x\right| < 1"),
    "one square is enough": ((0, "<", x**2 + y**2), [sp.Ne(X, 0)], r"x \ne 0"),
    "what is halved": ((tan(x / 2), "=", (1 - cos(x)) / sin(x)), [], r"\sin {x} \ne 0"),
    "a sum of tangents": (
        (tan(x + y), "=", (tan(x) + tan(y)) / (1 - tan(x) * tan(y))),
        [],
        r"\cos {x} \ne 0$, $\cos {y} \ne 0$, $\cos \left(x + y\right) \ne 0",
    ),
    "an inverse of a sum": (
        ((A + B).inv, "=", A.inv - A.inv * (A.inv + B.inv).inv * A.inv),
        [],
        r"\det A \ne 0$, $\det B \ne 0$, $\det \left(A + B\right) \ne 0",
    ),
    "a quadratic": ((0, "<=", quadratic), [a.value * b.value - h**2 > 0], r"a b - h^{2} > 0"),
    "a complex wave": ((sin(c) ** 2 + cos(c) ** 2, "=", 1), [], ""),
    "a complex divisor": ((c / c, "=", 1), [], r"c \ne 0"),
    "a complex root with a real one": ((sqrt(c * x), "=", sqrt(c) * sqrt(x)), [], r"x \ge 0"),
    "a complex logarithm": ((term(sp.exp(sp.log(C))), "=", c), [], ""),
    "a real part squared": ((0, "<=", term(sp.re(C) ** 2 + sp.im(C) ** 2)), [], ""),
    "factorials": ((factorial(N + 1), "=", (N + 1) * factorial(N)), [], r"N \ge 0"),
    "binomials": ((term(sp.binomial(n, k)), "=", term(sp.binomial(n, n - k))), [], r"N \ge 0"),
    "Γ": ((term(sp.gamma(X + 1)), "=", x * term(sp.gamma(X))), [], r"x \notin \{0, -1, -2, \dots\}"),
    "Γ of p": ((term(sp.gamma(P + 1)), "=", p * term(sp.gamma(P))), [], ""),
    "a slope of |x|": ((term(sp.Derivative(sp.Abs(X), X)), "=", term(sp.sign(X))), [], r"x \ne 0"),
    "a slope of a root": ((term(sp.Derivative(sp.sqrt(X), X)), "=", 1 / (2 * sqrt(x))), [], "x > 0"),
    "an integral of 1/y": ((integral(1 / y, y, 1, x), "=", term(sp.log(X))), [], "x > 0"),
    "Cauchy and Schwarz": ((dot(v, w) ** 2, "<=", dot(v, v) * dot(w, w)), [], ""),
    "the triangle": ((norm(v + w), "<=", norm(v) + norm(w)), [], ""),
    "a cross product": ((dot(cross(v, w), cross(v, w)), "<=", dot(v, v) * dot(w, w)), [], ""),
    "1/x": ((1 / x, "<", 1), [X > 1], "x > 1"),
    "1 < x y": ((1, "<", x * y), [X > 1, Y > 1], "x > 1$, $y > 1"),
    "a ball": ((x, "<=", 1), [X**2 <= 1], r"x^{2} \le 1"),
    "a disk": ((x + y, "<=", 2), [X**2 + Y**2 <= 2], r"x^{2} + y^{2} \le 2"),
    "squares in order": ((x**2, "<=", y**2), [X >= 0, X <= Y], r"x \ge 0$, $x \le y"),
    "reciprocals in order": ((1 / y, "<", 1 / x), [X > 0, X < Y], "x > 0$, $x < y"),
    "two steps": ((x, "<", y), [X < Z, Z <= Y], r"x < z$, $z \le y"),
    "a quotient": ((0, "<", x / y), [X < 0, Y < 0], "x < 0$, $y < 0"),
}


@pytest.mark.parametrize("case", TRUE)
def test_a_true_claim_is_proven_where_it_holds(case):
    statement, given, printed = TRUE[case]
    proven = claim("9.1", "It holds.", *statement, given=given)
    assert proven.scope.partition(" with $")[2].removesuffix("$") == printed
    assert not given or all(s.name in proven.scope for one in given for s in one.free_symbols)
    if not any(term(side).value.has(sp.Derivative) for side in statement[::2]):
        with mpmath.workdps(50):
            assert Falsifier(chain(statement), (), proven.conditions).counterexample(case) == ""


FALSE = {
    "a root of a square": (sqrt(x**2), "=", x),
    "a root over its base": (sqrt(x**2) / x, "=", 1),
    "x for |x| under a root": (sqrt(x**2 * y), "=", x * sqrt(y)),
    "a point times a number of any sign": (term(atan2(X * Y, X**2)), "=", term(atan2(Y, X))),
    "the opposite point": (term(atan2(-Y, -X)), "=", term(atan2(Y, X))),
    "atan for atan2": (term(atan2(Y, X)), "=", term(atan(Y / X))),
    "atan of 1/x": (term(atan(X) + atan(1 / X)), "=", sp.pi / 2),
    "asin of sin": (term(asin(sp.sin(X))), "=", x),
    "acos of −x without its constant": (term(acos(-X)), "=", -term(acos(X))),
    "inverses in the wrong order": ((A * B).inv, "=", A.inv * B.inv),
    "a square over a number": (x, "<=", x**2),
    "a sum of waves": (sin(x) + cos(x), "<=", 1),
    "a square less a number below": (0, "<=", 1 / (x**2 - 1)),
}


@pytest.mark.parametrize("case", FALSE)
def test_false_statements_are_refused(case):
    with pytest.raises(ClaimError, match="is false"):
        claim("9.2", "It holds.", *FALSE[case])


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ((term(atan2(sp.sin(X), sp.cos(X))), "=", x), []),  # false from π on, beyond the random numbers
        ((x * (1 - x), "<", sp.Rational(1, 4)), []),  # equal at ½
        ((x**2, "<", x), [X > 0, X <= 1]),  # equal at 1
        ((0, "<", quadratic), [a.value * b.value - h**2 > 0]),  # equal at 0
    ],
)
def test_a_statement_that_fails_at_few_points_is_not_proven(statement, given):
    with pytest.raises(ClaimError, match="is not proven"):
        claim("9.3", "It holds.", *statement, given=given)


def test_an_undefined_operation_is_refused_when_written():
    with pytest.raises(ClaimError, match=r"has no limit at x = 0: .*left hand limit = -1 and right hand limit = 1"):
        limit(sqrt(x**2) / x, x, 0)
    assert limit(sqrt(b**2) / b, b, 0).value == 1  # b > 0 has no limit from below
    with pytest.raises(ClaimError, match=r"^\[\\omega\] has no inverse: its determinant is zero for all values"):
        hat(vector("omega")).inv  # noqa: B018, refused when written


def test_the_tightest_bound_is_used():
    (moved,) = shift_by_bounds([X >= -1, X >= 1], [X]).values()
    assert moved.subs(dict.fromkeys(moved.free_symbols, 0)) == 1 and moved.is_positive
    assert shift_by_bounds([X**2 >= 1, X + Y >= 0], [X]) == {} == map_to_half_line([X >= 0], [X])
    (ratio,) = map_to_half_line([X >= 2, X < 5], [X]).values()
    assert [sp.limit(ratio, *ratio.free_symbols, end) for end in (0, sp.oo)] == [2, 5]
