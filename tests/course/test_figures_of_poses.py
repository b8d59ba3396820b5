"""Drawings of poses, logarithms and Jacobians show the numbers of the library."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from lessons_lib import course, lie, robots
from lessons_lib.course.inverse_kinematics.figures import nearest_configuration
from lessons_lib.course.robot_models.figures import ALPHA, THETA, A, D, row_points
from lessons_lib.course.rotation_logarithm.figures import measured_errors
from lessons_lib.course.singularities.figures import semi_axes, tip_velocities
from lessons_lib.symbolic.stumpff_functions import crossover, recurrence_error, series_error

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


def arms(ax, pale=False):
    """Return the links of each visible arm, solid or pale."""
    thick = [line for line in ax.lines if line.get_visible() and line.get_linewidth() == 5.0]
    return [line for line in thick if ((line.get_alpha() or 1.0) < 1.0) == pale]


def is_drawn(ax, points):
    """Return whether a line or a marker has exactly these points."""
    seen = [line.get_xydata() for line in ax.lines if line.get_visible()]
    return any(line.shape == np.shape(points) and np.allclose(line, points, atol=1e-12) for line in seen)


def test_both_arms_end_at_the_target_in_two_colours(ax):
    reach = course.draw_reach(ax, (1.0, 0.7), 1.0, 0.6)
    assert np.abs(np.array([arm.get_xydata()[-1] for arm in arms(ax)]) - (1.0, 0.7)).max() < 1e-15
    assert reach.solutions[0, 1] > 0, "blue is the solution with q₂ > 0"
    assert arms(ax, pale=True) == []
    assert is_drawn(ax, [[1.0, 0.7]])


@pytest.mark.parametrize(
    ("tip", "lengths", "reached"),
    [
        ((3.0, 0.0), (1.0, 0.6), (1.6, 0.0)),
        ((0.0, -2.0), (1.0, 1.0), (0.0, -2.0)),
        ((0.0, -4.0), (1.0, 1.0), (0.0, -2.0)),
        ((0.1, 0.0), (1.0, 0.6), (0.4, 0.0)),
        ((0.0, 0.1), (0.6, 1.0), (0.0, 0.4)),
        ((0.0, 0.0), (1.0, 0.6), (0.4, 0.0)),
    ],
)
def test_the_nearest_arm_ends_on_the_edge_towards_the_target(tip, lengths, reached):
    q = nearest_configuration(np.array(tip), *lengths)
    assert np.abs(robots.planar_2r_corners(q, *lengths)[2] - reached).max() < 1e-15


def test_on_the_base_of_equal_links_a_fan(ax):
    course.draw_reach(ax, (0.0, 0.0), 0.8, 0.8)
    fan = arms(ax, pale=True)
    assert len({tuple(arm.get_xydata()[1].round(9)) for arm in fan}) == len(fan) == 12
    assert np.abs([arm.get_xydata()[-1] for arm in fan]).max() < 1e-15


@pytest.mark.parametrize(
    ("lengths", "radii"), [((1.0, 0.6), (1.6, 0.4)), ((0.6, 1.0), (1.6, 0.4)), ((0.8, 0.8), (1.6, 0))]
)
def test_the_ring_has_the_edges_of_the_reach(ax, lengths, radii):
    course.draw_reach(ax, (0.5, 0.0), *lengths)
    (ring,) = ax.patches
    edges = [line for line in ax.lines if len(line.get_xydata()) > 12]
    for edge, radius in zip(edges, radii, strict=True):
        assert np.abs(np.hypot(*edge.get_data()) - radius).max() < 1e-12
    assert ring.r == pytest.approx(radii[0])
    corners = ring.get_path().transformed(ring.get_patch_transform()).vertices
    distances = np.hypot(*corners.T)
    assert distances.max() < radii[0] * 1.1, "a circle's control points lie a little outside"
    assert ring.width == (pytest.approx(radii[0] - radii[1]) if radii[1] else None)


def test_the_angle_labels_are_at_their_joints(ax):
    course.draw_angles(ax, np.radians([30, 60]), 1.0, 0.6)
    places = {text.get_text(): np.array(text.get_position()) for text in ax.texts if text.get_text().startswith("$")}
    assert set(places) == {"$q_1$", "$q_2$", "$L_1$", "$L_2$", "$r$"}
    elbow = np.array([np.cos(np.pi / 6), 0.5])
    tip = elbow + (0.0, 0.6)  # the second link points straight up
    assert is_drawn(ax, [(0.0, 0.0), tip])
    assert (places["$r$"] - tip / 2) @ tip == pytest.approx(0.0, abs=1e-12)  # beside the middle of its line
    assert np.degrees(np.arctan2(*places["$q_1$"][::-1])) == pytest.approx(15.0)
    assert np.degrees(np.arctan2(*(places["$q_2$"] - elbow)[::-1])) == pytest.approx(60.0)  # 30° and half of 60°


def test_the_normal_ends_where_the_row_ends():
    row = robots.from_dh([(A, ALPHA, D, THETA)], "standard").home
    at = row_points()
    assert at["end"] == pytest.approx(row[:3, 3], abs=1e-15)
    assert at["next"] == pytest.approx(row[:3, 2], abs=1e-15)
    assert at["normal"] == pytest.approx(row[:3, 0], abs=1e-15)


def test_the_normal_is_perpendicular_to_both_axes():
    at = row_points()
    along = at["end"] - at["foot"]
    assert np.linalg.norm(along) == pytest.approx(A, abs=1e-15)
    assert abs(along[2]) < 1e-15
    assert abs(along @ at["next"]) < 1e-15


AXES = course.oblique_axes(np.random.default_rng(7), 12)


def off_by_a_milliradian(R):
    return lie.log_so3(R) + np.array([1e-3, 0.0, 0.0])


@pytest.mark.parametrize("angle", [0.0, 1e-8, 1.0, np.pi - 1e-6, np.pi])
def test_a_right_logarithm_has_no_more_than_rounding(angle):
    def scipy_log(R):
        return Rotation.from_matrix(R).as_rotvec()

    # SciPy goes by way of a quaternion: a few dozen roundings of 1e-16
    assert course.worst_errors(scipy_log, AXES, [angle]).max() < 1e-14
    assert course.worst_errors(lie.log_so3, AXES, [angle]).max() < 5e-15


def test_an_error_of_the_arrow_is_seen_in_its_size():
    # at the identity an arrow of length ε moves two entries by ε and the others by ε²
    assert course.round_trip_error(off_by_a_milliradian, np.eye(3)) == pytest.approx(1e-3, rel=1e-6)


@pytest.mark.parametrize(
    ("error", "text"), [(2e-9, "1e-09"), (9e-4, "1e-03"), (1.5, "1e+00"), (0.0, "0"), (np.inf, "not a number")]
)
def test_an_error_is_said_to_the_nearest_power_of_ten(error, text):
    assert course.order_of_magnitude(error) == text


def test_the_picture_shows_numbers_as_curves_and_no_number_as_crosses(ax):
    gaps = np.array([1e-3, 1e-1])
    drawn = course.draw_log_errors(ax, {"off": off_by_a_milliradian, "none": lambda R: np.full(3, np.nan)}, AXES, gaps)
    curves = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_array_equal(curves["off"].get_ydata(), drawn["off"])
    assert len(curves["none"].get_xdata()) == 0
    crosses = [line for line in ax.get_lines() if line.get_marker() == "x" and len(line.get_xdata())]
    np.testing.assert_array_equal(crosses[0].get_xdata(), gaps)


def test_each_formula_is_the_better_one_on_its_side_of_the_switch():
    skew, symmetric = course.branch_errors(AXES, [0.05, np.pi / 2, np.pi - 0.01])
    assert symmetric[0] > 5 * skew[0]
    assert skew[2] > 5 * symmetric[2]
    assert max(skew[0], skew[1], symmetric[1], symmetric[2]) < 3e-15  # about twenty roundings


def test_the_drawn_predictions_are_within_a_factor_of_the_measured_errors(ax):
    """The analysis leaves out constants near 1; the two formulas' errors vary over a factor of a hundred."""
    turns = np.array([0.05, 0.4, np.pi - 0.4, np.pi - 0.05])
    errors = course.draw_branches(ax, AXES, turns)
    for measured, line in zip(errors, ax.get_lines()[1:4:2], strict=True):
        ratio = measured / line.get_ydata()
        assert 0.1 < ratio.min() and ratio.max() < 10.0


