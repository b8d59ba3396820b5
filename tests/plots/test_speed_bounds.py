"""The figure of speeds against the way that is left."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError

WAYS = np.linspace(0.0, 2.0, 50)


def test_bounds_and_runs_are_drawn_and_the_end_is_on_the_right() -> None:
    ax = Figure().add_subplot()
    run = ([1.5, 1.0, 0.5], [0.1, 0.5, 0.4])
    lines = plots.draw_speed_bounds(ax, WAYS, {"line": 2 * WAYS, "root": np.sqrt(WAYS)}, {"a joint": run})
    assert [line.get_label() for line in lines] == ["line", "root", "a joint"]
    assert np.array_equal(lines[1].get_xydata(), np.column_stack([WAYS, np.sqrt(WAYS)]))
    assert np.array_equal(lines[2].get_xydata().T, run)
    assert ax.get_xlim() == (2.0, 0.0)
    shaded = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert shaded.max() == pytest.approx(np.sqrt(2.0))  # below all bounds


def test_without_runs_the_bounds_stand_alone() -> None:
    assert len(plots.draw_speed_bounds(Figure().add_subplot(), WAYS, {"line": WAYS})) == 1


def test_a_third_run_is_refused() -> None:
    runs = {name: ([1.0], [1.0]) for name in "abc"}
    with pytest.raises(ParameterError, match="3 runs; there are looks for 2"):
        plots.draw_speed_bounds(Figure().add_subplot(), WAYS, {"line": WAYS}, runs)


@pytest.mark.parametrize("bounds", [{}, {"line": WAYS[1:]}])
def test_bounds_that_do_not_fit_the_ways_are_refused(bounds: dict) -> None:
    with pytest.raises(ParameterError, match=r"each needs \(50,\), as ways"):
        plots.draw_speed_bounds(Figure().add_subplot(), WAYS, bounds)
