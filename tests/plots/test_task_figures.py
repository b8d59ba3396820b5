"""The figure of gains and costs: what is measured, beside what is predicted."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError


def test_errors_are_in_millimetres_beside_the_geometric_series() -> None:
    ax = Figure().add_subplot()
    measured = plots.draw_decay(ax, {0.5: [0.1, 0.06, 0.03], 1.0: [0.1, 0.01, 0.0001]})
    assert np.abs(measured[0].get_xydata() - [[0, 100], [1, 60], [2, 30]]).max() < 1e-9
    (series,) = (line for line in ax.lines if line not in measured)  # none for gain 1: it would be zero
    assert np.abs(series.get_xydata() - [[0, 100], [1, 50], [2, 25]]).max() < 1e-9
    assert ax.get_yscale() == "log"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [r"$\alpha = 0.5$", r"$\alpha = 1$"]
    assert measured[0].get_marker() != measured[1].get_marker()


def test_the_price_falls_along_its_slope_and_the_constraint_lies_below() -> None:
    ax = Figure().add_subplot()
    curve, slope, constraint = plots.draw_price(ax, [1.0, 10.0, 100.0], [0.1, 2e-3, 2e-5], hard=0.0)
    assert np.abs(curve.get_ydata() - [100, 2, 0.02]).max() < 1e-9
    assert np.abs(slope.get_ydata() - [200, 2, 0.02]).max() < 1e-9
    assert constraint.get_ydata()[0] < 0.02
    assert ax.get_ylim()[0] <= constraint.get_ydata()[0]
    higher = plots.draw_price(Figure().add_subplot(), [1.0, 10.0], [0.1, 1e-3], hard=5e-4)[2]
    assert higher.get_ydata()[0] == pytest.approx(0.5)


def test_what_does_not_belong_together_is_refused() -> None:
    ax = Figure().add_subplot()
    with pytest.raises(ParameterError, match="0 gains; one to 4 can be told apart"):
        plots.draw_decay(ax, {})
    with pytest.raises(ParameterError, match=r"shapes \(2,\) and \(1,\)"):
        plots.draw_price(ax, [1.0, 2.0], [0.1], hard=0.0)