X = np.logspace(-6, 2, 41)
UNIT = 2.0**-53
TERMS = 12


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_errors_stay_below_their_bounds(n):
    series, recurrence = measured_errors(n, TERMS, X)
    # Horner's scheme rounds too, and more where x is large: there the terms grow to about e^√x before they cancel
    rounding = UNIT * (4.0 + np.exp(np.sqrt(X)))
    assert (series <= np.array([series_error(n, x, TERMS) for x in X]) + rounding).all()
    assert (recurrence <= np.array([recurrence_error(n, x) for x in X]) + 4 * UNIT).all()


def test_the_picture_marks_the_crossover(ax):
    series, recurrence = course.draw_crossover(ax, 2, TERMS, X)
    assert series.shape == recurrence.shape == X.shape
    switch = crossover(2, TERMS)
    assert any(np.allclose(line.get_xdata(), switch) for line in ax.get_lines())


REGULAR = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
WRIST = REGULAR * [1, 1, 1, 1, 0, 1]


def slowest_rates(J, v):
    """Length of the smallest joint rates that give v."""
    return float(np.linalg.norm(np.linalg.lstsq(J, v, rcond=None)[0]))


def test_tip_velocities_with_a_free_hand_are_the_derivative_of_the_position():
    ur10, h = robots.ur10(), 1e-6
    for i, column in enumerate(tip_velocities(ur10, REGULAR).T):
        step = h * np.eye(6)[i]
        ahead, behind = (ur10.forward_kinematics(REGULAR + s)[:3, 3] for s in (step, -step))
        assert np.abs(column - (ahead - behind) / (2 * h)).max() < 1e-9  # h² and 1e-16/h
    assert tip_velocities(robots.planar_2r(), [0.1, 0.2]).shape == (2, 2)


