"""The curves of the time scalings are the values that were given."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError
from lessons_lib.trajectories import time_scaling

TAU = np.linspace(-0.1, 1.1, 13)


def test_each_scaling_is_a_curve_that_colour_and_dashes_tell_apart() -> None:
    ax = Figure().add_subplot()
    curves = {kind: time_scaling(TAU, kind, order=1) for kind in ("linear", "cubic", "quintic", "trapezoidal")}
    lines = plots.draw_tempo(ax, TAU, curves)
    assert [line.get_label() for line in lines] == list(curves)
    for line, values in zip(lines, curves.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), values)
    assert len({line.get_color() for line in lines}) == 4 and lines[0].get_linestyle() != lines[1].get_linestyle()
    assert ax.get_xlim() == (-0.1, 1.1)


def test_values_at_other_times_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"cubic has values of shape \(3,\) at times of shape \(13,\)"):
        plots.draw_tempo(Figure().add_subplot(), TAU, {"cubic": np.zeros(3)})
