"""Curves, ellipses, polygons and screws are drawn at their numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.spatial import HalfspaceIntersection

from lessons_lib import lie, plots, robots
from lessons_lib.plots.convergence import FLOOR, contraction
from lessons_lib.plots.feasible import ON_ROW
from lessons_lib.plots.jacobians import ROUNDING, ellipse_points, tip_jacobian
from lessons_lib.pose_ik import NewtonRaphson, Restarts, Stop
from lessons_lib.pose_ik.one_pose import solve_in_python

STOP = Stop(orientation=1e-12, position=1e-10, max_iterations=10)


@pytest.fixture(scope="module")
def trace():
    """Example 6.1, to the last digit."""
    arm = robots.planar_2r()
    target, start = arm.forward_kinematics(np.radians([30, 90])), np.radians([0, 30])
    result = solve_in_python(arm, target, start, method=NewtonRaphson(), starts=Restarts(0), stop=STOP, trace=True)
    assert result.trace is not None
    return result.trace


def test_a_curve_shows_the_floored_errors_its_trace(ax, trace):
    (curve,) = plots.draw_convergence(ax, {"Newton": trace}, stop=STOP)
    drawn = trace.position_errors
    assert np.array_equal(curve.get_xdata(), np.arange(len(drawn)))
    assert np.array_equal(curve.get_ydata(), np.maximum(drawn, FLOOR))
    assert ax.get_yscale() == "log"
    assert np.array_equal(ax.lines[-1].get_ydata(), [STOP.position] * 2)


def test_contraction_of_a_quadratic_sequence_is_its_constant():
    errors = [0.5]
    for _ in range(5):
        errors.append(0.8 * errors[-1] ** 2)
    assert contraction(errors) == pytest.approx(np.full(5, 0.8), rel=1e-12)


def test_rates_are_curves_on_two_logarithmic_scales(ax):
    rates = {"UR10": ([1, 10], [1e4, 2e5]), "Panda": ([1, 10], [9e3, 1e5])}
    one, two = plots.draw_rates(ax, rates, xlabel="poses", ylabel="poses a second")
    assert two.get_xydata().tolist() == [[1.0, 9e3], [10.0, 1e5]]
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("log", "log", "poses a second")


Q = np.array([0.4, 1.1])


def flat_rpr():
    """A planar arm with a revolute, a prismatic and a revolute joint."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, -0.5, 0]]).T
    home = lie.pose(np.eye(3), (0.8, 0.0, 0.0))
    return robots.from_screws(screws, home, name="RPR")


def differenced_tip(chain, q):
    h = 1e-6
    steps = h * np.eye(chain.dof)
    moved = [chain.forward_kinematics(q + s)[:3, 3] - chain.forward_kinematics(q - s)[:3, 3] for s in steps]
    return np.column_stack(moved) / (2 * h)


@pytest.mark.parametrize("chain", [robots.planar_2r(), flat_rpr(), robots.ur10()], ids=lambda chain: chain.name)
def test_tip_jacobian_is_the_derivative_of_the_position(chain):
    rng = np.random.default_rng(6)
    for _ in range(5):
        q = chain.random_configuration(rng)
        # 1e-9: h²/6 for an arm of a metre or two, and the rounding 1e-16/h
        assert np.abs(tip_jacobian(chain, q) - differenced_tip(chain, q)).max() < 1e-9


def test_every_point_of_the_outline_is_a_velocity_for_rates_of_length_one():
    J = tip_jacobian(robots.planar_2r(), Q)[:2]
    rates = np.linalg.solve(J, ellipse_points(J).T)
    assert np.abs(np.linalg.norm(rates, axis=0) - 1.0).max() < 1e-12


def test_arrows_stand_at_the_tip_and_are_scaled_columns(ax):
    arm = robots.planar_2r()
    arrows = plots.draw_columns(ax, arm, Q, scale=0.5)
    tip = arm.forward_kinematics(Q)[:2, 3]
    assert np.array_equal(arrows.get_offsets(), [tip, tip])
    assert np.array_equal([arrows.U, arrows.V], 0.5 * tip_jacobian(arm, Q)[:2])
    assert np.abs(ax.patches[0].get_xy() - tip - 0.5 * ellipse_points(tip_jacobian(arm, Q)[:2])).max() < 1e-15


