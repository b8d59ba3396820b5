"""Time scalings and the phase plane are drawn at the given values."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.trajectories import time_scaling

TAU = np.linspace(-0.1, 1.1, 13)


def test_each_scaling_is_a_curve_that_colour_and_dashes_tell_apart() -> None:
    ax = Figure().add_subplot()
    curves = {kind: time_scaling(TAU, kind, order=1) for kind in ("linear", "cubic", "quintic", "trapezoidal")}
    lines = course.draw_tempo(ax, TAU, curves)
    assert [line.get_label() for line in lines] == list(curves)
    for line, values in zip(lines, curves.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), values)
    assert len({line.get_color() for line in lines}) == 4 and lines[0].get_linestyle() != lines[1].get_linestyle()
    assert ax.get_xlim() == (-0.1, 1.1)


PLACES = np.linspace(-1.0, 1.0, 5)


def test_the_phase_plane_holds_a_line_a_limit_and_the_motion() -> None:
    ax = Figure().add_subplot()
    limits = {"one": [4.0, 1.0, 0.5, 1.0, np.inf], "two": np.full(5, 0.8)}
    lines = course.draw_phase_plane(ax, PLACES, limits, [-1.0, 0.0, 1.0], [0.0, 0.5, 0.0], 2.0)
    assert [line.get_label() for line in lines] == ["one", "two", "the motion"]
    np.testing.assert_array_equal(lines[0].get_ydata(), [4.0, 1.0, 0.5, 1.0, 4.0])  # beyond the top, but no infinity
    np.testing.assert_array_equal(lines[2].get_xydata(), [[-1, 0], [0, 0.5], [1, 0]])
    assert ax.get_xlim() == (-1, 1) and ax.get_ylim() == (0, 2)
    (shade,) = ax.collections
    outline = shade.get_paths()[0].vertices
    assert outline[:, 1].min() == 0.5 and outline[:, 1].max() == 2.0
