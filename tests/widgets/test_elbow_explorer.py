"""The sliders move the target, and the title says how many answers there are."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.widgets import ElbowExplorer
from lessons_lib.widgets.elbow_explorer import LENGTH_1


def test_a_slider_moves_the_target_and_repaints() -> None:
    explorer = ElbowExplorer()
    before = explorer.image.value
    explorer.x.value = 0.4
    explorer.y.value = -1.1
    assert explorer.image.value != before
    assert explorer.tip.tolist() == [0.4, -1.1]
    assert np.array_equal(
        explorer.solutions, robots.planar_2r_solutions((0.4, -1.1), LENGTH_1, explorer.length_2.value)
    )
    assert np.array_equal(explorer._reach._target.get_xydata(), [[0.4, -1.1]])


def test_another_length_is_another_ring() -> None:
    explorer = ElbowExplorer()
    explorer.length_2.value = 0.4
    assert explorer._reach._ring.r == pytest.approx(1.4)
    assert explorer._reach._ring.width == pytest.approx(0.8)
    explorer.length_2.value = 1.0
    assert explorer._reach._ring.width is None, "equal links reach a disc"


@pytest.mark.parametrize(
    ("x", "y", "length_2", "status"),
    [
        (0.6, 0.8, 1.0, "Two answers: (−7°, 120°) and (113°, −120°)"),
        (2.0, 1.0, 0.7, "No answer: 2.24 m from the base is too far, the ring ends at 1.70 m"),
        (0.1, 0.0, 0.7, "No answer: 0.10 m from the base is too near, the ring ends at 0.30 m"),
        (0.0, 0.0, 0.7, "No answer: 0.00 m from the base is too near, the ring ends at 0.30 m"),
        (1.7, 0.0, 0.7, "One answer: (0°, 0°), the arm is stretched"),
        (0.3, 0.0, 0.7, "One answer: (0°, 180°), the arm is folded"),
        (0.3, 0.0, 1.3, "One answer: (180°, 180°), the arm is folded"),
        (0.0, 0.0, 1.0, "The tip is at the base: joint 1 may have any angle"),
    ],
)
def test_the_title_says_how_many_answers_there_are(x: float, y: float, length_2: float, status: str) -> None:
    explorer = ElbowExplorer()
    explorer.change(x=x, y=y, length_2=length_2)
    assert explorer.status == status
    assert explorer._ax.get_title(loc="left") == status


def test_the_sliders_reach_beyond_the_ring_on_every_side() -> None:
    explorer = ElbowExplorer()
    outer = LENGTH_1 + explorer.length_2.max
    for slider in (explorer.x, explorer.y):
        assert slider.min < -outer
        assert slider.max > outer
    assert explorer.length_2.min > 0.0
    assert explorer.length_2.min < LENGTH_1 < explorer.length_2.max


def test_the_picture_has_room_for_every_target() -> None:
    explorer = ElbowExplorer()
    assert explorer._ax.get_xlim()[1] >= explorer.x.max
    assert explorer._ax.get_ylim()[0] <= explorer.y.min