def test_difference_errors_are_drawn_on_log_scales_with_their_best(ax):
    steps = [1e-8, 1e-5, 1e-2]
    curves = plots.draw_difference_errors(ax, steps, {"central": [1e-8, 1e-11, 1e-5], "exact": [0.0] * 3})
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert np.array_equal(curves[0].get_ydata(), [1e-8, 1e-11, 1e-5])
    best = next(line for line in ax.lines if line.get_marker() == "o")
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (1e-5, 1e-11)
    assert np.array_equal(curves[1].get_ydata(), [ROUNDING] * 3)  # zero has no place on a log scale


BOX = np.vstack([np.eye(2), -np.eye(2)])
H, C = np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([-6.0, -1.0])


def area(corners):
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def test_random_polygons_are_scipys():
    rng = np.random.default_rng(16)
    for _ in range(50):
        G, h = rng.normal(size=(6, 2)), rng.uniform(0.1, 3.0, 6)  # the origin is inside
        corners = plots.feasible_polygon(G, h, 4.0)
        rows = np.vstack([np.column_stack([G, -h]), np.column_stack([BOX, np.full(4, -4.0)])])
        expected = HalfspaceIntersection(rows, np.zeros(2)).intersections
        assert (corners @ G.T <= h + 1e-9).all()
        away = np.linalg.norm(corners[:, None] - expected[None], axis=2)
        assert away.min(axis=1).max() < 1e-9 and away.min(axis=0).max() < 1e-9
        assert area(corners) > 0.0  # counter-clockwise


def test_rows_that_contradict_each_other_leave_nothing():
    assert plots.feasible_polygon([[1.0, 0.0], [-1.0, 0.0]], [-1.0, -1.0], 4.0).shape == (0, 2)


def draw(*program, span=4.0):
    """Draw a program, and return its lines by name, shape (2, k), the active edges, and the legend."""
    ax = Figure().add_subplot()
    plots.draw_feasible(ax, span, *program)
    lines = {line.get_label(): np.array(line.get_data(), dtype=float) for line in ax.lines}
    return lines, ax.collections[0].get_segments(), [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_ellipse_goes_through_the_best_point_and_all_of_it_costs_as_much():
    best, mu = np.array([1.0, 0.4]), np.array([3.76, 0.0, 0.0, 0.0])  # held by x ≤ 1
    assert np.abs(H @ best + C + BOX.T @ mu).max() < 1e-12
    lines, edges, labels = draw((H, C), (BOX, np.ones(4)), best, mu)
    ring = lines["equal cost"]
    costs = 0.5 * np.sum(ring * (H @ ring), axis=0) + C @ ring
    assert np.abs(costs - (0.5 * best @ H @ best + C @ best)).max() < 1e-12
    outside = ring[:, (np.abs(ring) > 1.0 + 1e-9).any(axis=0)]
    assert outside.shape[1] >= 119  # it touches the square at one point only
    (edge,) = edges
    assert np.abs(np.sort(edge, axis=0) - [[1.0, -1.0], [1.0, 1.0]]).max() < ON_ROW
    assert lines["requested"].ravel() == pytest.approx(np.linalg.solve(H, -C))
    assert lines["best"].ravel() == pytest.approx(best)
    assert lines["clipped"].size == 0


def test_a_free_minimum_that_is_allowed_has_no_active_edge_and_no_ellipse_through_it():
    free = np.linalg.solve(H, -C)
    lines, edges, _ = draw((H, C), (BOX, np.full(4, 3.9)), free, np.zeros(4), [0.5, 0.5])
    assert edges == []
    assert lines["equal cost"].size == 0
    assert lines["clipped"].ravel().tolist() == [0.5, 0.5]
    assert any(np.isfinite(line).sum() > 800 for line in lines.values())  # the faint ones are still there


HINGE = np.array([-0.9, 0.0, 0.0])
OPEN = np.pi / 2 * np.array([0.0, 0.0, 1.0, 0.0, 0.9, 0.0])


def test_the_door_keeps_its_hinge_only_under_the_exponential():
    figure, (left, right) = plt.subplots(1, 2)
    lost = plots.draw_door(left, plots.pair_motion, HINGE, OPEN)
    kept = plots.draw_door(right, lie.exp_se3, HINGE, OPEN)
    np.testing.assert_allclose(kept, np.tile(HINGE, (5, 1)), rtol=0, atol=1e-15)
    # after a quarter turn the pair has the edge at R·p + v = (0, −0.9, 0) + (0, 0.9 π/2, 0)
    np.testing.assert_allclose(lost[-1], [0.0, 0.9 * (np.pi / 2 - 1), 0.0], rtol=0, atol=1e-15)
    plt.close(figure)
