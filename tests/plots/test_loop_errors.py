"""Errors of a loop: drawn over the first one, beside the factor that was predicted, and over time."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError
from lessons_lib.plots.loop_errors import FLOOR


def test_errors_are_drawn_over_the_first_and_the_prediction_behind_them() -> None:
    ax = Figure().add_subplot()
    half, over = plots.draw_shrinking(ax, {"a": [4.0, 2.0, 1.0], "b": [1.0, 1.1]}, {"a": 0.5, "b": -1.1})
    assert half.get_ydata().tolist() == [1.0, 0.5, 0.25]
    assert half.get_marker() != over.get_marker() and ax.get_yscale() == "log"
    said = [line for line in ax.lines if line not in (half, over)]
    np.testing.assert_allclose(said[0].get_ydata(), half.get_ydata())
    np.testing.assert_allclose(said[1].get_ydata(), over.get_ydata())
    assert said[0].get_color() == half.get_color()


def test_a_name_without_a_factor_has_no_line_and_zero_is_drawn_at_the_floor() -> None:
    ax = Figure().add_subplot()
    (gone,) = plots.draw_shrinking(ax, {"dead beat": [0.3, 0.0, 0.0]}, {})
    assert gone.get_ydata().tolist() == [1.0, FLOOR, FLOOR]
    assert len(ax.lines) == 1


def test_samples_are_counted_in_whole_numbers() -> None:
    figure = Figure(figsize=(7.2, 3.6))
    ax = figure.add_subplot()
    plots.draw_shrinking(ax, {"a": 0.5 ** np.arange(20)}, {})
    assert all(tick == round(tick) for tick in ax.get_xticks())


@pytest.mark.parametrize("errors", [[], [0.0, 1.0], [1.0, np.nan], [1.0, -0.1], [[1.0]]])
def test_what_is_no_row_of_errors_is_refused(errors) -> None:
    with pytest.raises(ParameterError, match=r"errors of a must be of shape \(m,\), zero or more, the first positive"):
        plots.draw_shrinking(Figure().add_subplot(), {"a": errors}, {})


def test_runs_are_drawn_over_time_with_a_line_where_the_pose_changes() -> None:
    ax = Figure().add_subplot()
    t = np.array([0.0, 0.5, 1.0])
    first, second = plots.draw_tip_errors(ax, {"UR10": (t, [1.0, 0.1, 0.0]), "Panda": (t[:2], [2.0, 0.2])}, [0.5])
    assert first.get_ydata().tolist() == [1.0, 0.1, FLOOR] and second.get_xdata().tolist() == [0.0, 0.5]
    assert first.get_linestyle() != second.get_linestyle() and ax.get_yscale() == "log"
    (change,) = [line for line in ax.lines if line not in (first, second)]
    assert set(change.get_xdata()) == {0.5}
    assert first.get_zorder() > change.get_zorder()


def test_moments_and_distances_of_different_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"UR10 has moments of shape \(2,\) and distances of shape \(1,\)"):
        plots.draw_tip_errors(Figure().add_subplot(), {"UR10": ([0.0, 1.0], [0.1])})
