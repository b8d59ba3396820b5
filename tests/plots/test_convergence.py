"""Curves show the errors of the trace, zeros stay on the page; rates are on logarithmic scales."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots, robots
from lessons_lib.plots.convergence import FLOOR, contraction
from lessons_lib.pose_ik import NewtonRaphson, Restarts, Stop, Trace
from lessons_lib.pose_ik.one_pose import solve_in_python

STOP = Stop(orientation=1e-12, position=1e-10, max_iterations=10)


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Example 6.1, to the last digit."""
    arm = robots.planar_2r()
    target, start = arm.forward_kinematics(np.radians([30, 90])), np.radians([0, 30])
    result = solve_in_python(arm, target, start, method=NewtonRaphson(), starts=Restarts(0), stop=STOP, trace=True)
    assert result.trace is not None
    return result.trace


def made_of(errors: list[float]) -> Trace:
    """A trace with these position errors, and no error in orientation."""
    twists = np.zeros((len(errors), 6))
    twists[:, 3] = errors
    k = len(errors) - 1
    return Trace.of(np.zeros((k + 1, 2)), twists, np.zeros(k), np.ones(k, dtype=np.bool_))


def test_a_curve_shows_the_floored_errors_its_trace(ax: plt.Axes, trace: Trace) -> None:
    (curve,) = plots.draw_convergence(ax, {"Newton": trace}, stop=STOP)
    drawn = trace.position_errors
    assert np.array_equal(curve.get_xdata(), np.arange(len(drawn)))
    assert np.array_equal(curve.get_ydata(), np.maximum(drawn, FLOOR))
    assert ax.get_yscale() == "log"
    assert "position" in ax.get_ylabel()
    assert np.array_equal(ax.lines[-1].get_ydata(), [STOP.position] * 2)


def test_an_exact_zero_stays_on_the_page(ax: plt.Axes) -> None:
    (curve,) = plots.draw_convergence(ax, {"": made_of([1.0, 0.0])})
    assert np.array_equal(curve.get_ydata(), [1.0, FLOOR])


def test_contraction_of_a_quadratic_sequence_is_its_constant() -> None:
    errors = [0.5]
    for _ in range(5):
        errors.append(0.8 * errors[-1] ** 2)
    assert contraction(errors) == pytest.approx(np.full(5, 0.8), rel=1e-12)


def test_rates_are_curves_on_two_logarithmic_scales() -> None:
    ax = Figure().add_subplot()
    one, two = plots.draw_rates(
        ax, {"UR10": ([1, 10], [1e4, 2e5]), "Panda": ([1, 10], [9e3, 1e5])}, xlabel="poses", ylabel="poses a second"
    )
    assert two.get_xydata().tolist() == [[1.0, 9e3], [10.0, 1e5]]
    assert one.get_linestyle() != two.get_linestyle()  # colour is not the only difference
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("log", "log", "poses a second")
    assert ax.get_legend() is not None
