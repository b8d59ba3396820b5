"""Ways, the loop's diagram and its errors: what is drawn is what was given."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import lie, plots
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.plots.lesson_14 import FLOOR, FRAMES, HEIGHT, WIDTH
from lessons_lib.trajectories import interpolate

START = lie.exp_se3([0.0, 0.0, 0.2, 0.5, 0.1, 0.0])
END = START @ lie.exp_se3([0.0, 0.0, 2.0, 0.6, -0.3, 0.0])
PARTS = np.linspace(0.0, 1.0, 21)


def test_the_distance_from_a_line_is_that_of_the_foot_of_the_perpendicular() -> None:
    points = [[0.5, 2.0, 0.0], [3.0, 0.0, -1.0], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(plots.off_the_line(points, [0, 0, 0], [2, 0, 0]), [2.0, 1.0, 0.0], atol=1e-15)
    line = np.array([[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0]])
    on_it = line[0] + np.outer([-1.0, 0.3, 4.0], line[1] - line[0])
    np.testing.assert_allclose(plots.off_the_line(on_it, *line), 0.0, atol=1e-14)


def test_without_a_line_it_is_the_distance_from_the_point() -> None:
    assert plots.off_the_line([[3.0, 4.0, 0.0]], [0, 0, 0], [0, 0, 0]).tolist() == [5.0]


def test_the_bulge_of_a_screw_is_that_of_claim_14_4() -> None:
    across, turn = np.linalg.norm((END - START)[:2, 3]), 2.0
    screw, straight = (
        plots.off_the_line(interpolate(START, END, PARTS, how)[:, :3, 3], START[:3, 3], END[:3, 3])
        for how in ("screw", "decoupled")
    )
    assert screw.max() == pytest.approx(across / 2 * np.tan(turn / 4), rel=1e-12)
    assert screw.argmax() == len(PARTS) // 2
    assert straight.max() < 1e-15


def test_each_path_is_a_line_with_its_frames_in_view() -> None:
    ax = Figure().add_subplot()
    paths = {how: interpolate(START, END, PARTS, how) for how in ("screw", "decoupled")}
    lines = plots.draw_interpolations(ax, paths, length=0.3)
    assert [line.get_label() for line in lines] == list(paths)
    for line, path in zip(lines, paths.values(), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), path[:, :2, 3])
    assert lines[0].get_color() != lines[1].get_color() and lines[0].get_linestyle() != lines[1].get_linestyle()
    arrows = [line for line in ax.lines if line not in lines]
    assert len(arrows) == 2 * FRAMES * len(paths)  # x and y of each frame
    ends = {tuple(np.round(arrow.get_xydata()[0], 12)) for arrow in arrows}
    assert {tuple(np.round(pose[:2, 3], 12)) for pose in (START, END)} <= ends
    points = np.concatenate([line.get_xydata() for line in ax.lines])
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left < points[:, 0].min() and points[:, 0].max() < right
    assert low < points[:, 1].min() and points[:, 1].max() < high


@pytest.mark.parametrize(
    ("poses", "message"),
    [
        (START, r"the path 'one' must be poses, shape \(m, 4, 4\) with m ≥ 2, got \(4, 4\)"),
        (START[None], r"got \(1, 4, 4\)"),
        ([START, 2 * END], "pose 1 of one: the last row must be"),
    ],
)
def test_what_is_no_path_is_refused(poses, message: str) -> None:
    with pytest.raises(TransformError, match=message):
        plots.draw_interpolations(Figure().add_subplot(), {"one": poses})


BOXES = {"source": (0.0, 0.0), "sink": (3.0, 1.0)}
WIRE = [(0.65, 0.0), (3.0, 0.0), (3.0, 0.69)]


def test_boxes_stand_around_their_middles_with_their_names() -> None:
    ax = Figure().add_subplot()
    boxes, _ = plots.draw_diagram(ax, BOXES, [])
    for box, middle in zip(boxes, BOXES.values(), strict=True):
        around = box.get_bbox()
        assert ((around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2) == pytest.approx(middle)
        assert (around.width, around.height) == pytest.approx((WIDTH, HEIGHT))
    assert [text.get_text() for text in ax.texts] == list(BOXES)


def test_wires_follow_their_corners_and_end_in_an_arrow() -> None:
    ax = Figure().add_subplot()
    _, (line,) = plots.draw_diagram(ax, BOXES, [(WIRE, "q")])
    assert [tuple(point) for point in line.get_xydata()] == WIRE
    arrow = next(text for text in ax.texts if getattr(text, "arrow_patch", None) is not None)
    assert tuple(arrow.xy) == WIRE[-1] and tuple(arrow.xyann) == WIRE[-2]
    (name,) = [text for text in ax.texts if text.get_text() == "q"]
    assert tuple(name.xy) == (pytest.approx((0.65 + 3.0) / 2), 0.0)  # above the stretch that lies flat


def test_a_wire_without_a_name_gets_none() -> None:
    ax = Figure().add_subplot()
    plots.draw_diagram(ax, BOXES, [(WIRE, "")])
    assert [text.get_text() for text in ax.texts if text.get_text()] == list(BOXES)


@pytest.mark.parametrize("corners", [[(0.0, 0.0)], [(0, 0, 0), (1, 1, 1)], [1.0, 2.0]])
def test_a_wire_that_leads_nowhere_is_refused(corners) -> None:
    with pytest.raises(ParameterError, match="wire 'q' needs two corners"):
        plots.draw_diagram(Figure().add_subplot(), BOXES, [(corners, "q")])


def test_errors_are_drawn_over_the_first_and_the_prediction_behind_them() -> None:
    ax = Figure().add_subplot()
    half, over = plots.draw_shrinking(ax, {"a": [4.0, 2.0, 1.0], "b": [1.0, 1.1]}, {"a": 0.5, "b": -1.1})
    assert half.get_ydata().tolist() == [1.0, 0.5, 0.25]
    assert half.get_marker() != over.get_marker() and ax.get_yscale() == "log"
    said = [line for line in ax.lines if line not in (half, over)]
    np.testing.assert_allclose(said[0].get_ydata(), half.get_ydata())
    np.testing.assert_allclose(said[1].get_ydata(), over.get_ydata())
    assert said[0].get_color() == half.get_color()


def test_a_name_without_a_factor_has_no_line_and_zero_is_drawn_at_the_floor() -> None:
    ax = Figure().add_subplot()
    (gone,) = plots.draw_shrinking(ax, {"dead beat": [0.3, 0.0, 0.0]}, {})
    assert gone.get_ydata().tolist() == [1.0, FLOOR, FLOOR]
    assert len(ax.lines) == 1


def test_samples_are_counted_in_whole_numbers() -> None:
    figure = Figure(figsize=(7.2, 3.6))
    ax = figure.add_subplot()
    plots.draw_shrinking(ax, {"a": 0.5 ** np.arange(20)}, {})
    assert all(tick == round(tick) for tick in ax.get_xticks())


@pytest.mark.parametrize("errors", [[], [0.0, 1.0], [1.0, np.nan], [1.0, -0.1], [[1.0]]])
def test_what_is_no_row_of_errors_is_refused(errors) -> None:
    with pytest.raises(ParameterError, match=r"errors of a must be of shape \(m,\), zero or more, the first positive"):
        plots.draw_shrinking(Figure().add_subplot(), {"a": errors}, {})


def test_runs_are_drawn_over_time_with_a_line_where_the_pose_changes() -> None:
    ax = Figure().add_subplot()
    t = np.array([0.0, 0.5, 1.0])
    first, second = plots.draw_tip_errors(ax, {"UR10": (t, [1.0, 0.1, 0.0]), "Panda": (t[:2], [2.0, 0.2])}, [0.5])
    assert first.get_ydata().tolist() == [1.0, 0.1, FLOOR] and second.get_xdata().tolist() == [0.0, 0.5]
    assert first.get_linestyle() != second.get_linestyle() and ax.get_yscale() == "log"
    (change,) = [line for line in ax.lines if line not in (first, second)]
    assert set(change.get_xdata()) == {0.5}
    assert first.get_zorder() > change.get_zorder()


def test_moments_and_distances_of_different_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"UR10 has moments of shape \(2,\) and distances of shape \(1,\)"):
        plots.draw_tip_errors(Figure().add_subplot(), {"UR10": ([0.0, 1.0], [0.1])})
