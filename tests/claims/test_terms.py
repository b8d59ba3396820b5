"""A term prints as written and has the printed value; long lines of a claim are broken at relations."""

import pytest
import sympy as sp

from lessons_lib.claims import claim, is_zero
from lessons_lib.claims.layout import LINE, typeset, width
from lessons_lib.claims.notation import (
    Ad,
    J_l_inverse,
    ad,
    cos,
    cross,
    derivative,
    exp,
    factorial,
    hat,
    identity,
    inverse,
    norm,
    sin,
    stack,
    stumpff,
    stumpff_closed,
    substitute,
    tan,
    vee,
)
from lessons_lib.claims.sums import each, product, total
from lessons_lib.claims.terms import (
    any_pose,
    any_prismatic,
    any_rotation,
    any_screw,
    any_unit,
    let,
    matrix,
    term,
    variable,
    vector,
)
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import quaternion, se3, so3

omega, v, p = (vector(letters) for letters in ("omega", "v", "p"))
xi = let("xi", stack(omega, v))
t, s = variable("t"), variable("s")
T = any_pose("T")
SLOPE, SUM = r"\frac{d}{d t}\,\exp[t\,\omega]", r"\sum_{k=0}^{1} \frac{t^{k}}{\left(k + 1\right)!}"
a, b = sp.symbols("a b", positive=True)


def cases():
    """Return terms with their expected prints and values."""
    return [
        (Ad(T) * xi, r"\mathrm{Ad}_{T}\,\xi", se3.adjoint(T.value) * xi.value),
        (cross(omega, v + p), r"\omega \times \left(v + p\right)", omega.value.cross(v.value + p.value)),
        ((omega + v).T, r"\left(\omega + v\right)^{\mathsf T}", (omega.value + v.value).T),
        (exp((s + t) * omega), r"\exp[\left(s + t\right)\,\omega]", so3.exp((s.value + t.value) * omega.value)),
        (-(omega - v), r"-\left(\omega - v\right)", v.value - omega.value),
        (2 * a * t, r"2 a\,t", 2 * a * t.value),
        (1 / (t + a), r"\frac{1}{t + a}", 1 / (t.value + a)),
        ((t - 1) * (a - b), r"\left(t - 1\right)\,\left(a - b\right)", (t.value - 1) * (a - b)),
        (norm(v) ** 2, r"\|v\|^{2}", v.value.dot(v.value)),
        (v[1], "v_{2}", v.value[1]),
        (J_l_inverse(xi), r"J_l(\xi)^{-1}", se3.left_jacobian_inverse(xi.value)),
        (ad(xi), r"\mathrm{ad}_{\xi}", se3.bracket(xi.value)),
        (vee(hat(v)), r"[v]^{\vee}", v.value),
        (derivative(exp(t * omega), t), SLOPE, so3.exp(t.value * omega.value).diff(t.value)),
        (substitute(t * s, t, 3), r"\left.t\,s\right|_{t = 3}", 3 * s.value),
        (total("i", range(1, 4), lambda i: v[i] * p[i]), r"\sum_{i=1}^{3} v_{i}\,p_{i}", v.value.dot(p.value)),
        (
            product("i", range(1, 3), lambda i: exp(v[i] * omega)) * v,
            r"\left(\prod_{i=1}^{2} \exp[v_{i}\,\omega]\right)\,v",
            so3.exp(v.value[0] * omega.value) * so3.exp(v.value[1] * omega.value) * v.value,
        ),
        (total("k", range(2), lambda k: t**k / factorial(k + 1)), SUM, 1 + t.value / 2),
        (let("J_s", identity(3))[1], "J_{s,2}", sp.Matrix([0, 1, 0])),
        (stumpff_closed(1, t), "c_{1}(t^{2})", sp.sin(t.value) / t.value),
        (sin(s + t) - cos(t), r"\sin \left(s + t\right) - \cos t", sp.sin(s.value + t.value) - sp.cos(t.value)),
        (tan(t), r"\tan t", sp.sin(t.value) / sp.cos(t.value)),
        (stack([omega, v]), r"\begin{bmatrix} \omega & v \end{bmatrix}", omega.value.row_join(v.value)),
    ]


def test_terms_print_as_written_and_have_that_value():
    for written, printed, meant in cases():
        shown = term(written)
        assert shown.latex == printed
        difference = sp.Matrix([shown.value]) - sp.Matrix([meant])
        assert difference.applyfunc(lambda entry: sp.expand(entry.doit())).is_zero_matrix, printed


