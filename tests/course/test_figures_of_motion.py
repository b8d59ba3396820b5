"""Drawings of paths and bodies show the given numbers."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from lessons_lib import course, lie, plots, robots
from lessons_lib.course import joints_on_line
from lessons_lib.course.paths.figures import FRAMES
from lessons_lib.course.redundancy.figures import BEYOND
from lessons_lib.course.tasks import two_hands
from lessons_lib.trajectories import interpolate

START = lie.exp_se3([0.0, 0.0, 0.2, 0.5, 0.1, 0.0])
END = START @ lie.exp_se3([0.0, 0.0, 2.0, 0.6, -0.3, 0.0])
PARTS = np.linspace(0.0, 1.0, 21)


def test_the_distance_from_a_line_is_that_of_the_foot_of_the_perpendicular():
    points = [[0.5, 2.0, 0.0], [3.0, 0.0, -1.0], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(course.off_the_line(points, [0, 0, 0], [2, 0, 0]), [2.0, 1.0, 0.0], atol=1e-15)
    line = np.array([[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0]])
    on_it = line[0] + np.outer([-1.0, 0.3, 4.0], line[1] - line[0])
    np.testing.assert_allclose(course.off_the_line(on_it, *line), 0.0, atol=1e-14)


def test_a_screw_leaves_the_line_by_the_distance_of_claim_14_8():
    across, turn = np.linalg.norm((END - START)[:2, 3]), 2.0
    paths = (interpolate(START, END, PARTS, how)[:, :3, 3] for how in ("screw", "decoupled"))
    screw, straight = (course.off_the_line(path, START[:3, 3], END[:3, 3]) for path in paths)
    assert screw.max() == pytest.approx(across / 2 * np.tan(turn / 4), rel=1e-12)
    assert screw.argmax() == len(PARTS) // 2
    assert straight.max() < 1e-15


def test_each_path_is_a_line_with_its_frames_in_view(ax):
    paths = {how: interpolate(START, END, PARTS, how) for how in ("screw", "decoupled")}
    lines = course.draw_interpolations(ax, paths)
    for line, path in zip(lines, paths.values(), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), path[:, :2, 3])
    arrows = [line for line in ax.lines if line not in lines]
    assert len(arrows) == 2 * FRAMES * len(paths)  # x and y of each frame
    ends = {tuple(np.round(arrow.get_xydata()[0], 12)) for arrow in arrows}
    assert {tuple(np.round(pose[:2, 3], 12)) for pose in (START, END)} <= ends
    points = np.concatenate([line.get_xydata() for line in ax.lines])
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left < points[:, 0].min() and points[:, 0].max() < right
    assert low < points[:, 1].min() and points[:, 1].max() < high


READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
BENT = [0.3, 0.8, 0.7]


@pytest.fixture(scope="module")
def loop():
    return course.self_motion(robots.planar_3r(1.0, 0.8, 0.6), BENT, held="position").configurations


def test_every_ghost_ends_at_the_held_point_and_the_ways_are_those_of_the_elbows(loop):
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


def test_the_limits_are_at_one_and_the_middle_at_zero():
    panda = robots.panda()
    rows = [panda.limits[:, 0], panda.limits.mean(axis=1), panda.limits[:, 1]]
    places = course.relative_places(panda, rows)
    assert np.allclose(places, [[-1.0] * 7, [0.0] * 7, [1.0] * 7], rtol=0, atol=1e-15)


def test_a_line_for_each_joint_that_stays_on_the_page():
    panda, ax = robots.panda(), Figure().add_subplot()
    lines = course.draw_ranges(ax, panda, [0.0, 1.0], [READY, READY + 20.0])
    drawn = np.array([line.get_ydata() for line in lines]).T
    assert np.allclose(drawn[0], course.relative_places(panda, READY), rtol=0, atol=1e-15)
    assert np.all(drawn[1] == BEYOND)


def test_each_limb_bends_at_its_frames(ax):
    tree, q = two_hands.body(), two_hands.ready() + 0.3
    (body,) = course.draw_body(ax, tree, two_hands.LIMBS, {"now": q}, two_hands.sides())
    for line, limb in zip(body, two_hands.LIMBS, strict=True):
        expected = [tree.forward_kinematics(q, frame)[[1, 0], 3] for frame in limb]
        assert np.abs(line.get_xydata() - expected).max() < 1e-12


def test_ghosts_and_goals(ax):
    tree = two_hands.body()
    bodies = {"before": two_hands.ready(), "after": two_hands.ready() + 0.2}
    ghost, last = course.draw_body(ax, tree, two_hands.LIMBS, bodies, two_hands.sides())
    crosses = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "x"]
    assert np.abs(crosses - two_hands.sides()[:, [1, 0]]).max() < 1e-12
    ways = [line.get_xydata() for line in ax.lines if line.get_linestyle() == ":"]
    tips = [tree.forward_kinematics(bodies["after"], hand)[[1, 0], 3] for hand in two_hands.HANDS]
    for way, cross, tip in zip(ways, crosses, tips, strict=True):
        assert np.abs(way - [cross, tip]).max() < 1e-12


def test_errors_are_in_millimetres_beside_the_geometric_series(ax):
    measured = course.draw_decay(ax, {0.2: [0.1, 0.06, 0.03], 1.0: [0.1, 0.01, 0.0001]})
    assert np.abs(measured[0].get_xydata() - [[0, 100], [1, 60], [2, 30]]).max() < 1e-9
    (series,) = (line for line in ax.lines if line not in measured)  # none for gain 1: it would be zero
    assert np.abs(series.get_xydata() - [[0, 100], [1, 80], [2, 64]]).max() < 1e-9
    assert ax.get_yscale() == "log"


def test_the_remaining_error_falls_along_its_slope_to_that_of_the_constraint(ax):
    curve, slope, constraint = course.draw_cost_and_constraint(ax, [1.0, 10.0, 100.0], [0.1, 2e-3, 2e-5], hard=0.0)
    assert np.abs(curve.get_ydata() - [100, 2, 0.02]).max() < 1e-9
    assert np.abs(slope.get_ydata() - [200, 2, 0.02]).max() < 1e-9
    assert constraint.get_ydata()[0] < 0.02
    assert ax.get_ylim()[0] <= constraint.get_ydata()[0]
    higher = course.draw_cost_and_constraint(Figure().add_subplot(), [1.0, 10.0], [0.1, 1e-3], hard=5e-4)[2]
    assert higher.get_ydata()[0] == pytest.approx(0.5)


def test_a_wall_fills_all_above_its_height_and_can_be_moved(ax):
    ax.set(xlim=(-2, 2), ylim=(-1, 3))
    wall = course.WallArtist(ax, 0.5)
    assert wall.body.get_xy()[:, 1].min() == 0.5
    wall.update(1.25)
    x, y = wall.body.get_xy().T
    assert y.min() == 1.25 and y.max() > 3.0
    assert x.min() < -2.0 and x.max() > 2.0
    assert ax.get_xlim() == (-2, 2) and ax.get_ylim() == (-1, 3)


PLACES = np.linspace(-1.0, 1.0, 5)


def test_the_phase_plane_holds_a_line_a_limit_and_the_motion(ax):
    limits = {"one": [4.0, 1.0, 0.5, 1.0, np.inf], "two": np.full(5, 0.8)}
    lines = course.draw_phase_plane(ax, PLACES, limits, [-1.0, 0.0, 1.0], [0.0, 0.5, 0.0], 2.0)
    np.testing.assert_array_equal(lines[0].get_ydata(), [4.0, 1.0, 0.5, 1.0, 4.0])  # beyond the top, but no infinity
    np.testing.assert_array_equal(lines[2].get_xydata(), [[-1, 0], [0, 0.5], [1, 0]])
    assert ax.get_xlim() == (-1, 1) and ax.get_ylim() == (0, 2)
    (shade,) = ax.collections
    outline = shade.get_paths()[0].vertices
    assert outline[:, 1].min() == 0.5 and outline[:, 1].max() == 2.0


TREE = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def test_ways_round_a_circle_are_drawn_with_their_heading(ax):
    way = np.array([[0.0, 0.0, 0.0], [2.0, 2.0, np.pi / 2]])
    (line,) = course.draw_walk(ax, 2.0, {"mine": way})
    assert_allclose(line.get_xydata(), way[:, :2])
    circle = ax.lines[0].get_xydata()
    assert_allclose(np.linalg.norm(circle - [0.0, 2.0], axis=1), 2.0)
    assert_allclose(ax.lines[2].get_xydata()[1] - ax.lines[2].get_xydata()[0], [0.0, 0.32], atol=1e-15)


def test_the_heading_of_a_turned_base_is_the_one_that_lesson_18_draws():
    q = TREE.integrate(TREE.q0, np.eye(TREE.nv)[2] * 0.7)
    assert 2 * np.arctan2(q[5], q[6]) == pytest.approx(0.7)
    assert_allclose(TREE.forward_kinematics(q, "trunk")[:3, :3], lie.exp_so3([0, 0, 0.7]), atol=1e-15)


def test_the_curve_and_its_samples_are_in_millimetres(ax):
    at, room = np.linspace(0, 1, 5), np.array([0.03, 0.01, -0.02, 0.01, 0.03])
    curve, dots = course.draw_room(ax, at, room, [0, 1], [0.03, 0.03])
    assert np.allclose(curve.get_ydata(), 1000 * room) and np.allclose(dots.get_ydata(), 30)


@pytest.mark.parametrize("d", [0.05, 0.3, 1.2])
def test_the_joints_are_those_of_the_closed_form_and_change_as_differences_do(d):
    s = np.linspace(-1.2, 1.2, 25)
    q, first, second = joints_on_line(s, d)
    for place, row in zip(s, q, strict=True):
        ((one, two), _) = robots.planar_2r_solutions([place, d])
        assert two > 0.0
        np.testing.assert_allclose(row, [one, two], atol=1e-12)
    step = 1e-5
    after, before = joints_on_line(s + step, d), joints_on_line(s - step, d)
    np.testing.assert_allclose((after[0] - before[0]) / (2 * step), first, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose((after[1] - before[1]) / (2 * step), second, rtol=1e-5, atol=1e-5)
