"""The closed form of the planar 2R at the limits of its reach; tests/robots/test_closed_form.py has the rest."""

import sympy as sp

from lessons_lib.symbolic import planar_2r


def test_a_tip_within_the_tolerance_of_a_limit_counts_as_on_it():
    stretched, folded, tolerance = sp.Integer(3), sp.Rational(-1, 2), sp.Rational(1, 10)
    edges = {stretched - tolerance: 1, stretched + tolerance: 1, -folded - tolerance: 1, -folded + tolerance: 1}
    near = sp.Rational(1, 1000)
    around = {
        stretched - tolerance - near: 2,
        stretched + tolerance + near: 0,
        -folded - tolerance - near: 0,
        -folded + tolerance + near: 2,
    }
    for r, count in (edges | around).items():
        assert planar_2r.count_solutions(r, stretched, folded, tolerance)[0] == count
    for r, gaps in ((stretched, (0, 1)), (-folded, (1, 0))):
        assert tuple(planar_2r.count_solutions(r, stretched, folded, tolerance)[1:]) == gaps
