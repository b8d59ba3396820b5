"""Every start is drawn at its place, in the colour of its solution."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.course.starts.figures import COLOURS

SOLUTIONS = np.array([[0.5, 1.5], [2.0, -1.5]])
FATES = np.array([[0, 1, 2, 1], [1, 1, 2, 2], [2, 2, 1, 1], [1, 2, 0, 1]])


def test_every_start_has_the_colour_of_its_fate() -> None:
    image = course.draw_basins(Figure().add_subplot(), FATES, SOLUTIONS)
    drawn = image.to_rgba(image.get_array())
    for fate, colour in enumerate(COLOURS):
        np.testing.assert_allclose(drawn[FATES == fate], np.tile(to_rgba(colour), ((FATES == fate).sum(), 1)))


@pytest.mark.parametrize("draw", [course.draw_basins, course.draw_steps])
def test_a_start_is_the_middle_of_its_square(draw) -> None:
    ax = Figure().add_subplot()
    image = draw(ax, FATES, SOLUTIONS)
    left, right, bottom, top = image.get_extent()
    edges = np.linspace(left, right, 5)
    np.testing.assert_allclose((edges[1:] + edges[:-1]) / 2, [-np.pi, -np.pi / 2, 0.0, np.pi / 2], atol=1e-12)
    assert (bottom, top, image.origin) == (left, right, "lower")
    marks = np.array([line.get_xydata()[0] for line in ax.lines])
    np.testing.assert_array_equal(marks, SOLUTIONS)
    assert len({line.get_marker() for line in ax.lines}) == 2


def test_the_scale_of_steps_ends_at_most() -> None:
    steps = np.array([[0, 3], [7, 20]])
    assert course.draw_steps(Figure().add_subplot(), steps, SOLUTIONS).get_clim() == (0.0, 20.0)
    assert course.draw_steps(Figure().add_subplot(), steps, SOLUTIONS, most=10).get_clim() == (0.0, 10.0)
