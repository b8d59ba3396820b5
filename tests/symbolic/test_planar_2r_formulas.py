"""The closed form of the planar 2R: each formula against the chain that the product of exponentials derives."""

import mpmath
import pytest
import sympy as sp

from lessons_lib.symbolic import is_zero, open_chain, planar_2r, se3

L_1, L_2, r = sp.symbols("L_1 L_2 r", positive=True)
q_1, q_2, x, y = sp.symbols("q_1 q_2 x y", real=True)


def test_the_two_sums_are_the_product_of_exponentials() -> None:
    screws = sp.Matrix([[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -L_1, 0]]).T
    home = se3.pose(sp.eye(3), sp.Matrix([L_1 + L_2, 0, 0]))
    chain = open_chain.derive(screws, home, (q_1, q_2))
    position = sp.Matrix(se3.position(chain.expand(chain.T))[:2])
    assert all(is_zero(entry) for entry in planar_2r.corners(q_1, q_2, L_1, L_2)[1] - position)


def test_the_elbow_is_a_link_away_from_base_and_tip() -> None:
    elbow, tip = planar_2r.corners(q_1, q_2, L_1, L_2)
    assert is_zero((elbow.T * elbow)[0] - L_1**2)
    assert is_zero(((tip - elbow).T * (tip - elbow))[0] - L_2**2)


def test_the_sign_of_the_folded_reach_does_not_matter() -> None:
    one, other = planar_2r.gaps(r, L_1 + L_2, L_1 - L_2), planar_2r.gaps(r, L_1 + L_2, L_2 - L_1)
    assert (one - other).expand() == sp.zeros(2, 1)


@pytest.mark.parametrize("elbow", [1, -1])
@pytest.mark.parametrize(
    ("point", "lengths"),
    [((0.366, 1.366), (1, 1)), ((-1.1, -0.2), (1, 0.7)), ((0.31, 0.02), (0.7, 1)), ((0, -1.2), (0.4, 0.9))],
)
def test_the_angles_reach_the_point_to_forty_digits(
    elbow: int, point: tuple[float, float], lengths: tuple[float, float]
) -> None:
    tip, links = sp.Matrix(point).applyfunc(sp.nsimplify), sp.Matrix(lengths).applyfunc(sp.nsimplify)
    gaps = planar_2r.gaps(sp.sqrt((tip.T * tip)[0]), links[0] + links[1], links[0] - links[1])
    found = planar_2r.angles(tip, gaps, links, elbow)
    with mpmath.workdps(50):
        one, two = (mpmath.mpf(angle.evalf(50)) for angle in found)
        assert mpmath.sign(two) == elbow
        for got, function, wanted in zip(tip, (mpmath.cos, mpmath.sin), point, strict=True):
            reached = lengths[0] * function(one) + lengths[1] * function(one + two)
            # 1e-15: the lengths and points above are decimals, which a double holds to 16 digits
            assert abs(reached - mpmath.mpf(wanted)) < 1e-15, got


def test_at_the_base_every_direction_will_do() -> None:
    g_out, g_in = planar_2r.gaps(0, 2 * L_1, 0)
    lever = planar_2r.lever(g_out, g_in, L_1, L_1, 1)
    assert lever == sp.zeros(2, 1)
    assert planar_2r.shoulder_direction(sp.zeros(2, 1), lever) == sp.zeros(2, 1)
    assert planar_2r.elbow_angle(g_out, g_in, 1) == sp.pi


def test_a_tip_just_as_far_off_an_edge_as_the_blur_is_on_it() -> None:
    stretched, folded, blur = sp.Integer(3), sp.Rational(-1, 2), sp.Rational(1, 10)
    edges = {stretched - blur: 1, stretched + blur: 1, -folded - blur: 1, -folded + blur: 1}
    near = sp.Rational(1, 1000)
    around = {
        stretched - blur - near: 2,
        stretched + blur + near: 0,
        -folded - blur - near: 0,
        -folded + blur + near: 2,
    }
    for r, count in (edges | around).items():
        assert planar_2r.answers(r, stretched, folded, blur)[0] == count
    for r, gaps in ((stretched, (0, 1)), (-folded, (1, 0))):
        assert tuple(planar_2r.answers(r, stretched, folded, blur)[1:]) == gaps
