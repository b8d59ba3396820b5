"""False claims next to each rule of the prover are refused; an independent falsifier refutes each."""

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier

from lessons_lib.claims import claim, notation
from lessons_lib.claims.notation import cos, dot, factorial, integral, limit, norm, sin, sqrt, substitute
from lessons_lib.claims.terms import matrix, term, variable, vector
from lessons_lib.errors import ClaimError


def letter(name, **assumptions):
    """Return a symbol with some assumptions."""
    return variable(name, sp.Symbol(name, **assumptions))


x, y, z, c = variable("x"), variable("y"), variable("z"), letter("c")
X, Y, Z, C = x.value, y.value, z.value, c.value
p, b, low = letter("p", positive=True), letter("b", nonnegative=True), letter("u", nonpositive=True)
N, K, Q = letter("N", integer=True), letter("K", integer=True), letter("Q", integer=True, positive=True)
n, k, P, B = N.value, K.value, p.value, b.value
v, w, A = vector("v"), vector("w"), matrix("A", 2, 3)
f = sp.Function("f")
half = sp.Rational(1, 2)

FALSE = {  # statement, given conditions
    # strictness: each is true with "<=", and the falsifier needs the point of equality
    "1 + cos x may be 0": ((0, "<", 1 + cos(x)), []),
    "2 − sin x − cos y may be 0": ((0, "<", 2 - sin(x) - cos(y)), []),
    "1 − sin x cos y may be 0": ((0, "<", 1 - sin(x) * cos(y)), []),
    "a square": ((0, "<", (x - 1) ** 2), []),
    "two squares": ((0, "<", x**2 + y**2), []),
    "what is not negative": ((0, "<", b), []),
    "p x² + x² y²": ((0, "<", p * x**2 + x**2 * y**2), []),
    "−u": ((0, "<", -low), []),
    "a cube": ((0, "<", b**3), []),
    "a norm": ((0, "<", norm(v)), []),
    "x < 1 from x² ≤ 1": ((x, "<", 1), [X**2 <= 1]),
    "x < x² from x ≥ 1": ((x, "<", x**2), [X >= 1]),
    "1 < x y from x, y ≥ 1": ((1, "<", x * y), [X >= 1, Y >= 1]),
    "x < y by two steps": ((x, "<", y), [X <= Z, Z <= Y]),
    "x² < y² from x ≤ y": ((x**2, "<", y**2), [X >= 0, X <= Y]),
    "a square times z": ((0, "<", (x - y) ** 2 * z), [Z > 0]),
    "x (1 − x) from both ends": ((0, "<", x * (1 - x)), [X >= 0, X <= 1]),
    "Cauchy and Schwarz, strictly": ((dot(v, w) ** 2, "<", dot(v, v) * dot(w, w)), []),
    "the triangle, strictly": ((norm(v + w), "<", norm(v) + norm(w)), []),
    # signs
    "a linear one": ((0, "<=", x), []),
    "x² + y without zero": ((0, "<=", x**2 + y), [sp.Ne(X, 0)]),
    "minus a square": ((0, "<=", -(x**2)), []),
    "a difference of squares": ((0, "<=", x**2 - y**2), []),
    "an indefinite quadratic": ((0, "<=", x**2 + 3 * x * y + y**2), []),
    "p² − p": ((0, "<=", p**2 - p), []),
    "p x": ((0, "<=", p * x), []),
    "b − b²": ((0, "<=", b - b**2), []),
    "an odd power": ((0, "<=", x**3), []),
    "a cubic": ((0, "<=", x**3 + x**2 + 1), []),
    "cos x": ((0, "<=", cos(x)), []),
    "2 + 1/cos x": ((0, "<", 2 + 1 / cos(x)), []),
    "y² + 2 y cos x": ((0, "<=", y**2 + 2 * y * cos(x)), []),
    "a product of waves": ((0, "<=", half + cos(x) * cos(y)), []),
    "a quadratic in cos x": ((0, "<=", 3 * cos(x) ** 2 - 1), []),
    "three letters": ((x * y + y * z + z * x, "<=", half * (x**2 + y**2 + z**2)), []),
    "a norm less than its dot product": ((norm(v) * norm(w), "<=", dot(v, w)), []),
    "the triangle the other way": ((norm(v) + norm(w), "<=", norm(v + w)), []),
    "Cauchy and Schwarz the other way": ((dot(v, v) * dot(w, w), "<=", dot(v, w) ** 2), []),
    "1/x": ((0, "<=", 1 / x), []),
    "x/y from x": ((0, "<=", x / y), [X >= 0]),
    "x (1 − x) outside": ((0, "<=", x * (1 - x)), [X >= 1]),
    "x ≤ 1 from x² ≥ 1": ((x, "<=", 1), [X**2 >= 1]),
    "2 ≤ x from x² ≥ 4": ((2, "<=", x), [X**2 >= 4]),
    "x² ≤ y² from x ≤ y": ((x**2, "<=", y**2), [X <= Y]),
    "1/y ≤ 1/x from x ≤ y": ((1 / y, "<=", 1 / x), [X <= Y]),
    "y ≤ x from x ≤ y": ((y, "<=", x), [X <= Y]),
    "x ≤ y from x ≤ y + 1": ((x, "<=", y), [X <= Y + 1]),
    "x + y ≤ 1 from x² + y² ≤ 1": ((x + y, "<=", 1), [X**2 + Y**2 <= 1]),
    "x y from their sum": ((x * y, "<=", 1), [X + Y <= 2]),
    "the wrong side of a bound": ((sqrt((x - 1) ** 2), "=", x - 1), [1 - X >= 0]),
    # integers
    "a power of −1": ((term((-1) ** n), "=", 1), []),
    "N!": ((factorial(N + 1), "=", N * factorial(N)), []),
    "a binomial": ((term(sp.binomial(n, k)), "=", term(sp.binomial(n, k + 1))), []),
    "Γ": ((term(sp.gamma(X + 1)), "=", (x + 1) * term(sp.gamma(X))), []),
    # complex symbols
    "a root of a complex square": ((sqrt(c**2), "=", c), []),
    "a modulus squared": ((term(sp.Abs(C) ** 2), "=", c**2), []),
    "a complex logarithm": ((term(sp.log(C**2)), "=", 2 * term(sp.log(C))), []),
    "a conjugate": ((term(sp.conjugate(C)), "=", c), []),
    "an arc of a cosine": ((term(sp.acos(sp.cos(C))), "=", c), []),
}


