"""A claim prints the conditions under which it holds, and none that its symbols imply."""

from typing import Any

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier

from lessons_lib.claims import claim
from lessons_lib.claims.notation import (
    J_l,
    J_l_inverse,
    cos,
    derivative,
    dot,
    identity,
    integral,
    limit,
    norm,
    sin,
    sqrt,
    stumpff_closed,
    substitute,
)
from lessons_lib.claims.removable_singularities import has_limit
from lessons_lib.claims.terms import Term, let, matrix, term, variable, vector
from lessons_lib.errors import ClaimError

x, y = variable("x"), variable("y")
X, Y = x.value, y.value
a = variable("a", sp.Symbol("a", positive=True))
b = variable("b", sp.Symbol("b", nonnegative=True))
A, B, J, omega = matrix("A", 2, 2), matrix("B", 2, 2), matrix("J", 2, 3), vector("omega")
damped = A.T * A + a**2 * identity(2)

UNDER = {  # left, right, printed conditions
    "a divisor that cancels": (x * y / x, y, [r"x \ne 0"]),
    "a quotient of polynomials": ((x**2 - 1) / (x - 1), x + 1, [r"x \ne 1"]),
    "nested fractions": (1 / (1 + 1 / x), x / (1 + x), [r"x \ne 0", r"x \ne -1"]),
    "an inverse of a product": ((A * B).inv, B.inv * A.inv, [r"\det A \ne 0", r"\det B \ne 0"]),
    "rank": (J * J.T * (J * J.T).inv, identity(2), [r"\operatorname{rank} J = 2"]),
    "a vector": (norm(omega) ** 2 / dot(omega, omega), term(1), [r"\omega \ne 0"]),
    "a root": (sqrt(x) * sqrt(x), x, [r"x \ge 0"]),
    "a root of a quotient": (sqrt(x / y), sqrt(x) / sqrt(y), [r"x \ge 0", "y > 0"]),
    "logarithms": (term(sp.log(X * Y)), term(sp.log(X) + sp.log(Y)), ["x > 0", "y > 0"]),
    "a root of a cube in a divisor": (x**3 / sqrt(x**3), sqrt(x**3), ["x > 0"]),
    "a value for another letter": (substitute(x * y / y, x, 2), term(2), [r"y \ne 0"]),
    "an arc": (term(sp.sin(sp.acos(X))), term(sp.sqrt(1 - X**2)), [r"\left|x\right| \le 1"]),
    "an angle": (
        derivative(term(sp.atan2(Y, X)), x),
        -(y / (x**2 + y**2)),
        [r"\left(y \ne 0 \text{ or } x > 0\right)"],
    ),
    "whole turns": (J_l_inverse(omega) * J_l(omega), identity(3), [r"\|\omega\| \notin 2\pi\{1, 2, \dots\}"]),
    "half turns, and not zero": (
        sin(x) / stumpff_closed(1, x),
        x,
        [r"\left|{x}\right| \notin \pi\{1, 2, \dots\}"],
    ),
    "a quotient beside a function that has its limit": (sin(x) / x, stumpff_closed(1, x), [r"x \ne 0"]),
    "a limit": (limit(x / (x + y), x, 0), term(0), [r"y \ne 0"]),
    "a limit that no zero disturbs": (limit(x**3 / (x**2 + y**2), x, 0), term(0), []),
    "a limit with one divisor too many": (limit(x**2 * y / (x * y + y**2 * (1 + y)), x, 0), term(0), [r"y \ne 0"]),
    "a limit of a letter that is not negative": (limit(b / (b + a * x**2), x, 0), term(1), ["b > 0"]),
    "a sum of waves": (1 / (2 + sin(x) + cos(x)), 1 / (cos(x) + sin(x) + 2), []),
    "a damped inverse": (damped.inv * damped, identity(2), []),
}


