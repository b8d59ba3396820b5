"""Errors of logarithms and of Stumpff functions are drawn at their values, below valid bounds."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import course, lie
from lessons_lib.course.rotation_logarithm.figures import measured_errors
from lessons_lib.symbolic.stumpff_functions import crossover, recurrence_error, series_error

AXES = course.oblique_axes(np.random.default_rng(7), 12)


def no_number(R):
    return np.full(3, np.nan)


def off_by_a_milliradian(R):
    return lie.log_so3(R) + np.array([1e-3, 0.0, 0.0])


def test_axes_are_unit_vectors_on_all_sides():
    axes = course.oblique_axes(np.random.default_rng(1), 500)
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, rtol=0, atol=1e-15)
    assert (axes.min(axis=0) < -0.9).all() and (axes.max(axis=0) > 0.9).all()


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
    ("error", "text"),
    [(2e-9, "1e-09"), (9e-4, "1e-03"), (1.5, "1e+00"), (0.0, "0"), (np.inf, "no number")],
)
def test_an_error_is_said_to_the_nearest_power_of_ten(error, text):
    assert course.order_of_magnitude(error) == text


def test_the_picture_shows_numbers_as_curves_and_no_number_as_crosses(ax):
    gaps = np.array([1e-3, 1e-1])
    drawn = course.draw_log_errors(ax, {"off": off_by_a_milliradian, "none": no_number}, AXES, gaps)
    curves = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_array_equal(curves["off"].get_ydata(), drawn["off"])
    assert len(curves["none"].get_xdata()) == 0
    crosses = [line for line in ax.get_lines() if line.get_marker() == "x" and len(line.get_xdata())]
    np.testing.assert_array_equal(crosses[0].get_xdata(), gaps)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["off", "none"]


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


def test_the_picture_marks_the_crossover():
    figure, ax = plt.subplots()
    series, recurrence = course.draw_crossover(ax, 2, TERMS, X)
    assert series.shape == recurrence.shape == X.shape
    switch = crossover(2, TERMS)
    assert any(np.allclose(line.get_xdata(), switch) for line in ax.get_lines())
    assert [text.get_text() for text in ax.texts] == [f"x = {switch:.3g}"]
    assert "c₂" in ax.get_ylabel()
    plt.close(figure)