def chain(statement):
    """Return a statement with its sides as terms."""
    return [[part if isinstance(part, str) else term(part) for part in statement]]


@pytest.mark.parametrize("case", FALSE)
def test_a_false_claim_is_refused(case):
    statement, given = FALSE[case]
    with pytest.raises(ClaimError, match=r"is false|is not proven"):
        claim("9.1", "s", *statement, given=given)


def test_the_falsifier_breaks_every_false_claim():
    missed = {}
    with mpmath.workdps(50):
        for case, (statement, given) in FALSE.items():
            breaks = Falsifier(chain(statement), (), given)
            if not breaks.counterexample(case, many=2000):
                missed[case] = statement
    assert set(missed) <= AT_FEW_POINTS


AT_FEW_POINTS = {"x < 1 from x² ≤ 1", "x² < y² from x ≤ y", "x + y ≤ 1 from x² + y² ≤ 1"}
"""Equal at points, or false in a gap, that the falsifier does not sample."""

NOT_REAL = {
    "a square": (0, "<=", c**2),
    "a cosine": (-1, "<=", cos(c)),
    "a shift": (c, "<", c + 1),
    "what is no number of the letters": (0, "<=", term(f(X) ** 2)),
    "i beside a real letter": (0, "<=", term((X + sp.I) ** 2)),
    "a third root of −2": (sp.cbrt(-2), "<=", sp.cbrt(-2)),
    "infinity": (sp.oo, "<=", sp.oo),
}


@pytest.mark.parametrize("case", NOT_REAL)
def test_an_inequality_needs_real_and_finite_sides(case):
    with pytest.raises(ClaimError, match=r"needs (real|finite) sides"):
        claim("9.1", "s", *NOT_REAL[case])


def test_a_condition_of_order_needs_real_sides():
    with pytest.raises(ClaimError, match="c may be complex"):
        claim("9.1", "s", sqrt(c**2), "=", c, given=[C >= 0])
    for wrong in (sp.Max(C, 1), sp.floor(C), sp.atan2(C, 1), sp.Piecewise((1, C > 0), (0, True))):
        with pytest.raises(ClaimError, match="needs real arguments; c may be complex"):
            term(wrong)
    with pytest.raises(ClaimError, match="a norm needs real entries"):
        norm(term(sp.Matrix([C])))


