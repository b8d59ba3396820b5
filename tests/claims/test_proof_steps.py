"""Each line of a proof is proven before it is printed; false and invalid lines are refused."""

import pytest
import sympy as sp

from lessons_lib.claims import claim
from lessons_lib.claims.notation import cos, cross, hat, sin, zeros
from lessons_lib.claims.terms import let, matrix, variable, vector
from lessons_lib.errors import ClaimError

x, y = variable("x"), variable("y")
a, b = vector("a"), vector("b")
J = matrix("J", 2, 2)


STEPS = (x**2 + 2 * x * y + y**2 - (x**2 - 2 * x * y + y**2), "both squares written out")


def test_a_proof_shows_each_line_and_its_reason():
    proven = claim("9.1", "A square.", (x + y) ** 2 - (x - y) ** 2, "=", 4 * x * y, proof=[STEPS, "the squares cancel"])
    lines = proven.proof.split("\n\n")
    assert [line.count("$") for line in lines] == [2, 2, 2]
    assert lines[0] == r"$\displaystyle \left(x + y\right)^{2} - \left(x - y\right)^{2}$"
    assert lines[1].startswith(r"$\displaystyle \quad = x^{2} + 2\,x\,y")
    assert lines[1].endswith("\N{EM SPACE}*both squares written out*")
    assert lines[2] == "$\\displaystyle \\quad = 4\\,x\\,y$\N{EM SPACE}*the squares cancel*"
    shown = proven._repr_markdown_()
    assert shown.index("✓ *proven*") < shown.index("for all $x, y") < shown.index("<details>") < shown.index(lines[0])
    assert shown.rstrip().endswith("</details>")


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([x * y + 3 * x * y, x**2 + 3 * x * y], "line 2"),
        ([x**2, 4 * x * y + x - x], "line 1"),
        ([(4 * y * x + 1, "off by one")], "line 1"),
    ],
)
def test_a_false_line_is_refused_with_a_counterexample_and_its_number(lines, named):
    with pytest.raises(ClaimError, match=rf"claim 9\.1, {named} of its proof, is false: .* at x = .* left − right = "):
        claim("9.1", "A square.", (x + y) ** 2 - (x - y) ** 2, "=", 4 * x * y, proof=lines)


@pytest.mark.parametrize("lines", [[(x + y) ** 2 - (x - y) ** 2], [4 * x * y], [STEPS, STEPS]])
def test_a_line_that_repeats_its_neighbour_is_refused(lines):
    with pytest.raises(ClaimError, match=r"line \d of its proof: .* repeats the line before it"):
        claim("9.1", "A square.", (x + y) ** 2 - (x - y) ** 2, "=", 4 * x * y, proof=lines)


def test_a_line_may_not_need_further_conditions():
    with pytest.raises(ClaimError, match=r"claim 9\.2: its proof needs the condition x \\ne 0, but the claim"):
        claim("9.2", "A product.", x * y, "=", y * x, proof=[x**2 * y / x])
    assert claim("9.2", "A quotient.", y / x, "=", (y + y) / (2 * x), proof=[y * x / x**2]).proof


def test_a_line_may_not_introduce_a_symbol():
    with pytest.raises(ClaimError, match="the proof uses y before line"):
        claim("9.2", "A square.", x**2, "=", x * x, proof=[x * (x + y) - x * y])


def test_an_equality_is_not_proven_by_an_inequality():
    with pytest.raises(ClaimError, match="a line with '<=' does not prove an equality"):
        claim("9.3", "One.", cos(x) ** 2 + sin(x) ** 2, "=", 1, proof=[("<=", 1 + x**2)])


def test_an_inequality_may_be_proven_by_lines_and_a_lemma():
    a, b = (variable(s, sp.Symbol(s, positive=True)) for s in "ab")
    lemma = (0, "<=", (a - b) ** 2, "=", a**2 + b**2 - 2 * a * b, "a square")
    by_lemma = claim("9.4", "Not more.", 2 * a * b, "<=", a**2 + b**2, proof=[lemma]).proof.split("\n\n")
    assert by_lemma[1].startswith(r"$\displaystyle \quad \le \left(a - b\right)^{2}$")
    assert by_lemma[2].endswith("*a square*")
    by_lines = claim("9.4", "Not more.", 2 * a * b, "<=", a**2 + b**2, proof=[("<=", 2 * a * b + (a - b) ** 2)]).proof
    assert r"\quad \le 2\,a\,b + \left(a - b\right)^{2}" in by_lines
    with pytest.raises(ClaimError, match="line 1 of its proof, is not proven"):
        claim("9.4", "Not more.", 2 * a * b, "<=", a**2 + b**2, proof=[(0, "<", (a - b) ** 2)])


def test_each_of_several_statements_has_its_lines():
    Ja = let("v", J * vector("a", 2))
    first, second = (Ja - Ja, "=", zeros(2)), (cross(a, b), "=", -cross(b, a))
    proof = [[], [hat(a) * b, -hat(b) * a]]
    assert claim("9.5", "Two.", first, second, proof=proof).proof.count(r"\quad =") == 3  # the other is one step
    for wrong in ([hat(a) * b], [[hat(a) * b]]):
        with pytest.raises(ClaimError, match="one list of lines for each of the 2 statements"):
            claim("9.5", "Two.", first, second, proof=wrong)


@pytest.mark.parametrize("line", [(x, y), (x, y, "why"), ("!=", x), ("why", x)])
def test_an_invalid_line_is_refused(line):
    with pytest.raises(ClaimError, match=r"claim 9\.6: a line must be a term, or a tuple"):
        claim("9.6", "Same.", x, "=", x, proof=[line])
