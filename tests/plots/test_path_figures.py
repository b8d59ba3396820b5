"""The picture of a path shows what was traced, moves along it, and can be written as a film."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from lessons_lib import plots, robots
from lessons_lib.plots.path import PIECES

ROWS = np.array([[0.1, 0.5], [0.4, 1.0], [1.0, 1.2]])
ARM = robots.planar_2r()
TARGETS = np.array([ARM.forward_kinematics(q) for q in ROWS[1:]])


def tip(q: np.ndarray) -> np.ndarray:
    return ARM.forward_kinematics(q)[:2, 3]


def test_the_tip_path_passes_every_configuration() -> None:
    artist = plots.draw_path(Figure(), ARM, TARGETS, ROWS)
    way = artist.whole.get_xydata()
    assert len(way) == 2 * PIECES + 1
    np.testing.assert_allclose(way[::PIECES], [tip(q) for q in ROWS], atol=1e-15)
    np.testing.assert_allclose(way[PIECES // 2], tip(ROWS[:2].mean(axis=0)), atol=1e-15)


def test_every_target_and_every_joint_is_drawn() -> None:
    artist = plots.draw_path(Figure(), ARM, TARGETS, ROWS)
    roots = [frame.artists[0].get_xydata()[0] for frame in artist.targets]
    np.testing.assert_allclose(roots, TARGETS[:, :2, 3])
    joints = [line for line in artist.curves.lines if len(line.get_xdata()) == len(ROWS)]
    np.testing.assert_array_equal([line.get_ydata() for line in joints], ROWS.T)
    names = [
        text.get_text() for axes in artist.picture.figure.axes if axes.get_legend() for text in axes.get_legend().texts
    ]
    assert names == list(ARM.joint_names)


@pytest.mark.parametrize("s", [0.0, 0.25, 1.0, 1.5, 2.0])
def test_update_moves_the_arm_to_a_place_on_its_path(s: float) -> None:
    artist = plots.draw_path(Figure(), ARM, TARGETS, ROWS)
    count = len(artist.picture.get_children()) + len(artist.curves.get_children())
    artist.update(s)
    q = np.array([np.interp(s, range(3), column) for column in ROWS.T])
    np.testing.assert_allclose(artist.arm.links.get_xydata()[-1], tip(q), atol=1e-12)
    assert artist.cursor.get_xdata() == [s + 1, s + 1]  # the curves count from 1
    assert len(artist.tip.get_xydata()) == 1 + int(s * PIECES)
    assert len(artist.picture.get_children()) + len(artist.curves.get_children()) == count


def test_an_arm_in_space_is_drawn_in_space() -> None:
    arm = robots.ur10()
    rows = np.array([[0.1, -1.0, 1.2, 0.3, 0.5, 0.0], [0.3, -0.8, 1.0, 0.2, 0.4, 0.1]])
    artist = plots.draw_path(Figure(), arm, [], rows)
    assert artist.picture.name == "3d" and artist.targets == []
    np.testing.assert_allclose(np.array(artist.tip.get_data_3d()).T[-1], arm.forward_kinematics(rows[1])[:3, 3])


def test_a_film_has_its_pictures_and_its_pace(tmp_path: Path) -> None:
    path = plots.animate_path(tmp_path / "arm.gif", ARM, TARGETS, ROWS, seconds=0.2, rate=10.0, dpi=40)
    with Image.open(path) as film:
        assert film.n_frames == 4
        assert film.info["duration"] == 100
        assert film.size[0] == 288
        first = np.asarray(film.convert("L"), dtype=np.int16)
        film.seek(3)
        assert np.abs(np.asarray(film.convert("L"), dtype=np.int16) - first).max() > 100


@pytest.mark.parametrize(("screw", "unit"), [([0, 0, 1, 0, 0, 0.1], "rad"), ([0, 0, 0, 1, 0, 0], "rad or m")])
def test_joints_are_labelled_with_their_units(screw: list[float], unit: str) -> None:
    home = np.eye(4)
    home[:3, 3] = 0.5, 0.2, 0.3
    chain = robots.from_screws(np.array([[0, 0, 1, 0, 0, 0], screw]).T, home)
    figure, rows = Figure(), np.array([[0.0, 0.0], [0.4, 0.5]])
    plots.draw_path(figure, chain, [chain.forward_kinematics(rows[1])], rows)
    assert f"joint [{unit}]" in [ax.get_ylabel() for ax in figure.axes]