DOMAINS = {  # of a real x, of a complex c
    sp.log: ("x > 0", r"c \ne 0"),
    sp.acos: (r"\left|x\right| \le 1", ""),
    sp.asec: (r"\left|x\right| \ge 1", r"c \ne 0"),
    sp.atan: ("", r"c^{2} + 1 \ne 0"),
    sp.acosh: (r"x \ge 1", ""),
    sp.atanh: (r"\left|x\right| < 1", r"c \ne 1$, $c \ne -1"),
    sp.tan: (r"\cos {x} \ne 0", r"\cos {c} \ne 0"),
    sp.cot: (r"\sin {x} \ne 0", r"\sin {c} \ne 0"),
    sp.tanh: ("", r"\cosh {c} \ne 0"),
    sp.coth: (r"x \ne 0", r"\sinh {c} \ne 0"),
    sp.arg: (r"x \ne 0", r"c \ne 0"),
    sp.sqrt: (r"x \ge 0", ""),
    lambda s: s ** (-half): ("x > 0", r"c \ne 0"),
    lambda s: s**Y: ("x > 0", r"c \ne 0"),
    lambda s: s**P: (r"x \ge 0", ""),
    lambda s: s**n: (r"x \ne 0", r"c \ne 0"),
    sp.Abs: ("", ""),
    f: ("", ""),
}


@pytest.mark.parametrize("function", DOMAINS)
def test_domains_of_functions(function):
    for argument, wanted in zip((X, C), DOMAINS[function], strict=True):
        value = function(argument)
        proven = claim("9.3", "s", term(value), "=", term(value))
        assert set(proven.scope.partition(" with $")[2].removesuffix("$").split("$, $")) == set(wanted.split("$, $"))


def test_a_printed_function_has_the_domain_of_its_value():
    """Although the poles cancel in the product."""
    coth = notation._apply_elementary(x, r"\coth", sp.coth)
    assert claim("9.3", "s", coth * term(sp.sinh(X)), "=", term(sp.cosh(X))).scope.endswith(r" with $x \ne 0$")
    with pytest.raises(ClaimError, match="the domain of erf is not known"):
        notation._apply_elementary(x, r"\operatorname{erf}", sp.erf)


def test_a_condition_with_another_constant_than_a_number_is_printed():
    root = term(sp.sqrt(X + sp.exp(-1)))
    assert claim("9.3", "s", root, "=", root).scope.endswith(r" with $x \ge - \frac{1}{e}$")


def test_integers_below_zero_are_tried():
    with pytest.raises(ClaimError, match=r"is false: .* at N = (-\d|0), left"):
        claim("9.3", "s", term(sp.Abs(n)), "=", N)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (sp.zeta(X), "the domain of zeta is not known"),
        (sp.harmonic(n), "the domain of harmonic is not known"),
        (sp.Derivative(sp.sign(X), X), "the domain of DiracDelta is not known"),
        (sp.Integral(1 / Y, (Y, 1, X)), "use `notation.integral`"),
        (sp.Sum(1 / k, (k, 1, n)), "use `sums.total`"),
        (sp.Subs(1 / X, X, Y), "use `notation.substitute`"),
        (sp.Derivative(n**2, n), "N is an integer"),
        (sp.Derivative(sp.Abs(C), C), "no derivative by a symbol that may be complex"),
        (sp.Piecewise((X, X > 0)), "the last condition of a Piecewise must be True"),
        (sp.binomial(X, Y), "needs integers"),
        (sp.gamma(C), "needs a real argument"),
    ],
)
def test_an_operation_without_a_known_domain_is_refused_by_name(value, said):
    with pytest.raises(ClaimError, match=said):
        term(value)


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        (sp.Derivative(f(sp.Max(X, 1)), X), None),
        (sp.Derivative(sp.floor(X), X), r"\sin {\pi x} \ne 0"),
        (sp.Derivative(sp.Abs(X - 1), X), r"x \ne 1"),
        (sp.Derivative(sp.sqrt(X - 1), X), "x > 1"),
        (sp.Derivative(sp.Piecewise((X, X > 1), (X**2, True)), X), r"x \ne 1"),
        (sp.Derivative(sp.acos(X), X), r"\left|x\right| < 1"),
    ],
)
def test_a_derivative_requires_a_smooth_point(value, condition):
    if condition is None:
        with pytest.raises(ClaimError, match="the domain of"):
            claim("9.4", "s", term(value), "=", term(value))
    else:
        assert claim("9.4", "s", term(value), "=", term(value)).scope.endswith(rf"with ${condition}$")


@pytest.mark.parametrize("kind", ["even", "rational", "extended_real"])
def test_a_symbol_with_an_unprintable_assumption_is_refused(kind):
    with pytest.raises(ClaimError, match=f"assumptions of e must be real, integer or a sign.*{kind}"):
        letter("e", **{kind: True})
    with pytest.raises(ClaimError, match=f"assumptions of e must be real, integer or a sign.*{kind}"):
        claim("9.5", "s", term(sp.Symbol("e", **{kind: True})) + x, "=", term(sp.Symbol("e", **{kind: True})) + x)


