"""A wall and bounds on speeds are drawn at the given values."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course


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
