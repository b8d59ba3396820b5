"""The arrows are velocities of the tip, the ellipse is all of them, and nothing is drawn where it would be wrong."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import plots, robots
from lessons_lib.plots.jacobians import ROUNDING, ellipse_points, tip_jacobian

Q = np.array([0.4, 1.1])


def flat_rpr() -> robots.Chain:
    """A planar arm with a revolute, a prismatic and a revolute joint."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, -0.5, 0]]).T
    home = np.eye(4)
    home[0, 3] = 0.8
    return robots.from_screws(screws, home, name="RPR")


def differenced_tip(chain: robots.Chain, q: np.ndarray) -> np.ndarray:
    h = 1e-6
    steps = h * np.eye(chain.dof)
    moved = [chain.forward_kinematics(q + s)[:3, 3] - chain.forward_kinematics(q - s)[:3, 3] for s in steps]
    return np.column_stack(moved) / (2 * h)


@pytest.mark.parametrize("chain", [robots.planar_2r(), flat_rpr(), robots.ur10()], ids=lambda chain: chain.name)
def test_tip_jacobian_is_the_derivative_of_the_position(chain: robots.Chain) -> None:
    rng = np.random.default_rng(6)
    for _ in range(5):
        q = chain.random_configuration(rng)
        # 1e-9: h²/6 for an arm of a metre or two, and the rounding 1e-16/h
        assert np.abs(tip_jacobian(chain, q) - differenced_tip(chain, q)).max() < 1e-9


def test_every_point_of_the_outline_is_a_velocity_for_rates_of_length_one() -> None:
    J = tip_jacobian(robots.planar_2r(), Q)[:2]
    rates = np.linalg.solve(J, ellipse_points(J).T)
    assert np.abs(np.linalg.norm(rates, axis=0) - 1.0).max() < 1e-12


def test_arrows_stand_at_the_tip_and_are_scaled_columns(ax: plt.Axes) -> None:
    arm = robots.planar_2r()
    arrows = plots.draw_columns(ax, arm, Q, scale=0.5)
    tip = arm.forward_kinematics(Q)[:2, 3]
    assert np.array_equal(arrows.get_offsets(), [tip, tip])
    assert np.array_equal([arrows.U, arrows.V], 0.5 * tip_jacobian(arm, Q)[:2])
    assert [name.get_text() for name in ax.texts] == ["$J_1$", "$J_2$"]
    assert np.abs(ax.patches[0].get_xy() - tip - 0.5 * ellipse_points(tip_jacobian(arm, Q)[:2])).max() < 1e-15


def test_difference_errors_are_drawn_on_log_scales_with_their_best(ax: plt.Axes) -> None:
    steps = [1e-8, 1e-5, 1e-2]
    curves = plots.draw_difference_errors(ax, steps, {"central": [1e-8, 1e-11, 1e-5], "exact": [0.0] * 3})
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert np.array_equal(curves[0].get_ydata(), [1e-8, 1e-11, 1e-5])
    best = next(line for line in ax.lines if line.get_marker() == "o")
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (1e-5, 1e-11)
    assert np.array_equal(curves[1].get_ydata(), [ROUNDING] * 3)  # zero has no place on a log scale
