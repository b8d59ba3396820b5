"""The gain of damped least squares and its figure: bounds and limits, checked against the solver's own steps."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.course.damping.figures import HIGHEST, format_damping
from lessons_lib.pose_ik import Constant, LevenbergMarquardt

SIGMAS = np.array([0.0, 1e-12, 1e-3, 0.084, 0.5, 2.2])


@pytest.mark.parametrize("damping", [1e-6, 0.125, 1.0, 10.0])
def test_the_gain_equals_the_solvers_step_for_a_diagonal_jacobian(damping: float) -> None:
    method = LevenbergMarquardt(Constant(damping))
    expected = method.step(np.diag(SIGMAS), np.ones(6))
    gains = course.damped_gain(SIGMAS, damping)
    # below λ = 1e-6 the solver's product loses σ² against λ² in rounding no earlier than the formula: 1e-12 relative
    assert gains == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("damping", [1e-3, 0.125, 2.0])
def test_no_gain_is_above_the_bound_and_the_bound_is_met_at_the_damping(damping: float) -> None:
    gains = course.damped_gain(np.geomspace(1e-6, 1e3, 999), damping)
    assert gains.max() <= 0.5 / damping
    assert course.damped_gain(damping, damping) == pytest.approx(0.5 / damping, rel=1e-15)  # one rounding


def test_the_curves_peak_at_their_damping() -> None:
    ax = Figure().add_subplot()
    newton, *curves = course.draw_gain(ax, [0.0625, 0.5])
    for curve, damping, label in zip(curves, (0.0625, 0.5), ("1/16", "1/2"), strict=True):
        sigma, gain = curve.get_xydata().T
        assert sigma[np.argmax(gain)] == pytest.approx(damping, rel=0.02)  # the grid's spacing there
        assert curve.get_label() == rf"$\lambda$ = {label}"
    assert newton.get_ydata().max() > HIGHEST  # it leaves the page
    assert len({str(line.get_linestyle()) for line in curves}) == 2  # colour is not the only difference


@pytest.mark.parametrize(("damping", "expected"), [(0.125, "1/8"), (1.0, "1"), (0.75, "3/4"), (0.3, "0.3")])
def test_a_damping_is_written_as_a_short_fraction_or_a_decimal(damping: float, expected: str) -> None:
    assert format_damping(damping) == expected


def test_newtons_points_beyond_the_page_are_left_out() -> None:
    ax = Figure().add_subplot()
    course.draw_gain(ax, [0.125], [0.0, 0.01, 0.5])
    newtons, damped = (line for line in ax.lines if line.get_marker() == "o")
    assert newtons.get_xdata().tolist() == [0.0, 0.5]  # 1/0.01 is off the page
    assert damped.get_xdata().tolist() == [0.0, 0.01, 0.5]
