"""The drawn paths of a walking quadruped, and the heading of its base."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from lessons_lib import course, lie, robots

TREE = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def test_ways_round_a_circle_are_drawn_with_their_heading() -> None:
    ax = Figure().add_subplot()
    way = np.array([[0.0, 0.0, 0.0], [2.0, 2.0, np.pi / 2]])
    (line,) = course.draw_walk(ax, 2.0, {"mine": way})
    assert_allclose(line.get_xydata(), way[:, :2])
    circle = ax.lines[0].get_xydata()
    assert_allclose(np.linalg.norm(circle - [0.0, 2.0], axis=1), 2.0)
    assert_allclose(ax.lines[2].get_xydata()[1] - ax.lines[2].get_xydata()[0], [0.0, 0.32], atol=1e-15)
    assert list(ax.get_legend_handles_labels()[1]) == ["circle", "mine"]


def test_the_heading_of_a_turned_base_is_the_one_that_lesson_18_draws() -> None:
    q = TREE.integrate(TREE.q0, np.eye(TREE.nv)[2] * 0.7)
    assert 2 * np.arctan2(q[5], q[6]) == pytest.approx(0.7)
    assert_allclose(TREE.forward_kinematics(q, "trunk")[:3, :3], lie.exp_so3([0, 0, 0.7]), atol=1e-15)
