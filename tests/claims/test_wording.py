"""A sentence that says more than an equality requires a stronger statement."""

import re

import pytest
import sympy as sp

from lessons_lib.claims import claim
from lessons_lib.claims.notation import cos, derivative, exp, identity, limit, sin, sqrt
from lessons_lib.claims.terms import term, variable, vector
from lessons_lib.claims.wording import check_words
from lessons_lib.errors import ClaimError

x, y, p = variable("x"), variable("y"), variable("p", sp.Symbol("p", positive=True))
omega = vector("omega")
square = x**2 + (1 - x) ** 2, "=", sp.Rational(1, 2) + 2 * (x - sp.Rational(1, 2)) ** 2
least = sp.Rational(1, 2), "<=", square[0]
EQUALITY = [[term(square[0]), "=", term(square[2])]]
half_turn = sin(x + sp.pi), "=", -sin(x)
pythagoras = cos(x) ** 2, "=", 1 - sin(x) ** 2
there, back = ((exp(omega) * exp(-omega), "=", identity(3)), (exp(-omega) * exp(omega), "=", identity(3)))
root, squared = (sqrt(p**2), "=", p), (sqrt(p) ** 2, "=", p)
inequality, shown, ways, falls = "an inequality", "a '<', a '<=' whose", "both directions as two", "a limit, or a '<'"

REFUSED = [
    ("The best x is a half.", square, "best", inequality),
    ("The best is a half: 0 < 1.", (square, (0, "<", 1)), "best", inequality),  # numbers only
    ("The best x is a half.", (square, (0, "<", p)), "best", inequality),  # a symbol that the other statement lacks
    ("Only a half will do.", square, "Only", shown),
    ("It is a half there, and nowhere else.", square, "nowhere", shown),
    ("Sines are odd about π, and nothing else.", (half_turn, pythagoras), "nothing else", shown),
    ("Only at zero.", (0, "<=", x**2 + 1), "Only", shown),  # never zero
    ("The square undoes the root.", squared, "undoes", ways),
    ("The square undoes the root.", (squared, (p, "=", sqrt(p) ** 2)), "undoes", ways),
    ("The turn undoes its opposite.", (there, there), "undoes", ways),
    ("It tends to a half.", square, "tends", falls),
    ("It tends to 0: what is left is no more.", ((x / 2) ** 2, "<=", x**2), "tends", falls),
]


@pytest.mark.parametrize(("sentence", "statement", "word", "needed"), REFUSED)
def test_a_strong_word_requires_its_statement(sentence, statement, word, needed):
    with pytest.raises(ClaimError, match=rf"^claim 9\.1: '{word}' in .* says more than.*; that word requires {needed}"):
        claim("9.1", sentence, *statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The best x is a half.", least),
        ("The best x is a half.", (square, least)),
        ("Only a half will do.", (square, least)),
        ("Only where both are 0.", (0, "<=", x**2 + y**2)),
        ("Only at one and at minus one.", (0, "<=", (1 - x**2) ** 2)),
        ("The square undoes the root, and the root the square.", (squared, root)),
        ("A turn undoes its opposite.", (there, back)),
        ("Near 0 it tends to 0.", (limit(x**2, x, 0), "=", term(0))),
        ("It tends to 0: what is left is less.", (p / 2, "<", p)),
        ("Least squares are a sum, in the least-squares sense.", square),
        ("It does not depend on the angle.", (cos(x) ** 2 + sin(x) ** 2, "=", 1)),
        ("It depends on x alone.", (x + y - y, "=", x)),
        ("It cannot be negative.", (0, "<=", x**2)),
        ("The slope is continuous.", (derivative(x**2, x), "=", 2 * x)),
    ],
)
def test_a_strong_word_is_accepted_with_its_statement(sentence, statement):
    assert claim("9.2", sentence, *statement).sentence == sentence


STRONG = """
    This is the closest point of the line. The choice minimises the residual. The sum is as small as possible. Nothing
    beats the middle. The right side is tighter. The left side dominates the right one. The left side is bounded. The
    step is too large. The sum stays below one. The sum is monotonic in x. The gap shrinks to a point. The damping
    reduces the error. The sequence is nondecreasing. The larger x, the slower it is. The sum is never zero. It holds
    without exception a half. The loop is unstable there. It is bound to work. The sum can't be zero. The target is
    unreachable. There is no other way. No arm can do so. The point is out of reach. The solution is unique. They are
    equal if and only if x is a half. They are equal precisely when x is a half. The joint must turn. It is zero unless
    x is a half. This rules out the ends. No two values agree. The map is bijective. The turn undoes the other. It goes
    both ways. The rest vanishes in the limit. The iteration converges. The error fades. It is a half in the long run.
    The error becomes arbitrarily small. The sum blows up. The error vanishes as x grows. The sum is continuous. The
    path has no jumps. The map is Lipschitz. The sum does not depend on x. It is so regardless of x. The sum is a half
    because x is. The gap is due to the square. The sum is usually a half. It is a half on average.
    """
"""Sentences that say more than an equality: extrema, order, monotonicity, frequency, uniqueness, limits, causes."""

HARMLESS = """
    The least-squares step solves the normal equations. Steepest descent follows the gradient. The matrix is lower
    triangular. The speed doubles with twice the rate. The remainder has this form. A null motion leaves the tip alone.
    A test of the interest in the request. The torque due to gravity is this product. An infinitesimal rotation is a
    skew matrix. The formula reduces to the law of cosines. The difference is a perfect square. The columns are linearly
    independent vectors of the plane. The velocity in the end-effector frame. The joint is between two links. At a
    certain angle the sine is a half. The required torque is the transpose times the force. The decay rate is the
    product of gain and time. One more step gives the square. The bias of the estimate is this sum.
    """
"""Sentences that say no more, with words that elsewhere do."""


def is_refused(sentence):
    try:
        check_words("9.1", sentence, EQUALITY)
    except ClaimError:
        return True
    return False


def test_a_strong_sentence_is_refused_with_an_equality():
    strong, harmless = (re.findall(r"[A-Z][^.]+\.", " ".join(text.split())) for text in (STRONG, HARMLESS))
    assert len(strong) > 40 and len(harmless) > 15
    assert [sentence for sentence in strong if not is_refused(sentence)] == []
    assert [sentence for sentence in harmless if is_refused(sentence)] == []


def test_a_universal_word_requires_symbols():
    with pytest.raises(ClaimError, match="'all' .* that word requires a statement with letters"):
        claim("9.1", "So it is for all.", 1 + term(1), "=", 2)
    assert claim("9.1", "So it is for all.", x + x, "=", 2 * x)
