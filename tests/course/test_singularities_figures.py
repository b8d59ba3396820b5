"""The ellipsoid and the bars are those of the Jacobian that was given."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import course, robots
from lessons_lib.course.singularities.figures import FLOOR, half_axes, say, tip_velocities
from lessons_lib.errors import ConfigurationError, ParameterError

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


def test_a_stretched_arm_leaves_a_line(ax: plt.Axes) -> None:
    ellipse = course.draw_ellipsoid(ax, robots.planar_2r(), [0.0, 0.0])
    assert np.abs(ellipse.body.get_xy()[:, 0] - 2.0).max() < 1e-15
    assert ellipse.lost is not None


def test_it_can_be_painted(space: plt.Axes) -> None:
    def picture() -> bytes:
        space.figure.savefig(file := io.BytesIO(), format="png")
        return file.getvalue()

    empty = picture()
    course.draw_ellipsoid(space, robots.panda(), np.zeros(7) - 0.5, hand="held")
    assert picture() != empty


@pytest.mark.parametrize("scale", [0.0, -1.0, np.inf, np.nan])
def test_a_scale_is_positive(ax: plt.Axes, scale: float) -> None:
    with pytest.raises(ParameterError, match="metres of drawing for 1 m/s, a positive number"):
        course.draw_ellipsoid(ax, robots.planar_2r(), [0.1, 0.2], scale=scale)


def test_the_axes_have_to_fit_the_arm(ax: plt.Axes, space: plt.Axes) -> None:
    with pytest.raises(ParameterError, match="UR10 needs 3D axes"):
        course.draw_ellipsoid(ax, robots.ur10(), REGULAR)
    with pytest.raises(ParameterError, match="planar 2R needs plane axes"):
        course.draw_ellipsoid(space, robots.planar_2r(), [0.1, 0.2])


def test_an_unknown_hand_or_a_wrong_configuration(space: plt.Axes) -> None:
    with pytest.raises(ParameterError, match="hand is 'fixed'; valid are 'free' and 'held'"):
        course.draw_ellipsoid(space, robots.ur10(), REGULAR, hand="fixed")
    with pytest.raises(ConfigurationError, match=r"must have shape \(6,\)"):
        course.draw_ellipsoid(space, robots.ur10(), [0.0])


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (1e-13, "0"), (1e-6, f"< {FLOOR:.4f}"), (0.05, "0.05")])
def test_small_values_in_words(value: float, text: str) -> None:
    assert say(value) == text
