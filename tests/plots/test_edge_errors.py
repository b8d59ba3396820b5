"""Errors near an edge: on log scales, the edge to the right, and nothing that a log scale cannot show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError
from lessons_lib.plots.edge_errors import FLOOR


@pytest.fixture
def ax() -> plt.Axes:
    return Figure().add_subplot()


def test_marks_stand_at_their_errors_and_the_edge_is_to_the_right(ax: plt.Axes) -> None:
    gaps, errors = [1e-1, 1e-4, 1e-8], [1e-16, 1e-12, 1e-8]
    (line,) = plots.draw_edge_errors(ax, gaps, {"arc cosine": errors})
    assert np.array_equal(line.get_xydata(), np.column_stack([gaps, errors]))
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    left, right = ax.get_xlim()
    assert left > 1e-1 > 1e-8 > right
    assert line.get_label() == "arc cosine"


def test_no_error_is_drawn_at_the_floor_and_no_number_is_left_out(ax: plt.Axes) -> None:
    (line,) = plots.draw_edge_errors(ax, [1e-1, 1e-2], {"half angle": [0.0, np.nan]})
    assert line.get_ydata()[0] == FLOOR
    assert np.isnan(line.get_ydata()[1])


def test_formulas_differ_in_colour_and_mark(ax: plt.Axes) -> None:
    lines = plots.draw_edge_errors(ax, [1.0], {name: [1.0] for name in "abc"})
    assert len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == 3


def test_more_formulas_than_looks_are_refused(ax: plt.Axes) -> None:
    with pytest.raises(ParameterError, match="4 formulas; there are looks for 3"):
        plots.draw_edge_errors(ax, [1.0], {name: [1.0] for name in "abcd"})


def test_errors_and_gaps_must_match(ax: plt.Axes) -> None:
    with pytest.raises(ParameterError, match=r"errors of 'a' have shape \(1,\), the gaps \(2,\); they must match"):
        plots.draw_edge_errors(ax, [1.0, 2.0], {"a": [1.0]})
