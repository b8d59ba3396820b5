"""The figures of lesson 11: fraction of converged starts over steps, and each method as a point."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import course


def test_every_method_is_a_point_at_its_step_and_its_percentage() -> None:
    ax = Figure().add_subplot()
    newton, chan = course.draw_trade_off(ax, {"Newton": {"body": (1e5, 0.9)}, "Chan": {"1": (0.6, 0.8), "0.1": (2, 1)}})
    assert newton.get_xydata().tolist() == [[1e5, 90.0]]
    assert chan.get_xydata().tolist() == [[0.6, 80.0], [2.0, 100.0]]
    assert (newton.get_label(), ax.get_xscale()) == ("Newton", "log")
    assert newton.get_marker() != chan.get_marker()  # colour is not the only difference
    assert ax.get_ylim() == (70.0, 101.0)  # the axis begins little below the least of them
    course.draw_trade_off(ax, {"None": {"body": (1.0, 0.0)}})
    assert ax.get_ylim()[0] == 0.0


def test_a_curve_climbs_to_the_part_that_arrives_and_the_single_run_is_a_dot_on_it() -> None:
    ax = Figure().add_subplot()
    (newton,) = course.draw_arrivals(ax, {"Newton": [3, 1, np.inf, 3]}, {"Newton": 2})
    assert newton.get_xydata().tolist() == [[0.0, 0.0], [1.0, 25.0], [2.0, 25.0], [3.0, 75.0]]
    assert ax.lines[1].get_xydata().tolist() == [[2.0, 25.0]]
