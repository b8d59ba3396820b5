"""The drawn arm is where the kinematics say it is, along a path, in a film, and in solids."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots, robots
from lessons_lib.course import matlab_library
from lessons_lib.plots.arm import FrameArtist
from lessons_lib.plots.path import PIECES
from lessons_lib.plots.solids import capsule, drum
from lessons_lib.plots.theme import BLUE
from lessons_lib.robots.stick_figure import skeleton

CHAINS = {"planar 2R": robots.planar_2r, "UR10": robots.ur10, "Panda": robots.panda}


def scara():
    """Two vertical revolute joints, a prismatic one along z, and a revolute one."""
    rows = [(0.325, 0.0, 0.4), (0.225, np.pi, 0.0), (0.0, 0.0, 0.1), (0.0, 0.0, 0.05)]
    kinds = ["revolute", "revolute", "prismatic", "revolute"]
    return robots.from_dh(rows, "standard", joint_types=kinds, name="SCARA")


@pytest.fixture(params=[*CHAINS, "SCARA"])
def chain(request):
    return scara() if request.param == "SCARA" else CHAINS[request.param]()


def axes_of(dimensions):
    return Figure().add_subplot(projection="3d" if dimensions == 3 else None)


def test_the_drawing_begins_at_the_base_and_ends_at_the_tip(chain):
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = chain.random_configuration(rng)
        corners = skeleton(chain).at(chain, q)
        assert np.array_equal(corners[0], np.zeros(3))
        # 1e-13 m: a dozen products of matrices with entries near one
        assert np.abs(corners[-1] - chain.forward_kinematics(q)[:3, 3]).max() < 1e-13


def test_every_joint_is_drawn_on_its_axis(chain):
    """A point r is on the axis (ω, v) of a joint that turns when ω × r + v = 0."""
    q = chain.random_configuration(np.random.default_rng(2))
    points = skeleton(chain).at(chain, q)[skeleton(chain).joints]
    columns = chain.space_jacobian(q)
    for kind, point, column in zip(chain.joint_types, points, columns.T, strict=True):
        if kind == "revolute":
            assert np.abs(np.cross(column[:3], point) + column[3:]).max() < 1e-13


def test_axes_at_any_angle_are_joined_by_their_common_normals():
    """By its rows a link goes d along its axis, and then a across to the next."""
    rows = [(0.3, 0.7, 0.2), (0.4, -1.1, 0.1), (0.25, 0.5, 0.15)]
    lengths = np.linalg.norm(np.diff(skeleton(robots.from_dh(rows, "standard")).corners, axis=0), axis=1)
    assert np.allclose(lengths, [0.2, 0.3, 0.1, 0.4, 0.15, 0.25], rtol=0, atol=1e-12)


def test_a_prismatic_joint_is_drawn_with_its_displacement():
    chain = scara()
    bones = skeleton(chain)
    ends = [bones.at(chain, np.array([0.3, -0.4, out, 0.2])) for out in (0.0, 0.15)]
    lengths = [np.linalg.norm(np.diff(points, axis=0), axis=1).sum() for points in ends]
    assert lengths[1] - lengths[0] == pytest.approx(0.15, abs=1e-12)


def test_draw_arm_puts_the_links_and_the_frame_at_q_and_update_moves_them():
    chain, q = robots.planar_2r(), np.radians([30.0, 90.0])
    ax = axes_of(2)
    arm = plots.draw_arm(ax, chain, q, label="elbow down")
    elbow = [np.cos(q[0]), np.sin(q[0])]
    tip = chain.forward_kinematics(q)[:2, 3]
    assert np.allclose(arm.links.get_xydata(), [[0.0, 0.0], elbow, tip], rtol=0, atol=1e-13)
    assert arm.frame is not None
    assert np.allclose(arm.frame.artists[0].get_xydata()[0], tip, rtol=0, atol=1e-13)
    arm.update([0.0, 0.0])
    assert np.allclose(arm.links.get_xydata()[-1], [2.0, 0.0], rtol=0, atol=1e-13)


def test_an_arm_in_space_has_a_shadow_on_the_floor_and_a_ghost_has_none():
    ax, chain = axes_of(3), robots.panda()
    arm = plots.draw_arm(ax, chain, np.zeros(7))
    assert arm.shadow is not None
    assert np.array_equal(arm.shadow.get_data_3d()[2], np.zeros(len(skeleton(chain).corners)))
    lines = len(ax.lines)
    ghost = plots.draw_arm(ax, chain, np.zeros(7), alpha=0.25)
    assert ghost.shadow is None
    assert len(ax.lines) == lines + len(ghost.artists)  # and the floor is laid once


def test_the_arrows_of_a_frame_point_along_its_axes():
    T = robots.ur10().forward_kinematics([0.3, -0.8, 0.5, 0.1, 0.9, -0.2])
    frame = plots.draw_frame(axes_of(3), T, 0.2)
    for i, arrow in enumerate(frame.artists):
        points = np.array(arrow.get_data_3d()).T
        assert np.allclose(points[1] - points[0], 0.2 * T[:3, i], rtol=0, atol=1e-14)
    assert len(FrameArtist(axes_of(2), 0.2).artists) == 2


Q = np.array([0.4, -1.1, 1.3, -0.5, 0.7, 0.2])


def test_the_line_joins_the_tips_and_the_legend_says_its_length():
    arm, model = robots.ur10(), matlab_library.wrong_ur10()
    ax = axes_of(3)
    gap = plots.draw_overlay(ax, arm, model, Q)
    lines = {line.get_label(): np.array(line.get_data_3d()).T for line in ax.lines}
    tips = [chain.forward_kinematics(Q)[:3, 3] for chain in (arm, model)]
    assert np.allclose(lines["gap 0.300 m"], tips, rtol=0, atol=1e-15)
    for name, tip in zip(("arm", "model"), tips, strict=True):
        assert np.allclose(lines[name][-1], tip, rtol=0, atol=1e-13)
    assert gap == pytest.approx(0.3, abs=1e-13)


ROWS = np.array([[0.1, 0.5], [0.4, 1.0], [1.0, 1.2]])
ARM = robots.planar_2r()
TARGETS = np.array([ARM.forward_kinematics(q) for q in ROWS[1:]])


def tip(q):
    return ARM.forward_kinematics(q)[:2, 3]


def volume(quads):
    """By the divergence theorem, each quadrilateral cut in two; negative if faces point inward."""
    halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return float(np.einsum("mi,mi->", halves[:, 0], np.cross(halves[:, 1], halves[:, 2])) / 6)


def test_a_capsule_has_the_volume_of_a_rod_with_round_ends():
    rod = capsule((0, 0, 0), (0.1, 0.2, -0.3), (0.02, 0.02), around=60, cap=20)
    exact = np.pi * 0.02**2 * np.sqrt(0.14) + 4 / 3 * np.pi * 0.02**3
    assert volume(rod) == pytest.approx(exact, rel=0.01)  # 60 flat faces around lose a fifth of a per cent
    ball = capsule((1, 2, 3), (1, 2, 3), (0.5, 0.5), around=80, cap=30)
    assert volume(ball) == pytest.approx(4 / 3 * np.pi * 0.5**3, rel=0.01)


def test_a_drum_lies_between_the_cylinders_of_its_bevel():
    inner, outer = (np.pi * radius**2 * 0.06 for radius in (0.82 * 0.04, 0.04))
    assert inner < volume(drum((0, 1, 0), (0, 2, 0), 0.04, 0.06, around=60)) < outer


def test_the_tip_path_passes_every_configuration_and_ends_at_the_arm():
    ax = plots.draw_path(Figure(), ARM, TARGETS, ROWS)
    (way,) = (line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 2 * PIECES + 1)
    np.testing.assert_allclose(way[::PIECES], [tip(q) for q in ROWS], atol=1e-15)
    np.testing.assert_allclose(way[PIECES // 2], tip(ROWS[:2].mean(axis=0)), atol=1e-15)
    np.testing.assert_allclose(ax.lines[0].get_xydata()[-1], tip(ROWS[2]), atol=1e-12)


def test_every_target_and_every_joint_is_drawn():
    figure = Figure()
    plots.draw_path(figure, ARM, TARGETS, ROWS)
    picture, curves, names = figure.axes
    ends = [line.get_xydata()[0] for line in picture.lines if len(line.get_xydata()) == 6]
    for T in TARGETS:
        assert sum(np.allclose(end, T[:2, 3]) for end in ends) >= 2  # the arrows of x and y
    np.testing.assert_array_equal([line.get_ydata() for line in curves.lines], ROWS.T)
    assert [text.get_text() for text in names.get_legend().texts] == list(ARM.joint_names)


def test_an_arm_in_space_is_drawn_in_space():
    arm = robots.ur10()
    rows = np.array([[0.1, -1.0, 1.2, 0.3, 0.5, 0.0], [0.3, -0.8, 1.0, 0.2, 0.4, 0.1]])
    ax = plots.draw_path(Figure(), arm, [], rows)
    assert ax.name == "3d"
    (way,) = (line for line in ax.lines if line.get_color() == BLUE and len(line.get_data_3d()[0]) > 6)
    np.testing.assert_allclose(np.array(way.get_data_3d()).T[-1], arm.forward_kinematics(rows[1])[:3, 3])
