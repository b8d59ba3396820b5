"""Speed-up over cores by the derived law, and the colours of a map."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course


@pytest.mark.parametrize("share", [0.0, 1e-3, 0.5, 1.0])
def test_the_time_of_the_serial_and_of_the_shared_part_add_up(share: float) -> None:
    cores = np.array([1.0, 2.0, 16.0, 1e6])
    gained = course.speed_up(share, cores)
    assert 1.0 / gained == pytest.approx(share + (1.0 - share) / cores, rel=1e-14)  # some roundings
    assert gained[0] == 1.0
    assert (np.diff(gained) >= 0.0).all()
    assert (gained * share <= 1.0 + 1e-15).all()  # the ceiling 1/s, and a rounding


def test_a_place_of_the_map_has_the_colour_of_its_share() -> None:
    ax = Figure().add_subplot()
    drawn = course.draw_map_of_reach(ax, [0.0, 0.5], [1.0, 0.0, -1.0], [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert np.ravel(drawn.get_array()).tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    left, right = drawn.get_coordinates()[0, [0, -1], 0]
    assert (left, right) == (-0.25, 0.75) and ax.get_aspect() == 1.0
    assert drawn.get_coordinates()[0, 0, 1] > drawn.get_coordinates()[-1, 0, 1]  # the first row stands on top
