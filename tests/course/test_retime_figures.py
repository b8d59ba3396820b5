"""The phase plane is drawn at the given values."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import course

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
