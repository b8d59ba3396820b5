"""The ellipsoid and the bars are those of the given Jacobian."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import course, robots
from lessons_lib.course.singularities.figures import FLOOR, format_singular_value, half_axes, tip_velocities

REGULAR = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
WRIST = REGULAR * [1, 1, 1, 1, 0, 1]


def slowest_rates(J: np.ndarray, v: np.ndarray) -> float:
    """Length of the smallest joint rates that give v."""
    return float(np.linalg.norm(np.linalg.lstsq(J, v, rcond=None)[0]))


def test_tip_velocities_with_a_free_hand_are_the_derivative_of_the_position() -> None:
    ur10, h = robots.ur10(), 1e-6
    for i, column in enumerate(tip_velocities(ur10, REGULAR).T):
        step = h * np.eye(6)[i]
        ahead, behind = (ur10.forward_kinematics(REGULAR + s)[:3, 3] for s in (step, -step))
        assert np.abs(column - (ahead - behind) / (2 * h)).max() < 1e-9  # h² and 1e-16/h
    assert tip_velocities(robots.planar_2r(), [0.1, 0.2]).shape == (2, 2)


def test_a_held_hand_does_not_turn() -> None:
    ur10 = robots.ur10()
    velocities = tip_velocities(ur10, REGULAR, "held")
    J_s, p = ur10.space_jacobian(REGULAR), ur10.forward_kinematics(REGULAR)[:3, 3]
    for v in velocities.T:
        rates = np.linalg.solve(J_s, np.concatenate([np.zeros(3), v]))  # ω = 0, so v_s is the tip's velocity anywhere
        omega_s, v_s = np.split(J_s @ rates, 2)
        assert np.abs(omega_s).max() < 1e-14
        assert np.abs(v_s + np.cross(omega_s, p) - v).max() < 1e-14
        assert np.linalg.norm(rates) == pytest.approx(1.0)  # of an orthonormal basis


def test_half_axes_are_the_longest_and_shortest_velocities() -> None:
    J = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 0.5]])
    assert np.abs(half_axes(J)) == pytest.approx(np.array([[2.0, 0.0], [0.0, 0.5]]))
    assert np.linalg.norm(half_axes(np.ones((3, 1))), axis=0) == pytest.approx([np.sqrt(3), 0, 0])


def test_the_outline_in_the_plane(ax: plt.Axes) -> None:
    arm, q = robots.planar_2r(), np.array([0.4, 1.1])
    ellipse = course.draw_ellipsoid(ax, arm, q, scale=0.5)
    J = tip_velocities(arm, q)
    outline = (ellipse.body.get_xy() - arm.forward_kinematics(q)[:2, 3]) / 0.5
    assert [slowest_rates(J, v) for v in outline] == pytest.approx([1.0] * len(outline))
    assert ellipse.lost is None


@pytest.mark.parametrize("hand", ["held", "free"])
def test_the_surface_in_space(space: plt.Axes, hand: str) -> None:
    ur10 = robots.ur10()
    ellipsoid = course.draw_ellipsoid(space, ur10, REGULAR, scale=0.5, hand=hand)
    J, tip = tip_velocities(ur10, REGULAR, hand), ur10.forward_kinematics(REGULAR)[:3, 3]
    corners = np.array(ellipsoid.body._faces).reshape(-1, 3)
    velocities = (corners - tip) / 0.5
    assert [slowest_rates(J, v) for v in velocities[::17]] == pytest.approx([1.0] * len(velocities[::17]))


def test_the_direction_that_is_lost_is_drawn(space: plt.Axes) -> None:
    ur10 = robots.ur10()
    assert course.draw_ellipsoid(space, ur10, REGULAR, hand="held").lost is None
    ends = np.array(course.draw_ellipsoid(space, ur10, WRIST, hand="held").lost.get_data_3d())
    lost = np.diff(ends, axis=1)[:, 0]
    assert np.abs(lost @ tip_velocities(ur10, WRIST, "held")).max() < 1e-12 * np.linalg.norm(lost) + 1e-14
    assert course.draw_ellipsoid(space, ur10, WRIST, hand="free").lost is None  # there the tip can move


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (1e-13, "0"), (1e-6, f"< {FLOOR:.4f}"), (0.05, "0.05")])
def test_small_values_in_words(value: float, text: str) -> None:
    assert format_singular_value(value) == text
