"""The picture of a path shows what was traced."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots, robots
from lessons_lib.plots.path import PIECES
from lessons_lib.plots.theme import BLUE

ROWS = np.array([[0.1, 0.5], [0.4, 1.0], [1.0, 1.2]])
ARM = robots.planar_2r()
TARGETS = np.array([ARM.forward_kinematics(q) for q in ROWS[1:]])


def tip(q: np.ndarray) -> np.ndarray:
    return ARM.forward_kinematics(q)[:2, 3]


def test_the_tip_path_passes_every_configuration_and_ends_at_the_arm() -> None:
    ax = plots.draw_path(Figure(), ARM, TARGETS, ROWS)
    (way,) = (line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 2 * PIECES + 1)
    np.testing.assert_allclose(way[::PIECES], [tip(q) for q in ROWS], atol=1e-15)
    np.testing.assert_allclose(way[PIECES // 2], tip(ROWS[:2].mean(axis=0)), atol=1e-15)
    np.testing.assert_allclose(ax.lines[0].get_xydata()[-1], tip(ROWS[2]), atol=1e-12)


def test_every_target_and_every_joint_is_drawn() -> None:
    figure = Figure()
    plots.draw_path(figure, ARM, TARGETS, ROWS)
    picture, curves, names = figure.axes
    ends = [line.get_xydata()[0] for line in picture.lines if len(line.get_xydata()) == 6]
    for T in TARGETS:
        assert sum(np.allclose(end, T[:2, 3]) for end in ends) >= 2  # the arrows of x and y
    np.testing.assert_array_equal([line.get_ydata() for line in curves.lines], ROWS.T)
    assert [text.get_text() for text in names.get_legend().texts] == list(ARM.joint_names)


def test_an_arm_in_space_is_drawn_in_space() -> None:
    arm = robots.ur10()
    rows = np.array([[0.1, -1.0, 1.2, 0.3, 0.5, 0.0], [0.3, -0.8, 1.0, 0.2, 0.4, 0.1]])
    ax = plots.draw_path(Figure(), arm, [], rows)
    assert ax.name == "3d"
    (way,) = (line for line in ax.lines if line.get_color() == BLUE and len(line.get_data_3d()[0]) > 6)
    np.testing.assert_allclose(np.array(way.get_data_3d()).T[-1], arm.forward_kinematics(rows[1])[:3, 3])


@pytest.mark.parametrize(("screw", "unit"), [([0, 0, 1, 0, 0, 0.1], "rad"), ([0, 0, 0, 1, 0, 0], "rad or m")])
def test_joints_are_labelled_with_their_units(screw: list[float], unit: str) -> None:
    home = np.eye(4)
    home[:3, 3] = 0.5, 0.2, 0.3
    chain = robots.from_screws(np.array([[0, 0, 1, 0, 0, 0], screw]).T, home)
    figure, rows = Figure(), np.array([[0.0, 0.0], [0.4, 0.5]])
    plots.draw_path(figure, chain, [chain.forward_kinematics(rows[1])], rows)
    assert f"joint [{unit}]" in [ax.get_ylabel() for ax in figure.axes]
