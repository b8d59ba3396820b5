"""The closed form of the planar 2R at the edges of its ring; tests/robots/test_closed_form.py holds the rest."""

import sympy as sp

from lessons_lib.symbolic import planar_2r


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
        assert planar_2r.count_solutions(r, stretched, folded, blur)[0] == count
    for r, gaps in ((stretched, (0, 1)), (-folded, (1, 0))):
        assert tuple(planar_2r.count_solutions(r, stretched, folded, blur)[1:]) == gaps
