"""Balls around iterates are drawn with the given radii."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import course

CENTERS = np.array([[0.0, 0.0], [1.0, 0.5], [1.1, 0.6]])


def test_each_finite_ball_is_a_disc_around_its_iterate() -> None:
    ax = Figure().add_subplot()
    discs = course.draw_enclosures(ax, CENTERS, [np.inf, 0.3, 0.01], [0.0, 0.5, 0.6], [1.11, 0.61])
    assert [(disc.center, disc.radius) for disc in discs] == [((1.0, 0.5), 0.3), ((1.1, 0.6), 0.01)]
    shade = ax.patches[0]
    assert (shade.center, shade.radius) == ((1.1, 0.6), 0.6)
    way, answer = ax.lines
    np.testing.assert_array_equal(way.get_xydata(), CENTERS)
    np.testing.assert_array_equal(answer.get_xydata(), [[1.11, 0.61]])


def test_the_radii_of_each_step_are_lines_on_a_logarithmic_scale() -> None:
    ax = Figure().add_subplot()
    lines = course.draw_radii(ax, [np.inf, 1e-3], [0.0, 1e-2], [0.1, 0.0])
    assert [line.get_label() for line in lines] == ["alone", "radius", "distance"] and ax.get_yscale() == "log"
    np.testing.assert_array_equal([line.get_ydata() for line in lines], [[np.nan, 1e-2], [np.nan, 1e-3], [0.1, np.nan]])
