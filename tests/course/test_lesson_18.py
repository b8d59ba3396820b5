"""The quadruped's picture: an honest camera, solids that are closed, feet and weight where the kinematics put them."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from PIL import Image

from lessons_lib import course, lie, robots
from lessons_lib.course.floating_base.figures import COLOURS
from lessons_lib.course.painted_body import Body, Camera
from lessons_lib.course.quadruped_parts import FOOT, LEGS, parts_of
from lessons_lib.course.stance_picture import EYE
from lessons_lib.course.support_picture import FALLS, STANDS
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError
from lessons_lib.plots.solids import block, capsule, drum, normals

TREE = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def standing(height: float = 0.3) -> np.ndarray:
    bend = np.arccos(height / 0.4)
    return np.concatenate([[0, 0, height, 0, 0, 0, 1], np.tile([0.0, bend, -2 * bend], 4)])


def leaning(left: float) -> np.ndarray:
    """The robot shifted over feet that do not follow: its hips turn until the feet are where they were."""
    q = standing()
    q[1] = left
    q[7::3] = -np.arctan2(left, 0.3)
    return q


def volume(quads: np.ndarray) -> float:
    """By the divergence theorem, each quadrilateral cut in two."""
    halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return float(np.einsum("mi,mi->", halves[:, 0], np.cross(halves[:, 1], halves[:, 2])) / 6)


def test_the_camera_shows_its_target_in_the_middle_and_sizes_there_truly() -> None:
    camera = Camera(0.7, 0.3, 2.0, (0.1, 0.2, 0.3))
    assert_allclose(camera.see([0.1, 0.2, 0.3]), 0.0, atol=1e-15)
    right, up, towards = camera.axes
    assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-15)
    target = np.array([0.1, 0.2, 0.3])
    assert_allclose(camera.see(target + 0.05 * right - 0.02 * up), [0.05, -0.02], atol=1e-15)
    assert_allclose(camera.see(target + 0.05 * right + towards), [0.1, 0.0], atol=1e-15)  # at half the distance
    assert camera.depths(target) == pytest.approx(2.0)
    assert up[2] > 0.0


@pytest.mark.parametrize(
    ("solid", "exact"),
    [
        (capsule((0, 0, 0), (0.1, 0.2, -0.3), (0.02, 0.02), around=60, cap=20), None),
        (capsule((1, 2, 3), (1, 2, 3), (0.5, 0.5), around=80, cap=30), 4 / 3 * np.pi * 0.5**3),
        (block((0.3, 0, 0), (0.4, 0.2, 0.1), 0.001), 0.4 * 0.2 * 0.1),
    ],
)
def test_solids_are_closed_and_turned_outward(solid: np.ndarray, exact: float | None) -> None:
    if exact is None:
        exact = np.pi * 0.02**2 * np.sqrt(0.14) + 4 / 3 * np.pi * 0.02**3
    assert volume(solid) == pytest.approx(exact, rel=0.01)  # faces are flat: 60 around lose a fifth of a per cent
    away = solid.mean(axis=1) - solid.mean(axis=(0, 1))
    area = np.linalg.norm(np.cross(solid[:, 2] - solid[:, 0], solid[:, 3] - solid[:, 1]), axis=1)
    assert (np.einsum("mi,mi->m", normals(solid), away)[area > 1e-12] > 0.0).all()


def test_a_drum_lies_between_the_cylinders_of_its_bevel() -> None:
    inner, outer = (np.pi * radius**2 * 0.06 for radius in (0.82 * 0.04, 0.04))
    assert inner < volume(drum((0, 1, 0), (0, 2, 0), 0.04, 0.06, around=60)) < outer


def test_every_part_moves_with_its_frame() -> None:
    q = TREE.random_configuration(np.random.default_rng(1))
    body, start = Body(parts_of(TREE)), 0
    body.move(TREE.state(q))
    for part in parts_of(TREE):
        T = TREE.forward_kinematics(q, part.frame)
        expected = part.solid.quads @ T[:3, :3].T + T[:3, 3]
        assert_allclose(body.faces[start : start + len(part.solid.quads)], expected, atol=1e-14)
        start += len(part.solid.quads)
    assert start == len(body.faces)


def test_faces_are_painted_from_far_to_near_and_their_backs_are_not() -> None:
    body = Body(parts_of(TREE))
    body.move(TREE.state(standing()))
    polygons, colours = body.seen(EYE)
    assert len(polygons) == len(colours) < 0.6 * len(body.faces)
    assert ((colours >= 0.0) & (colours <= 1.0)).all()
    towards = ((EYE.eye - body.faces.mean(axis=1)) * body.normals).sum(axis=1) > 0.0
    near_to_far = np.sort(EYE.depths(body.faces.mean(axis=1)[towards]))
    nearest = body.faces[np.argmin(np.where(towards, EYE.depths(body.faces.mean(axis=1)), np.inf))]
    assert_allclose(polygons[-1], EYE.see(nearest))
    assert len(near_to_far) == len(polygons)


def test_the_shadow_lies_on_the_ground_and_under_the_feet() -> None:
    body = Body(parts_of(TREE))
    body.move(TREE.state(standing()))
    shadow = body.shadow(-FOOT)
    assert_allclose(shadow[..., 2], -FOOT, atol=1e-15)
    for leg in LEGS:
        foot = TREE.forward_kinematics(standing(), f"{leg}_foot")[:2, 3]
        assert np.linalg.norm(shadow.mean(axis=1)[:, :2] - foot, axis=1).min() < 2 * FOOT


def drawn_stance(ax: Axes) -> course.StanceArtist:
    """Return the picture of the quadruped as it stands."""
    artist = course.StanceArtist(ax, TREE)
    artist.update(standing())
    return artist


def test_polygon_and_plumb_line_are_where_the_kinematics_say() -> None:
    artist = drawn_stance(Figure().add_subplot())
    feet = [TREE.forward_kinematics(standing(), f"{leg}_foot")[:3, 3] - [0, 0, FOOT] for leg in LEGS]
    drawn = artist.support.edge.get_xy()[:-1]
    assert all(np.abs(drawn - place).max(axis=1).min() < 1e-12 for place in EYE.see(feet))
    centre = TREE.centre_of_mass(standing())
    assert_allclose(artist.plumb.get_xydata(), EYE.see([centre, [*centre[:2], -FOOT]]), atol=1e-12)
    assert_allclose(artist.centre.artists[0].get_xydata()[0], EYE.see(centre), atol=1e-12)


def test_the_colour_says_whether_it_stands() -> None:
    artist = drawn_stance(Figure().add_subplot())
    assert artist.support.edge.get_edgecolor() == to_rgba(STANDS)
    artist.update(leaning(0.2))
    assert artist.support.edge.get_edgecolor() == to_rgba(FALLS)
    artist.update(standing(), LEGS[1:])  # front left up: the centre is behind the diagonal
    assert artist.support.edge.get_edgecolor() == to_rgba(STANDS)
    artist.update(standing(), LEGS[:3])
    assert artist.support.edge.get_edgecolor() == to_rgba(FALLS)


def test_nothing_is_added_by_moving() -> None:
    ax = Figure().add_subplot()
    artist = drawn_stance(ax)
    count = len(ax.get_children())
    artist.update(standing(0.2))
    assert len(ax.get_children()) == count


def test_from_above_the_robot_faces_up_and_left_is_left() -> None:
    ax = Figure().add_subplot()
    artist = course.SupportArtist(ax, TREE)
    artist.update(standing())
    assert_allclose(artist.feet.get_xydata(), [[0.14, 0.2], [-0.14, 0.2], [0.14, -0.2], [-0.14, -0.2]], atol=1e-12)
    assert ax.get_xlim()[0] > ax.get_xlim()[1]  # y grows to the left
    assert_allclose(artist.centre.artists[0].get_xydata()[0], TREE.centre_of_mass(standing())[1::-1])
    artist.follow([standing(0.3), standing(0.2)])
    assert_allclose(artist.trail.get_xydata(), [TREE.centre_of_mass(standing(h))[1::-1] for h in (0.3, 0.2)])


def test_stances_side_by_side_have_their_names() -> None:
    figure = Figure()
    artists = course.draw_stances(figure, TREE, {"high": standing(0.38), "low": standing(0.15), "mid": standing()})
    assert [ax.get_title(loc="center") for ax in figure.axes] == ["high", "low", "mid"]
    assert artists[0].plumb.get_xydata()[0, 1] > artists[1].plumb.get_xydata()[0, 1]
    with pytest.raises(ParameterError, match="no stance to draw"):
        course.draw_stances(Figure(), TREE, {})


def test_a_film_has_its_pictures_its_pace_and_few_colours() -> None:
    rows = [standing(height) for height in (0.3, 0.25, 0.2, 0.25)]
    film = course.animate_stance(TREE, rows, ["a", "b", "c", "d"], rate=10.0, dpi=40)
    with Image.open(BytesIO(film)) as moving:
        assert (moving.format, moving.n_frames, moving.info["duration"], moving.info["loop"]) == ("PNG", 4, 100, 0)
        assert moving.size == (288, 140)
        assert len(moving.convert("RGB").getcolors(10_000)) <= COLOURS
        assert moving.convert("RGB").getpixel((1, 138)) == (255, 255, 255)
        first = np.asarray(moving.convert("L"), dtype=np.int16)
        moving.seek(2)
        assert np.abs(np.asarray(moving.convert("L"), dtype=np.int16) - first).max() > 100
    assert film == course.animate_stance(TREE, rows, ["a", "b", "c", "d"], rate=10.0, dpi=40)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"configurations": [standing()]}, ConfigurationError, r"two or more configurations, .* got \(1, 19\)"),
        ({"configurations": standing()}, ConfigurationError, r"got \(19,\)"),
        ({"configurations": [standing(), np.zeros(19)]}, ConfigurationError, "quaternion of length 0; it must be 1"),
        ({"words": ["one"]}, ParameterError, "1 words for 2 configurations"),
        ({"rate": 0.0}, ParameterError, "rate is 0.0; it is positive and finite"),
        ({"rate": np.inf}, ParameterError, "rate is inf"),
    ],
)
def test_what_is_no_film_is_refused(arguments: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        course.animate_stance(TREE, **({"configurations": [standing(), standing(0.2)]} | arguments))


def test_another_robot_is_refused_by_the_name_that_it_lacks() -> None:
    arms = robots.load_urdf(robots.urdf_file("two_arms"), floating_base=True)
    with pytest.raises(FrameNotFound, match="trunk"):
        course.StanceArtist(Figure().add_subplot(), arms)


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
