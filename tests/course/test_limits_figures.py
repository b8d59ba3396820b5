"""Walls, velocities and bounds on speeds: what is drawn is what was given."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.errors import ParameterError


def test_a_wall_fills_all_above_its_height_and_can_be_moved() -> None:
    ax = Figure().add_subplot()
    ax.set(xlim=(-2, 2), ylim=(-1, 3))
    wall = course.WallArtist(ax, 0.5)
    assert wall.body.get_xy()[:, 1].min() == 0.5
    wall.update(1.25)
    x, y = wall.body.get_xy().T
    assert y.min() == 1.25 and y.max() > 3.0
    assert x.min() < -2.0 and x.max() > 2.0
    assert ax.get_xlim() == (-2, 2) and ax.get_ylim() == (-1, 3)


def test_arrows_start_at_the_point_and_are_as_long_as_the_scale_says() -> None:
    ax = Figure().add_subplot()
    arrows = course.VelocitiesArtist(ax)
    arrows.update([1.0, 2.0], [0.3, 0.4], [0.0, -1.0], [0.0, 0.0])
    first, second, _ = arrows.arrows
    assert first.get_offsets().tolist() == [[1.0, 2.0]]
    assert (first.U[0], first.V[0], first.scale) == (0.3, 0.4, 2.0)
    assert (second.U[0], second.V[0]) == (0.0, -1.0)
    assert not np.array_equal(first.get_facecolor(), second.get_facecolor())
    with pytest.raises(ValueError, match="zip"):
        arrows.update([1.0, 2.0], [0.3, 0.4])


def test_paths_are_drawn_in_order_and_the_wall_beyond_them() -> None:
    ax = Figure().add_subplot()
    circle = np.column_stack([np.cos(np.linspace(0, 6, 50)), np.sin(np.linspace(0, 6, 50))])
    target, path = course.draw_paths(ax, {"target": circle, "hand": 0.5 * circle}, wall=0.6)
    assert np.array_equal(target.get_xydata(), circle)
    assert np.array_equal(path.get_xydata(), 0.5 * circle)
    assert (target.get_label(), path.get_label()) == ("target", "hand")
    assert ax.patches[0].get_xy()[:, 1].min() == 0.6
    assert ax.get_ylim()[1] > 1.0


def test_paths_of_a_wrong_shape_and_none_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"path 'hand' has shape \(2, 3\); \(k, 2\) is needed"):
        course.draw_paths(Figure().add_subplot(), {"target": np.zeros((4, 2)), "hand": np.zeros((2, 3))}, 1.0)
    with pytest.raises(ParameterError, match="paths is empty"):
        course.draw_paths(Figure().add_subplot(), {}, 1.0)


WAYS = np.linspace(0.0, 2.0, 50)


def test_bounds_and_runs_are_drawn_and_the_end_is_on_the_right() -> None:
    ax = Figure().add_subplot()
    run = ([1.5, 1.0, 0.5], [0.1, 0.5, 0.4])
    lines = course.draw_speed_bounds(ax, WAYS, {"line": 2 * WAYS, "root": np.sqrt(WAYS)}, {"a joint": run})
    assert [line.get_label() for line in lines] == ["line", "root", "a joint"]
    assert np.array_equal(lines[1].get_xydata(), np.column_stack([WAYS, np.sqrt(WAYS)]))
    assert np.array_equal(lines[2].get_xydata().T, run)
    assert ax.get_xlim() == (2.0, 0.0)
    shaded = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert shaded.max() == pytest.approx(np.sqrt(2.0))  # below all bounds


def test_without_runs_the_bounds_stand_alone() -> None:
    assert len(course.draw_speed_bounds(Figure().add_subplot(), WAYS, {"line": WAYS})) == 1


def test_a_third_run_is_refused() -> None:
    runs = {name: ([1.0], [1.0]) for name in "abc"}
    with pytest.raises(ParameterError, match="3 runs; there are looks for 2"):
        course.draw_speed_bounds(Figure().add_subplot(), WAYS, {"line": WAYS}, runs)


@pytest.mark.parametrize("bounds", [{}, {"line": WAYS[1:]}])
def test_bounds_that_do_not_fit_the_distances_are_refused(bounds: dict) -> None:
    with pytest.raises(ParameterError, match=r"each needs \(50,\), as d"):
        course.draw_speed_bounds(Figure().add_subplot(), WAYS, bounds)
