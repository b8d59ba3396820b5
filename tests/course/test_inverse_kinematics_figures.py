"""The drawn arms reach the target."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.lines import Line2D

from lessons_lib import course, robots
from lessons_lib.course.inverse_kinematics.figures import POSTURE_COLOURS, nearest_configuration


def arms(ax: plt.Axes, pale: bool = False) -> list[Line2D]:
    """Return the links of each visible arm, solid or pale."""
    thick = [line for line in ax.lines if line.get_visible() and line.get_linewidth() == 5.0]
    return [line for line in thick if ((line.get_alpha() or 1.0) < 1.0) == pale]


def is_drawn(ax: plt.Axes, points: list[list[float]]) -> bool:
    """Return whether a line or a marker has exactly these points."""
    seen = [line.get_xydata() for line in ax.lines if line.get_visible()]
    return any(line.shape == np.shape(points) and np.allclose(line, points, atol=1e-12) for line in seen)


def test_both_arms_end_at_the_target_in_two_colours(ax: plt.Axes) -> None:
    reach = course.draw_reach(ax, (1.0, 0.7), 1.0, 0.6)
    assert np.abs(np.array([arm.get_xydata()[-1] for arm in arms(ax)]) - (1.0, 0.7)).max() < 1e-15
    assert [arm.get_color() for arm in arms(ax)] == list(POSTURE_COLOURS)
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
def test_the_nearest_arm_ends_on_the_edge_towards_the_target(
    tip: tuple[float, float], lengths: tuple[float, float], reached: tuple[float, float]
) -> None:
    q = nearest_configuration(np.array(tip), *lengths)
    assert np.abs(robots.planar_2r_corners(q, *lengths)[2] - reached).max() < 1e-15


def test_on_the_base_of_equal_links_a_fan(ax: plt.Axes) -> None:
    course.draw_reach(ax, (0.0, 0.0), 0.8, 0.8)
    fan = arms(ax, pale=True)
    assert len({tuple(arm.get_xydata()[1].round(9)) for arm in fan}) == len(fan) == 12
    assert np.abs([arm.get_xydata()[-1] for arm in fan]).max() < 1e-15


@pytest.mark.parametrize(
    ("lengths", "radii"), [((1.0, 0.6), (1.6, 0.4)), ((0.6, 1.0), (1.6, 0.4)), ((0.8, 0.8), (1.6, 0))]
)
def test_the_ring_has_the_edges_of_the_reach(
    ax: plt.Axes, lengths: tuple[float, float], radii: tuple[float, float]
) -> None:
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


def test_the_angle_labels_are_at_their_joints(ax: plt.Axes) -> None:
    course.draw_angles(ax, np.radians([30, 60]), 1.0, 0.6)
    places = {text.get_text(): np.array(text.get_position()) for text in ax.texts if text.get_text().startswith("$")}
    assert set(places) == {"$q_1$", "$q_2$", "$L_1$", "$L_2$", "$r$"}
    elbow = np.array([np.cos(np.pi / 6), 0.5])
    tip = elbow + (0.0, 0.6)  # the second link points straight up
    assert any(
        np.allclose(line.get_xydata()[[0, -1]], [(0.0, 0.0), tip]) for line in ax.lines if len(line.get_xydata()) == 2
    )
    assert (places["$r$"] - tip / 2) @ tip == pytest.approx(0.0, abs=1e-12)  # beside the middle of its line
    assert np.degrees(np.arctan2(*places["$q_1$"][::-1])) == pytest.approx(15.0)
    assert np.degrees(np.arctan2(*(places["$q_2$"] - elbow)[::-1])) == pytest.approx(60.0)  # 30° and half of 60°
