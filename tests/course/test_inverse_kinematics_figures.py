"""The drawn arms reach what they should, and errors stand where they belong."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from lessons_lib import course, robots
from lessons_lib.course.inverse_kinematics.figures import FLOOR, HAND, POSTURE_COLOURS, nearest_configuration
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.plots.theme import INK


def arms(ax: plt.Axes, pale: bool = False) -> list[Line2D]:
    """Return the links of each arm that is seen, in full or pale."""
    thick = [line for line in ax.lines if line.get_visible() and line.get_linewidth() == 5.0]
    return [line for line in thick if ((line.get_alpha() or 1.0) < 1.0) == pale]


def is_drawn(ax: plt.Axes, points: list[list[float]]) -> bool:
    """Return whether a line, or a mark, goes through just these points."""
    seen = [line.get_xydata() for line in ax.lines if line.get_visible()]
    return any(line.shape == np.shape(points) and np.allclose(line, points, atol=1e-12) for line in seen)


def test_both_arms_end_at_the_target_in_two_colours(ax: plt.Axes) -> None:
    reach = course.draw_reach(ax, (1.0, 0.7), 1.0, 0.6)
    assert np.abs(np.array([arm.get_xydata()[-1] for arm in arms(ax)]) - (1.0, 0.7)).max() < 1e-15
    assert [arm.get_color() for arm in arms(ax)] == list(POSTURE_COLOURS)
    assert reach.solutions[0, 1] > 0, "blue is the answer with q₂ > 0"
    assert arms(ax, pale=True) == []
    assert is_drawn(ax, [[1.0, 0.7]])


def test_the_only_arm_is_drawn_in_ink(ax: plt.Axes) -> None:
    course.draw_reach(ax, (1.28, 0.96), 1.0, 0.6)
    assert [to_hex(arm.get_color()) for arm in arms(ax)] == [INK]


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


def test_out_of_reach_a_pale_arm_and_a_line_to_the_target(ax: plt.Axes) -> None:
    course.draw_reach(ax, (3.0, 0.0), 1.0, 0.6)
    assert arms(ax) == []
    (pale,) = arms(ax, pale=True)
    assert pale.get_xydata()[-1] == pytest.approx([1.6, 0.0])
    assert is_drawn(ax, [[1.6, 0.0], [3.0, 0.0]])


def test_on_the_base_of_equal_links_a_fan(ax: plt.Axes) -> None:
    course.draw_reach(ax, (0.0, 0.0), 0.8, 0.8)
    fan = arms(ax, pale=True)
    assert len({tuple(arm.get_xydata()[1].round(9)) for arm in fan}) == len(fan) == 12
    assert np.abs([arm.get_xydata()[-1] for arm in fan]).max() < 1e-15


@pytest.mark.parametrize("tip", [(0.3, 0.1), (1.6, 0.0)])
def test_elsewhere_equal_links_have_no_fan(ax: plt.Axes, tip: tuple[float, float]) -> None:
    course.draw_reach(ax, tip, 0.8, 0.8)
    assert arms(ax, pale=True) == []


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


def test_the_hand_lies_at_the_tip_and_points_along_the_heading(ax: plt.Axes) -> None:
    course.draw_angles(ax, np.radians([30, 60]), 1.0, 0.6)
    tip = np.array([np.cos(np.pi / 6), 0.5 + 0.6])
    turned = np.column_stack([-HAND[:, 1], HAND[:, 0]])  # a quarter turn
    assert is_drawn(ax, (tip + turned).tolist())


def test_everything_fits_into_the_axes(ax: plt.Axes) -> None:
    course.draw_reach(ax, (3.0, 1.0), 1.0, 0.6)
    assert ax.get_xlim()[1] > 3.0
    assert ax.get_aspect() == 1.0


def test_the_named_angles_stand_where_they_turn(ax: plt.Axes) -> None:
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


def test_a_target_that_is_none_is_refused(ax: plt.Axes) -> None:
    with pytest.raises(TransformError, match="tip must be finite"):
        course.draw_reach(ax, (np.nan, 0.0))


def test_a_length_that_is_none_is_refused(ax: plt.Axes) -> None:
    with pytest.raises(ParameterError, match="length_2 of the planar 2R is 0.0"):
        course.draw_reach(ax, (1.0, 0.0), 1.0, 0.0)


def test_marks_stand_at_their_errors_and_the_edge_is_to_the_right(ax: plt.Axes) -> None:
    gaps, errors = [1e-1, 1e-4, 1e-8], [1e-16, 1e-12, 1e-8]
    (line,) = course.draw_edge_errors(ax, gaps, {"arc cosine": errors})
    assert np.array_equal(line.get_xydata(), np.column_stack([gaps, errors]))
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    left, right = ax.get_xlim()
    assert left > 1e-1 > 1e-8 > right
    assert line.get_label() == "arc cosine"


def test_no_error_is_drawn_at_the_floor_and_no_number_is_left_out(ax: plt.Axes) -> None:
    (line,) = course.draw_edge_errors(ax, [1e-1, 1e-2], {"half angle": [0.0, np.nan]})
    assert line.get_ydata()[0] == FLOOR
    assert np.isnan(line.get_ydata()[1])


def test_formulas_differ_in_colour_and_mark(ax: plt.Axes) -> None:
    lines = course.draw_edge_errors(ax, [1.0], {name: [1.0] for name in "abc"})
    assert len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == 3


def test_more_formulas_than_looks_are_refused(ax: plt.Axes) -> None:
    with pytest.raises(ParameterError, match="4 formulas; there are looks for 3"):
        course.draw_edge_errors(ax, [1.0], {name: [1.0] for name in "abcd"})


def test_errors_and_gaps_must_match(ax: plt.Axes) -> None:
    with pytest.raises(ParameterError, match=r"errors of 'a' have shape \(1,\), the gaps \(2,\); they must match"):
        course.draw_edge_errors(ax, [1.0, 2.0], {"a": [1.0]})
