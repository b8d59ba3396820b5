"""Plausible statements: the true ones are proven with their conditions, the others refused."""

from typing import Any

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier

from lessons_lib.claims import claim
from lessons_lib.claims.known_signs import map_to_half_line, shift_by_bounds
from lessons_lib.claims.notation import cos, derivative, det, hat, limit, sin, sqrt, tan, tr
from lessons_lib.claims.terms import any_rotation, matrix, term, variable, vector
from lessons_lib.errors import ClaimError

x, y = variable("x"), variable("y")
X, Y = x.value, y.value
a, b = variable("a", sp.Symbol("a", positive=True)), variable("b", sp.Symbol("b", nonnegative=True))
A, B, R = matrix("A", 2, 2), matrix("B", 2, 2), any_rotation("R")
acos, asin, atan, atan2, log = sp.acos, sp.asin, sp.atan, sp.atan2, sp.log
h = sp.Symbol("h", real=True)
quadratic = a * x**2 + 2 * term(h) * x * y + b * y**2
half = sp.Rational(1, 2)

HOLD = {  # statement, given conditions, printed conditions
    "acos of −x": ((term(acos(-X)), "=", sp.pi - acos(X)), [], r"\left|x\right| \le 1"),
    "two roots": ((sqrt(x - 1) * sqrt(x + 1), "=", sqrt(x**2 - 1)), [], r"x \ge 1"),
    "roots of factors": ((sqrt(x * (x - 1)), "=", sqrt(x) * sqrt(x - 1)), [], r"x \ge 1"),
    "a root of a square": ((sqrt((x - 2) ** 2), "=", 2 - x), [X <= 2], r"x \le 2"),
    "twice a point": ((term(atan2(2 * Y, 2 * X)), "=", term(atan2(Y, X))), [], r"x^{2} + y^{2} \ne 0"),
    "a point times a square": ((term(atan2(X**2 * Y, X**3)), "=", term(atan2(Y, X))), [], r"x \ne 0"),
    "log of a square": ((term(log(X**2)), "=", 2 * term(log(X))), [], "x > 0"),
    "a fraction of a fraction": ((1 / (1 / x), "=", x), [], r"x \ne 0"),
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
}
FALSE = {
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


@pytest.mark.parametrize("case", HOLD)
def test_true_statements_are_proven_with_their_conditions(case: str) -> None:
    statement, given, printed = HOLD[case]
    proven = claim("9.1", "It holds.", *statement, given=given)
    assert proven.scope.partition(" with $")[2].removesuffix("$") == printed
    chains: list[list[Any]] = [[part if isinstance(part, str) else term(part) for part in statement]]
    with mpmath.workdps(50):
        assert Falsifier(chains, (), proven.conditions).counterexample(case) == ""


@pytest.mark.parametrize("case", FALSE)
def test_false_statements_are_refused(case: str) -> None:
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
def test_a_statement_that_fails_at_few_points_is_not_proven(statement: Any, given: Any) -> None:
    with pytest.raises(ClaimError, match="is not proven"):
        claim("9.3", "It holds.", *statement, given=given)


def test_an_undefined_operation_is_refused_when_written() -> None:
    with pytest.raises(ClaimError, match=r"has no limit at x = 0: .*left hand limit = -1 and right hand limit = 1"):
        limit(sqrt(x**2) / x, x, 0)
    assert limit(sqrt(b**2) / b, b, 0).value == 1  # b > 0 has no limit from below
    with pytest.raises(ClaimError, match=r"^\[\\omega\] has no inverse: its determinant is zero for all values"):
        hat(vector("omega")).inv  # noqa: B018, refused when written


def test_the_tightest_bound_is_used() -> None:
    (moved,) = shift_by_bounds([X >= -1, X >= 1], [X]).values()
    assert moved.subs(dict.fromkeys(moved.free_symbols, 0)) == 1 and moved.is_positive
    assert shift_by_bounds([X**2 >= 1, X + Y >= 0], [X]) == {} == map_to_half_line([X >= 0], [X])
    (ratio,) = map_to_half_line([X >= 2, X < 5], [X]).values()
    assert [sp.limit(ratio, *ratio.free_symbols, end) for end in (0, sp.oo)] == [2, 5]
