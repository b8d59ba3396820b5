"""The body is drawn by its kinematics, and curves at the given values."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.course.tasks import two_hands
from lessons_lib.course.tasks.two_arms_parts import HAND_COLOURS, parts_of


def test_each_limb_bends_at_its_frames() -> None:
    ax, tree, q = Figure().add_subplot(), two_hands.body(), two_hands.ready() + 0.3
    (body,) = course.draw_body(ax, tree, two_hands.LIMBS, {"now": q}, two_hands.sides())
    for line, limb in zip(body, two_hands.LIMBS, strict=True):
        expected = [tree.forward_kinematics(q, frame)[[1, 0], 3] for frame in limb]
        assert np.abs(line.get_xydata() - expected).max() < 1e-12


def test_ghosts_and_goals() -> None:
    ax, tree = Figure().add_subplot(), two_hands.body()
    bodies = {"before": two_hands.ready(), "after": two_hands.ready() + 0.2}
    ghost, last = course.draw_body(ax, tree, two_hands.LIMBS, bodies, two_hands.sides())
    assert ghost[0].get_color() != last[0].get_color()
    crosses = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "x"]
    assert np.abs(crosses - two_hands.sides()[:, [1, 0]]).max() < 1e-12
    ways = [line.get_xydata() for line in ax.lines if line.get_linestyle() == ":"]
    tips = [tree.forward_kinematics(bodies["after"], hand)[[1, 0], 3] for hand in two_hands.HANDS]
    for way, cross, tip in zip(ways, crosses, tips, strict=True):
        assert np.abs(way - [cross, tip]).max() < 1e-12
    assert [text.get_text() for text in ax.legend().get_texts()] == ["before", "after"]


def test_errors_are_in_millimetres_beside_the_geometric_series() -> None:
    ax = Figure().add_subplot()
    measured = course.draw_decay(ax, {0.2: [0.1, 0.06, 0.03], 1.0: [0.1, 0.01, 0.0001]})
    assert np.abs(measured[0].get_xydata() - [[0, 100], [1, 60], [2, 30]]).max() < 1e-9
    (series,) = (line for line in ax.lines if line not in measured)  # none for gain 1: it would be zero
    assert np.abs(series.get_xydata() - [[0, 100], [1, 80], [2, 64]]).max() < 1e-9
    assert ax.get_yscale() == "log"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [r"$\alpha = 0.2$", r"$\alpha = 1$"]
    assert measured[0].get_marker() != measured[1].get_marker()


def test_the_remaining_error_falls_along_its_slope_to_that_of_the_constraint() -> None:
    ax = Figure().add_subplot()
    curve, slope, constraint = course.draw_cost_and_constraint(ax, [1.0, 10.0, 100.0], [0.1, 2e-3, 2e-5], hard=0.0)
    assert np.abs(curve.get_ydata() - [100, 2, 0.02]).max() < 1e-9
    assert np.abs(slope.get_ydata() - [200, 2, 0.02]).max() < 1e-9
    assert constraint.get_ydata()[0] < 0.02
    assert ax.get_ylim()[0] <= constraint.get_ydata()[0]
    higher = course.draw_cost_and_constraint(Figure().add_subplot(), [1.0, 10.0], [0.1, 1e-3], hard=5e-4)[2]
    assert higher.get_ydata()[0] == pytest.approx(0.5)


def test_the_hands_have_their_colours() -> None:
    for side, colour in HAND_COLOURS.items():
        ends = [part for part in parts_of(two_hands.body()) if part.frame in (f"{side}_palm", f"{side}_hand")]
        assert [part.colour for part in ends] == [colour, colour]