def test_a_real_function_is_printed_as_real():
    g, h = sp.Function("g", real=True)(X), sp.Function("h", positive=True)(X)
    assert claim("9.5", "s", 0, "<=", term(g**2)).scope == r"for all $x \in \mathbb R$, real functions $g$"
    with pytest.raises(ClaimError, match="function h is assumed to have a sign"):
        claim("9.5", "s", 0, "<", term(h))
    chained = term(f(2 * X).diff(X))
    assert claim("9.5", "s", chained, "=", chained).conditions == ()


def wrong_places():
    """Return operations with values outside a symbol's domain, and integrals over undefined values."""
    return [
        lambda: substitute(sqrt(p**2), p, -1),
        lambda: substitute(p / p, p, 0),
        lambda: substitute(cos(sp.pi * N), N, half),
        lambda: substitute(sqrt(x**2), x, c),
        lambda: substitute(x, x + 1, 0),
        lambda: limit(sqrt(p**2), p, -1),
        lambda: limit(sqrt(p**2) / p, p, -sp.oo),
        lambda: limit(sin(x) / x, x, y),
        lambda: integral(sqrt(p**2), p, -1, 1),
        lambda: integral(1 / y**2, y, -1, 1),
        lambda: integral(1 / y**2, y, 0, 1),
        lambda: integral(term(sp.tan(Y)), y, 0, 2),
        lambda: integral(sqrt(y), y, -1, 1),
    ]


@pytest.mark.parametrize("wrong", wrong_places())
def test_values_outside_a_domain_and_integrals_over_gaps_are_refused(wrong):
    with pytest.raises(ClaimError):
        wrong()


@pytest.mark.parametrize(
    ("sign", "given"),
    [
        ("<=", [X <= Y]),
        ("<=", [Y - X >= 0]),
        ("<=", [P * X <= P * Y]),
        ("<=", [(1 + Z**2) * X <= (1 + Z**2) * Y]),
        ("<=", [(Y - X) ** 3 >= 0]),
        ("<=", [X <= (X + Y) / 2, (X + Y) / 2 <= Y]),
        ("<=", [sp.Or(X < Y, sp.Eq(X, Y))]),
        ("<=", [X < Y]),
        ("<", [X < Y]),
        ("<", [X <= Y, sp.Ne(X, Y)]),
        ("=", [X <= Y, Y <= X]),
    ],
)
def test_a_condition_that_restates_the_claim_is_refused(sign, given):
    with pytest.raises(ClaimError, match="restates the claim x .* y; give conditions from which it follows"):
        claim("9.6", "s", x, sign, y, given=given)


def test_a_condition_may_concern_other_entries():
    assert claim("9.6", "s", x * y**2, "<=", z * y**2, given=[X <= Z]).conditions == (X <= Z,)
    assert claim("9.6", "s", x, "<=", y + 1, given=[X <= Y]).conditions == (X <= Y,)
    assert claim("9.6", "s", 1, "<", 1 + (1 - x) / p, given=[X < 1]).conditions == (X < 1,)
    with pytest.raises(ClaimError, match="restates the claim"):
        claim("9.6", "s", 0, "<=", x, "<=", x + y**2, given=[X >= 0])


def ill_typed():
    """Return statements that SymPy cannot evaluate."""
    M, one = matrix("M", 2, 2), sp.Symbol("one")
    return [
        lambda: (A.T * A) ** -1,
        lambda: A + M,
        lambda: A * A,
        lambda: M / A,
        lambda: x.T,
        lambda: v[7],
        lambda: dot(v, vector("w", 2)),
        lambda: limit(sin(x) / x, x, y),
        lambda: limit(term(sp.sin(1 / X)), x, 0),
        lambda: claim("9.7", "s", term(sp.cos(M.value)), "=", 1),
        lambda: term("x +"),
        lambda: claim("9.7", "s", sp.nan, "=", sp.nan),
        lambda: claim("9.7", "s", M, "<=", M, given=[M]),
        lambda: claim("9.7", "s", X > 0, "=", X > 0),
        lambda: claim("9.7", "s", sp.Lambda(one, one), "=", sp.Lambda(one, one)),
        lambda: claim("9.7", "s", None, "=", None),
        lambda: claim("9.7", "s", x, "=", x, given=3),
        lambda: claim("9.7", "s", x, "=", x, proof=3),
        lambda: claim("9.7", "s", sp.AccumBounds(0, 1), "<=", 2),
        lambda: claim("9.7", "s", 1, "<", sp.zoo),
        lambda: claim("9.7", "s", x, "=", x + sp.Symbol("e", commutative=False)),
    ]


@pytest.mark.parametrize("wrong", ill_typed())
def test_a_statement_that_sympy_cannot_evaluate_raises_claim_error(wrong):
    with pytest.raises(ClaimError):
        wrong()
