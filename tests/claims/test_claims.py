"""The prover proves true claims, refutes false ones, and never calls an undecided one proven."""

import re

import pytest
import sympy as sp

from lessons_lib.claims import Claim, claim
from lessons_lib.errors import ClaimError, LessonsError
from lessons_lib.symbolic import so3, stumpff

x, y, z = sp.symbols("x y z", real=True)
a, b = sp.symbols("a b", positive=True)
whole = sp.Symbol("k", integer=True)
sine_and_cosine = sp.sin(x) ** 2 + sp.cos(x) ** 2

TRUE = {
    "an angle sum": (sp.sin(x + y), sp.sin(x) * sp.cos(y) + sp.cos(x) * sp.sin(y)),
    "a root beside a sine": (sp.sqrt(a) * sine_and_cosine, sp.sqrt(a)),
    "an exponential beside a sine": (sp.exp(x + y) * sine_and_cosine, sp.exp(x) * sp.exp(y)),
    "an unknown function": (sp.Function("f")(x) * sine_and_cosine, sp.Function("f")(x)),
    "the recurrence": (stumpff(3, x), sp.Rational(1, 6) - x * stumpff(5, x)),
    "the recurrence of a sum": (stumpff(1, x**2 + y**2), 1 - (x**2 + y**2) * stumpff(3, x**2 + y**2)),
    "an unfinished derivative": (sp.Derivative(sp.sin(x), x), sp.cos(x)),
    "true for positive symbols": (sp.sqrt(a**2), a),
    "true for integers": (sp.cos(2 * sp.pi * whole), 1),
    "matrices": (so3.hat(sp.Matrix([x, y, z])).T, -so3.hat(sp.Matrix([x, y, z]))),
    "mutable and immutable matrices": (sp.ImmutableMatrix([x]), sp.Matrix([x])),
}

FALSE = {
    "a sign in a recurrence": (stumpff(3, x), sp.Rational(1, 6) + x * stumpff(5, x)),
    "true only for positive values": (sp.sqrt(x**2), x),
    "true only at integers": (sp.sin(sp.pi * x), 0),
    "one entry of a matrix": (sp.Matrix([x, y, z]), sp.Matrix([x, y, -z])),
    "an infinite side": (sp.zoo, 0),
    "off by a little": (x + sp.Rational(1, 10**12), x),
}


def as_statement(sides):
    """Return two sides with the relation between them."""
    return sides[0], "=", sides[1]


@pytest.mark.parametrize("case", TRUE)
def test_a_true_identity_is_proven(case):
    proven = claim("9.1", case, *as_statement(TRUE[case]))
    assert isinstance(proven, Claim)
    assert (proven.label, proven.sentence) == ("9.1", case)


@pytest.mark.parametrize("case", FALSE)
def test_a_false_identity_is_refuted(case):
    with pytest.raises(ClaimError, match=r"claim 9\.1 is false: .* left − right = ") as caught:
        claim("9.1", case, *as_statement(FALSE[case]))
    assert isinstance(caught.value, LessonsError)


def test_the_counterexample_contradicts_the_claim():
    left, right = FALSE["a sign in a recurrence"]
    with pytest.raises(ClaimError) as caught:
        claim("9.1", "wrong sign", left, "=", right)
    found = re.search(r"at x = (\S+), left − right = (\S+)", str(caught.value))
    assert found is not None
    difference = (left - right).subs(x, sp.Rational(found[1])).evalf(20)
    assert difference == pytest.approx(float(found[2]), rel=1e-5)  # printed with six digits
    assert abs(difference) > 1e-3


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sp.nan, 0),
        (x / 10**20, 0),  # false, but by less than the counterexample search requires
        (sp.atan2(sp.sin(x), sp.cos(x)) * 0 + sp.Function("f")(x), 0),
    ],
)
def test_an_undecided_claim_is_not_proven(left, right):
    with pytest.raises(ClaimError, match=r"claim 9\.2 is not proven"):
        claim("9.2", "a doubt", left, "=", right)


def test_a_hidden_zero_over_zero_is_not_proven():
    zero = sine_and_cosine - 1
    with pytest.raises(ClaimError):
        claim("9.3", "nothing over nothing is seven", zero / (zero * sp.sin(x) + 2 * zero), "=", 7)


@pytest.mark.parametrize(
    ("left", "right"),
    [(2 * a * b, a**2 + b**2), (a / (a**2 + b**2), 1 / (2 * b)), (2, 3), (sp.Matrix([0, -a]), sp.Matrix([x**2, b]))],
)
def test_a_true_inequality_is_proven(left, right):
    assert r" \le " in claim("9.4", "not more", left, "<=", right).formula


@pytest.mark.parametrize(("left", "right"), [(a**2, a), (a / (a**2 + b**2), 1 / (3 * b)), (3, 2), (x, 0)])
def test_a_false_inequality_is_refuted(left, right):
    with pytest.raises(ClaimError, match=r"claim 9\.5 is false: .* left − right = [0-9.]+$"):
        claim("9.5", "not more", left, "<=", right)


def test_an_inequality_beyond_the_sign_rules_is_not_proven():
    with pytest.raises(ClaimError, match="does not follow from the assumptions on its symbols"):
        claim("9.6", "a true one that needs calculus", sp.sin(a), "<=", a)


@pytest.mark.parametrize("other", [sp.eye(3), sp.zeros(2, 3), 1, x])
def test_sides_of_different_shapes_are_refused(other):
    with pytest.raises(ClaimError, match=r"claim 9\.7 compares shapes \(2, 2\) and .*both sides must have the same"):
        claim("9.7", "two shapes", sp.eye(2), "=", other)


def test_a_claim_shows_itself_as_mathematics():
    shown = claim("9.9", "Squares do not turn negative.", 0, "<=", x**2)
    assert shown._repr_markdown_() == (
        "**Claim 9.9.** Squares do not turn negative.\n\n$$\n0 \\le x^{2}\n$$\n\n✓ *proven*\n\n"
        "for all $x \\in \\mathbb R$\n\n<details><summary>Proof</summary>\n\n"
        "Checked with SymPy: right minus left consists of squares and of terms with a known sign.\n\n</details>"
    )
    assert repr(shown) == "Claim 9.9: Squares do not turn negative. (proven)"
    side = r"c_{2}\!\left(x\right)"
    assert claim("9.9", "s", stumpff(2, x), "=", stumpff(2, x)).formula == f"{side} = {side}"
