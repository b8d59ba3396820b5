"""A camera stays on its bracket only by the adjoint."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from lessons_lib import course, lie

V_B = np.array([0, 0, 0.5, 2, 0, 0])

six = st.lists(st.floats(-2.0, 2.0, allow_subnormal=False), min_size=6, max_size=6).map(np.array)


@settings(deadline=None)  # the first call compiles
@given(six, six, st.floats(0.1, 2.0))
def test_only_the_adjoint_keeps_a_camera_on_its_bracket(V_b, pose, seconds):
    T_bc = lie.exp_se3(pose)
    V_c = lie.adjoint(lie.inverse(T_bc)) @ V_b
    metres, degrees = course.ride_gap(V_b, T_bc, V_c, seconds)
    assert metres < 1e-12 and degrees < 1e-11  # roundings of rotations up to 7 rad, in degrees


def test_the_ride_draws_every_guess_to_its_end(ax):
    T_bc = lie.exp_se3([0, 0, -1.0, 0, 0, 0])
    T_bc[:3, 3] = 2.7, 0.6, 1.2
    guesses = {"copied": V_B, "right": lie.adjoint(lie.inverse(T_bc)) @ V_B}
    ends = course.draw_ride(ax, V_B, T_bc, guesses, seconds=1.0)
    np.testing.assert_allclose(ends[1], (expm(lie.hat_se3(V_B)) @ T_bc)[:3, 3], rtol=0, atol=1e-14)
    curves = {line.get_label(): line.get_xydata() for line in ax.get_lines()}
    np.testing.assert_allclose(curves["right"], curves["bracket"], rtol=0, atol=1e-13)
    np.testing.assert_array_equal(curves["copied"][-1], ends[0, :2])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["bracket", "copied", "right"]