def test_a_chain_is_proven_link_by_link():
    shown = claim("1.1", "A chain.", (t + 1) ** 2, "=", t**2 + 2 * t + 1, "=", term(1) + t * (t + 2))
    assert shown.formula.count("=") == 2
    with pytest.raises(ClaimError, match="is false"):
        claim("1.1", "A chain with a weak link.", t, "=", t, "=", t + 1)
    bounded = claim("1.2", "A bound.", 2 * term(a) * b, "<=", term(a) ** 2 + term(b) ** 2)
    assert bounded.formula == r"2\,a\,b \le a^{2} + b^{2}"
    with pytest.raises(ClaimError, match="is false"):
        claim("1.2", "A bound that does not hold.", term(a), "<=", term(b))


@pytest.mark.parametrize("wrong", [(t,), (t, "="), (t, "=", t, "="), (t, t, t), (t, "=", "=", t)])
def test_an_invalid_statement_is_refused(wrong):
    with pytest.raises(ClaimError, match=r"claim 1\.1: expected left, '=', right"):
        claim("1.1", "Nothing.", *wrong)


def test_the_scope_lists_the_symbols_of_the_statement():
    def scope(*statement, only=""):
        return claim("1.1", "Something.", *statement, only=only).scope

    assert scope(T * inverse(T), "=", identity(4)) == r"for all $T \in \mathrm{SE}(3)$"
    R = any_rotation("R")
    assert scope(R * v, "=", R * v, only="the 2R").startswith("for the 2R, for all ")
    assert scope(term(a) + b, "=", term(b) + a) == "for all $a, b > 0$"
    assert scope(term(1), "=", 1) == ""
    assert scope(substitute(t * s, t, 2), "=", 2 * s) == r"for all $s \in \mathbb R$"
    M = matrix("M", 2, 3)
    assert scope(M + M, "=", 2 * M) == r"for all $M \in \mathbb R^{2\times 3}$"


def test_any_rotation_parametrizes_all_rotations():
    R = any_rotation("R").value
    assert all(is_zero(entry) for entry in [*(R.T * R - sp.eye(3)), R.det() - 1])
    turn = 2 * omega.value
    meant = quaternion.rotation(quaternion.exp(turn)) - so3.exp(turn)
    assert all(is_zero(entry) for entry in meant)


def test_any_unit_and_the_axis_of_any_screw_have_length_one():
    for column in (any_unit("a").value, sp.Matrix(any_screw("S").value[:3])):
        assert is_zero(column.dot(column) - 1)
    assert sp.Matrix(any_prismatic("S").value[:3]).is_zero_matrix
    poles = [{"a_a": 0, "b_a": 0, "c_a": 1}, {"a_a": 0, "b_a": 1, "c_a": 0}, {"a_a": 1, "b_a": 0, "c_a": 1}]
    reached = [tuple(any_unit("a").value.subs({sp.Symbol(k, real=True): w for k, w in pole.items()})) for pole in poles]
    assert reached == [(0, 0, -1), (0, 0, 1), (1, 0, 0)]


def test_an_indexed_statement_is_proven_for_each_index():
    x = variable("x")
    rule = each("n", range(4), lambda n: (stumpff(n, x), "=", 1 / factorial(n) - x * stumpff(n + 2, x)))
    shown = claim("2.8", "The recurrence.", *rule)
    assert shown.formula.replace(r"\begin{aligned} ", "").startswith(r"c_{n}(x)")
    assert "n = 0, \\dots, 3$" in shown.scope
    with pytest.raises(ClaimError, match="is false"):
        claim("2.8", "Wrong for one number.", *each("n", range(4), lambda n: (n * (n - 1) * (n - 2), "=", 0)))


@pytest.mark.parametrize(
    ("latex", "measured"),  # em, measured with MathJax
    [
        (r"T\,[\xi]\,T^{-1} = [\mathrm{Ad}_{T}\,\xi]", 8.7),
        (r"\exp[\mathrm{Ad}_T\,\xi] = T \exp[\xi]\, T^{-1}", 11.2),
        (r"\begin{bmatrix} I & 0 \\ [p] & I \end{bmatrix}\begin{bmatrix} R & 0 \\ 0 & R \end{bmatrix}", 7.6),
        (r"\|\mathrm{Ad}_T V\|^2 = \|\omega\|^2 + \|v + d \times \omega\|^2", 14.5),
    ],
)
def test_estimated_width_of_latex_is_close_to_the_measured_one(latex, measured):
    assert width(latex) == pytest.approx(measured, rel=0.15)


def test_short_statements_share_a_line_and_long_ones_are_aligned_at_their_relations():
    assert typeset([("a", "=", "b")], [("b", "=", "c")]) == r"a = b, \quad \text{with } b = c"
    long = "+".join("abcdefgh")
    assert typeset([("a", "=", long, "=", long)]) == rf"\begin{{aligned}} a &= {long} \\ &= {long} \end{{aligned}}"


def test_a_side_that_fills_a_line_has_its_own_line():
    long = "+".join("abcdefgh")
    assert width(long) < LINE < 2 * width(long)
    assert typeset([(long, "=", long)]) == rf"\begin{{aligned}} &{long} \\ &\quad = {long} \end{{aligned}}"
