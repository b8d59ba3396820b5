"""A claim prints the conditions under which it holds, and none that its symbols imply."""

import pytest
import sympy as sp

from lessons_lib.claims import claim
from lessons_lib.claims.notation import integral, sqrt, substitute
from lessons_lib.claims.removable_singularities import has_limit
from lessons_lib.claims.terms import let, matrix, variable, vector
from lessons_lib.errors import ClaimError

x, y = variable("x"), variable("y")
X, Y = x.value, y.value
a = variable("a", sp.Symbol("a", positive=True))
A, B, J, omega = matrix("A", 2, 2), matrix("B", 2, 2), matrix("J", 2, 3), vector("omega")


def test_a_claim_that_is_defined_nowhere_is_refused():
    with pytest.raises(ClaimError, match="defined nowhere"):
        claim("9.3", "0/0", substitute(x**2 / x, x, 0), "=", 0)
    with pytest.raises(ClaimError, match="which may fail for x between"):
        integral(1 / (x**2 - y), x, 0, 1)


def test_a_given_condition_must_be_needed():
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


def test_an_unprinted_divisor_is_a_condition_unless_removable():
    filled, torn = let("f", (x.value**2 - 1) / (x.value - 1)), let("g", 1 / (x.value - 1))
    assert claim("9.8", "filled", filled, "=", x + 1).conditions == ()
    assert claim("9.8", "shown", filled, "=", x + 1, where=[filled]).conditions == (sp.Ne(x.value - 1, 0),)
    assert claim("9.8", "torn", torn * (1 - x), "=", -1).conditions == (sp.Ne(x.value - 1, 0),)


def test_a_given_condition_that_no_point_violates_is_refused():
    with pytest.raises(ClaimError, match="was not tested: no point found violates it alone"):
        claim("9.9", "it holds", x + y, "=", y + x, given=[x.value**4 + x.value + 1 > 0])


@pytest.mark.parametrize(("found", "kept"), [(1, True), (2, False), (-1, False)])
def test_a_limit_exists_where_a_factor_vanishes(found, kept):
    """(y + 1) sin x / x tends to y + 1 at y = 1 too."""
    x, y = sp.symbols("x y", real=True)
    assert has_limit(y - 1, (sp.sin(x) / x * (y + 1),), (found * (y + 1),), x, sp.Integer(0)) is kept
