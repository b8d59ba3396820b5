"""Arms whose hand stays, joints in their ranges, and rates that grow: what is drawn is what was given."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course, plots, robots
from lessons_lib.course.redundancy.figures import BEYOND
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
BENT = [0.3, 0.8, 0.7]


@pytest.fixture(scope="module")
def loop() -> np.ndarray:
    return course.self_motion(robots.planar_3r(1.0, 0.8, 0.6), BENT, held="position").configurations


def test_every_ghost_ends_at_the_held_point_and_the_ways_are_those_of_the_elbows(loop: np.ndarray) -> None:
    arm, ax = robots.planar_3r(1.0, 0.8, 0.6), Figure().add_subplot()
    picture = plots.draw_self_motion(ax, arm, loop, BENT, ghosts=5, frame=False)
    tip = arm.forward_kinematics(BENT)[:2, 3]
    assert len(picture.ghosts) == 5
    for drawn in (*picture.ghosts, picture.arm):
        assert np.allclose(drawn.links.get_xydata()[-1], tip, rtol=0, atol=1e-9)
    assert len(picture.ways) == 2  # joints 2 and 3; joint 1 stays
    first = np.hypot(*picture.ways[0].get_xydata().T)
    assert np.allclose(first, 1.0, rtol=0, atol=1e-12)
    picture = plots.draw_self_motion(ax, arm, loop, loop[40], ghosts=0)
    assert picture.ghosts == []
    assert np.allclose(picture.arm.links.get_xydata()[1], picture.ways[0].get_xydata()[40], rtol=0, atol=1e-12)


def test_an_arm_in_space_keeps_its_hand_too() -> None:
    panda, ax = robots.panda(), Figure().add_subplot(projection="3d")
    curve = course.self_motion(panda, READY, step=0.1).configurations
    picture = plots.draw_self_motion(ax, panda, curve, READY, ghosts=3)
    ends = [np.array(drawn.links.get_data_3d()).T[-1] for drawn in (*picture.ghosts, picture.arm)]
    assert np.allclose(ends, panda.forward_kinematics(READY)[:3, 3], rtol=0, atol=1e-9)
    assert all(ghost.links.get_alpha() < 0.5 for ghost in picture.ghosts)


def test_a_self_motion_of_one_posture_is_refused() -> None:
    ax = Figure().add_subplot()
    with pytest.raises(ParameterError, match=r"shape \(k, 3\), k ≥ 2; got \(1, 3\)"):
        plots.draw_self_motion(ax, robots.planar_3r(), [BENT], BENT)
    with pytest.raises(ConfigurationError, match="must be finite"):
        plots.draw_self_motion(ax, robots.planar_3r(), [BENT, [np.nan, 0, 0]], BENT)


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


def test_ranges_need_limits_and_matching_numbers() -> None:
    endless = robots.from_screws(robots.planar_3r().screws, np.eye(4), name="endless")
    with pytest.raises(LimitsError, match="a joint of endless has no limit"):
        course.relative_places(endless, BENT)
    pinned = endless.with_limits(position=[(-1, 1), (0.5, 0.5), (-1, 1)])
    with pytest.raises(LimitsError, match="a joint of endless has but one place"):
        course.relative_places(pinned, BENT)
    with pytest.raises(ParameterError, match="configurations of Panda must be numbers"):
        course.relative_places(robots.panda(), "ready")
    with pytest.raises(ParameterError, match=r"shape \(..., 7\), got \(3,\)"):
        course.relative_places(robots.panda(), BENT)
    with pytest.raises(ParameterError, match="as many numbers"):
        course.draw_ranges(Figure().add_subplot(), robots.panda(), [0.0], [READY, READY])


def test_growth_is_drawn_in_degrees_on_logarithmic_scales() -> None:
    ax = Figure().add_subplot()
    (line,) = course.draw_growth(ax, np.radians([10.0, 1.0]), {"in order": [1.0, 10.0]})
    assert line.get_xdata() == pytest.approx([10.0, 1.0])
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    for distances, sizes in (([0.0, 1.0], [1.0, 1.0]), ([1.0, 2.0], [1.0, -1.0]), ([1.0, 2.0], [1.0])):
        with pytest.raises(ParameterError, match="distances and sizes are above zero"):
            course.draw_growth(ax, distances, {"wrong": sizes})