def printed_conditions(scope: str) -> list[str]:
    """Return the conditions that a scope prints, in LaTeX."""
    _, _, behind = scope.partition(" with $")
    return behind.removesuffix("$").replace("{x}", "x" if "cos" in behind else "{x}").split("$, $") if behind else []


@pytest.mark.parametrize("case", UNDER)
def test_a_claim_prints_its_conditions(case: str) -> None:
    left, right, wanted = UNDER[case]
    proven = claim("9.1", case, left, "=", right)
    assert sorted(printed_conditions(proven.scope)) == sorted(wanted)
    chains: list[list[Any]] = [[left, "=", right]]
    with mpmath.workdps(50):
        assert Falsifier(chains, (), proven.conditions).counterexample(case) == ""


@pytest.mark.parametrize(("left", "right"), [(sqrt(x**2), x), (sqrt(x**2) / x, term(1))])
def test_a_claim_that_fails_within_its_conditions_is_refused(left: Term, right: Term) -> None:
    with pytest.raises(ClaimError, match="is false"):
        claim("9.2", "a sign", left, "=", right)


def test_a_claim_that_is_defined_nowhere_is_refused() -> None:
    with pytest.raises(ClaimError, match="defined nowhere"):
        claim("9.3", "0/0", substitute(x**2 / x, x, 0), "=", 0)
    with pytest.raises(ClaimError, match="which may fail for x between"):
        integral(1 / (x**2 - y), x, 0, 1)


def test_a_given_condition_must_be_needed() -> None:
    assert claim("9.4", "a root", sqrt(x**2), "=", x, given=[X >= 0]).scope.endswith(r"with $x \ge 0$")
    assert claim("9.4", "less", (1 - a) ** 2, "<", 1, given=[a.value < 2]).conditions == (a.value < 2,)
    with pytest.raises(ClaimError, match="is not needed; remove it"):
        claim("9.4", "idle", (1 - a) ** 2, "=", 1 - 2 * a + a**2, given=[a.value < 2])
    with pytest.raises(ClaimError, match="is false"):
        claim("9.4", "not enough", sqrt(x**2), "=", x, given=[X >= -1])
    with pytest.raises(ClaimError, match="given must list SymPy relations"):
        claim("9.4", "no relation", x, "=", x, given=["x > 0"])
    with pytest.raises(ClaimError, match=r"given must be a list of SymPy relations, got .*; write given=\["):
        claim("9.4", "no list", sqrt(x**2), "=", x, given=X >= 0)
    with pytest.raises(ClaimError, match="a term must be a number, a SymPy expression or a matrix, got None"):
        claim("9.4", "no term", None, "=", x)


def test_an_unprinted_divisor_is_a_condition_unless_removable() -> None:
    filled, torn = let("f", (x.value**2 - 1) / (x.value - 1)), let("g", 1 / (x.value - 1))
    assert claim("9.8", "filled", filled, "=", x + 1).conditions == ()
    assert claim("9.8", "shown", filled, "=", x + 1, where=[filled]).conditions == (sp.Ne(x.value - 1, 0),)
    assert claim("9.8", "torn", torn * (1 - x), "=", -1).conditions == (sp.Ne(x.value - 1, 0),)


def test_a_given_condition_that_no_point_violates_is_refused() -> None:
    with pytest.raises(ClaimError, match="was not tested: no point found violates it alone"):
        claim("9.9", "it holds", x + y, "=", y + x, given=[x.value**4 + x.value + 1 > 0])


@pytest.mark.parametrize(("found", "kept"), [(1, True), (2, False), (-1, False)])
def test_a_limit_exists_where_a_factor_vanishes(found: int, kept: bool) -> None:
    """(y + 1) sin x / x tends to y + 1 at y = 1 too."""
    x, y = sp.symbols("x y", real=True)
    assert has_limit(y - 1, (sp.sin(x) / x * (y + 1),), (found * (y + 1),), x, sp.Integer(0)) is kept
