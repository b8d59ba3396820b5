"""Paths are drawn at the given poses."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course, lie
from lessons_lib.course.paths.figures import FRAMES
from lessons_lib.trajectories import interpolate

START = lie.exp_se3([0.0, 0.0, 0.2, 0.5, 0.1, 0.0])
END = START @ lie.exp_se3([0.0, 0.0, 2.0, 0.6, -0.3, 0.0])
PARTS = np.linspace(0.0, 1.0, 21)


def test_the_distance_from_a_line_is_that_of_the_foot_of_the_perpendicular() -> None:
    points = [[0.5, 2.0, 0.0], [3.0, 0.0, -1.0], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(course.off_the_line(points, [0, 0, 0], [2, 0, 0]), [2.0, 1.0, 0.0], atol=1e-15)
    line = np.array([[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0]])
    on_it = line[0] + np.outer([-1.0, 0.3, 4.0], line[1] - line[0])
    np.testing.assert_allclose(course.off_the_line(on_it, *line), 0.0, atol=1e-14)


def test_a_screw_leaves_the_line_by_the_distance_of_claim_14_8() -> None:
    across, turn = np.linalg.norm((END - START)[:2, 3]), 2.0
    screw, straight = (
        course.off_the_line(interpolate(START, END, PARTS, how)[:, :3, 3], START[:3, 3], END[:3, 3])
        for how in ("screw", "decoupled")
    )
    assert screw.max() == pytest.approx(across / 2 * np.tan(turn / 4), rel=1e-12)
    assert screw.argmax() == len(PARTS) // 2
    assert straight.max() < 1e-15


def test_each_path_is_a_line_with_its_frames_in_view() -> None:
    ax = Figure().add_subplot()
    paths = {how: interpolate(START, END, PARTS, how) for how in ("screw", "decoupled")}
    lines = course.draw_interpolations(ax, paths)
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
