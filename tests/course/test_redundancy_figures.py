"""Self-motions, joints in their ranges, and growing rates are drawn at the given values."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course, plots, robots
from lessons_lib.course.redundancy.figures import BEYOND

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
BENT = [0.3, 0.8, 0.7]


@pytest.fixture(scope="module")
def loop() -> np.ndarray:
    return course.self_motion(robots.planar_3r(1.0, 0.8, 0.6), BENT, held="position").configurations


def test_every_ghost_ends_at_the_held_point_and_the_ways_are_those_of_the_elbows(loop: np.ndarray) -> None:
    arm, ax = robots.planar_3r(1.0, 0.8, 0.6), Figure().add_subplot()
    plots.draw_self_motion(ax, arm, loop, BENT, ghosts=5, frame=False)
    tip = arm.forward_kinematics(BENT)[:2, 3]
    ends = [line.get_xydata()[-1] for line in ax.lines if len(line.get_xydata()) == 4]  # the links of an arm
    assert len(ends) == 5 + 1
    assert np.allclose(ends, tip, rtol=0, atol=1e-9)
    ways = [line.get_xydata() for line in ax.lines if len(line.get_xydata()) == len(loop)]
    assert len(ways) == 2  # joints 2 and 3; joint 1 stays
    assert np.allclose(np.hypot(*ways[0].T), 1.0, rtol=0, atol=1e-12)
    alone = Figure().add_subplot()
    plots.draw_self_motion(alone, arm, loop, loop[40], ghosts=0)
    (links,) = (line.get_xydata() for line in alone.lines if len(line.get_xydata()) == 4)
    assert np.allclose(links[1], ways[0][40], rtol=0, atol=1e-12)


def test_the_limits_are_at_one_and_the_middle_at_zero() -> None:
    panda = robots.panda()
    rows = [panda.limits[:, 0], panda.limits.mean(axis=1), panda.limits[:, 1]]
    places = course.relative_places(panda, rows)
    assert np.allclose(places, [[-1.0] * 7, [0.0] * 7, [1.0] * 7], rtol=0, atol=1e-15)


def test_a_line_for_each_joint_that_stays_on_the_page() -> None:
    panda, ax = robots.panda(), Figure().add_subplot()
    lines = course.draw_ranges(ax, panda, [0.0, 1.0], [READY, READY + 20.0])
    assert [line.get_label() for line in lines] == list(panda.joint_names)
    drawn = np.array([line.get_ydata() for line in lines]).T
    assert np.allclose(drawn[0], course.relative_places(panda, READY), rtol=0, atol=1e-15)
    assert np.all(drawn[1] == BEYOND)