def test_a_held_hand_does_not_turn():
    ur10 = robots.ur10()
    velocities = tip_velocities(ur10, REGULAR, "held")
    J_s, p = ur10.space_jacobian(REGULAR), ur10.forward_kinematics(REGULAR)[:3, 3]
    for v in velocities.T:
        rates = np.linalg.solve(J_s, np.concatenate([np.zeros(3), v]))  # ω = 0, so v_s is the tip's velocity anywhere
        omega_s, v_s = np.split(J_s @ rates, 2)
        assert np.abs(omega_s).max() < 1e-14
        assert np.abs(v_s + np.cross(omega_s, p) - v).max() < 1e-14
        assert np.linalg.norm(rates) == pytest.approx(1.0)  # of an orthonormal basis


def test_semi_axes_are_the_longest_and_shortest_velocities():
    J = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 0.5]])
    assert np.abs(semi_axes(J)) == pytest.approx(np.array([[2.0, 0.0], [0.0, 0.5]]))
    assert np.linalg.norm(semi_axes(np.ones((3, 1))), axis=0) == pytest.approx([np.sqrt(3), 0, 0])


def test_the_outline_in_the_plane(ax):
    arm, q = robots.planar_2r(), np.array([0.4, 1.1])
    ellipse = course.draw_ellipsoid(ax, arm, q, scale=0.5)
    J = tip_velocities(arm, q)
    outline = (ellipse.body.get_xy() - arm.forward_kinematics(q)[:2, 3]) / 0.5
    assert [slowest_rates(J, v) for v in outline] == pytest.approx([1.0] * len(outline))
    assert ellipse.lost is None


@pytest.mark.parametrize("hand", ["held", "free"])
def test_the_surface_in_space(space, hand):
    ur10 = robots.ur10()
    ellipsoid = course.draw_ellipsoid(space, ur10, REGULAR, scale=0.5, hand=hand)
    J, tip = tip_velocities(ur10, REGULAR, hand), ur10.forward_kinematics(REGULAR)[:3, 3]
    corners = np.array(ellipsoid.body._faces).reshape(-1, 3)
    velocities = (corners - tip) / 0.5
    assert [slowest_rates(J, v) for v in velocities[::17]] == pytest.approx([1.0] * len(velocities[::17]))


def test_the_direction_that_is_lost_is_drawn(space):
    ur10 = robots.ur10()
    assert course.draw_ellipsoid(space, ur10, REGULAR, hand="held").lost is None
    ends = np.array(course.draw_ellipsoid(space, ur10, WRIST, hand="held").lost.get_data_3d())
    lost = np.diff(ends, axis=1)[:, 0]
    assert np.abs(lost @ tip_velocities(ur10, WRIST, "held")).max() < 1e-12 * np.linalg.norm(lost) + 1e-14
    assert course.draw_ellipsoid(space, ur10, WRIST, hand="free").lost is None  # there the tip can move
