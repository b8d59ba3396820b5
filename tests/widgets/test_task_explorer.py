"""The sliders set costs, and what is drawn and written is where the body rests."""

import numpy as np
import pytest

from lessons_lib.studies import two_hands
from lessons_lib.widgets import TaskExplorer
from lessons_lib.widgets.task_explorer import HARD, SOFT


@pytest.fixture
def explorer() -> TaskExplorer:
    return TaskExplorer()


def off(explorer: TaskExplorer) -> np.ndarray:
    """Return how far the hands are from the box, mm, read from the drawing."""
    ends = [limb[-1] for limb in explorer._picture._body.points[:2]]
    return 1e3 * np.linalg.norm(ends - two_hands.sides(explorer.centre), axis=1)


def test_the_dearer_hand_comes_nearer(explorer: TaskExplorer) -> None:
    explorer.change(left=10.0, right=1.0)
    left, right = off(explorer)
    assert left < 0.1 * right
    explorer.change(left=1.0, right=10.0)
    assert off(explorer) == pytest.approx([right, left], rel=1e-3)  # the mirror image, to what settling leaves


def test_a_dearer_posture_is_kept_better_and_the_hands_pay(explorer: TaskExplorer) -> None:
    hands, joints = [], []
    for cost in (0.1, 0.3, 1.0, 3.0):
        explorer.posture.value = cost
        hands.append(off(explorer).sum())
        joints.append(np.linalg.norm(explorer.configuration.q - two_hands.ready()))
    assert (np.diff(hands) > 0).all()
    assert (np.diff(joints) < 0).all()


def test_the_bars_and_numbers_are_those_of_the_drawn_body(explorer: TaskExplorer) -> None:
    widths = [bar.get_width() for bar in explorer._picture._hands._bars]
    assert widths == pytest.approx(off(explorer))
    assert explorer._picture.values[:2] == [f"{x:.1f}" for x in off(explorer)]
    turned = np.degrees(np.linalg.norm(explorer.configuration.q - two_hands.ready()))
    assert explorer._picture.values[2] == f"{turned:.1f}"
    waist = np.degrees(explorer.configuration.q[0])
    assert waist < -0.05
    assert f"waist at −{abs(waist):.1f}°" in explorer.message
    assert "a compromise" in explorer.message


def test_a_constraint_is_kept_within_reach_and_refused_beyond(explorer: TaskExplorer) -> None:
    explorer.change(hands=HARD, distance=0.6)
    assert "both hands are there" in explorer.message
    assert off(explorer).max() < 1e-6
    assert explorer.left.disabled and explorer.right.disabled
    explorer.distance.value = 0.7
    assert explorer.configuration is None
    assert explorer.message == "no solution: the constraints cannot hold, and the robot stops"
    assert explorer._picture.values == ["–", "–", "–"]
    explorer.hands.value = SOFT
    assert explorer.configuration is not None
    assert not explorer.left.disabled


def test_the_first_picture_may_be_one_without_a_solution() -> None:
    own = TaskExplorer()
    own.change(hands=HARD)
    assert own.configuration is None
    assert "no solution" in own.message


def test_what_has_not_come_to_rest_is_said_to_move(explorer: TaskExplorer) -> None:
    explorer.change(posture=0.01, distance=0.8, left=10.0, right=10.0)
    assert "still moving" in explorer.message
    explorer.change(posture=1.0)
    assert "still moving" not in explorer.message


def test_every_setting_can_be_shown(explorer: TaskExplorer) -> None:
    rng = np.random.default_rng(17)
    costs = [value for _, value in explorer.left.options]
    for _ in range(15):
        left, right, posture = (float(cost) for cost in rng.choice(costs, 3))
        distance, hands = float(rng.uniform(0.4, 0.8)), str(rng.choice([SOFT, HARD]))
        explorer.change(left=left, right=right, posture=posture, distance=distance, hands=hands)
        assert explorer.message.strip()


def test_the_still_picture_and_the_name_are_the_same_each_time(explorer: TaskExplorer) -> None:
    assert explorer.still() == TaskExplorer().still()
    assert repr(explorer) == "TaskExplorer()"
