"""Questions for a place in pictures in space: they are answered by keys, and the picture tells nothing before."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import numpy as np
import pytest
from figure_page import FRAMES, Figure, Opened
from numbers_shown import check_path, check_swing
from PIL import Image
from playwright.sync_api import Locator

PURPLE = (0x9B, 0x44, 0x80)
"""The colour of one of the four paths, and of nothing else in that picture."""


class Asked:
    """A question, answered in its figure."""

    def __init__(self, figure: Figure, name: str) -> None:
        self.figure = figure
        self.question: Locator = figure.page.locator(f"#predict-{name}")

    def bring(self) -> None:
        self.press("Answer in the figure")
        assert self.question.locator(".live-host").count() == 1
        assert [self.figure.host.locator(part).is_hidden() for part in (".live-says", ".live-charts")] == [True, True]

    def put_back(self) -> None:
        self.press("Put the figure back")
        assert self.question.locator(".live-host").count() == 0 and self.figure.host.locator(".live-says").is_visible()

    def press(self, button: str) -> None:
        self.question.get_by_role("button", name=button).press("Enter")
        self.figure.settle()

    def after(self, *keys: str) -> str:
        """Press keys in the handle that has the focus, and answer."""
        for key in (*keys, "Enter"):
            self.figure.page.keyboard.press(key)
        self.figure.settle()
        return self.question.locator(".predict-said").inner_text()


@contextmanager
def asked(figure: Figure, name: str) -> Iterator[Asked]:
    """Bring the figure to a question, and put it back, whatever happens: others use the page."""
    question = Asked(figure, name)
    question.bring()
    try:
        yield question
    finally:
        question.put_back()


def pixels_of(figure: Figure, colour: tuple[int, int, int]) -> int:
    """How many pixels of the picture are nearly of a colour."""
    figure.page.evaluate(FRAMES)
    picture = Image.open(BytesIO(figure.host.locator(".live-panel-picture").screenshot())).convert("RGB")
    return int(np.sum(np.abs(np.asarray(picture, dtype=int) - colour).max(axis=2) < 12))


def test_the_last_pose_is_carried_above_the_first_and_no_path_is_seen_before(opened: Opened) -> None:
    figure = opened("path")
    assert pixels_of(figure, PURPLE) > 20
    with asked(figure, "14-straight") as question:
        assert pixels_of(figure, PURPLE) == 0
        assert question.after("Shift+ArrowLeft").startswith("Not this. The axis of the screw is upright and stands")
        assert pixels_of(figure, PURPLE) > 20
        check_path(figure)
    with asked(figure, "14-straight") as question:
        nearer = question.after(*["Shift+ArrowLeft"] * 4, *["ArrowLeft"] * 5)
        assert nearer.startswith("Not this. The detour is smaller here")
        assert question.after(*["ArrowDown"] * 5).startswith("Right. The axis of the screw is upright")
        check_path(figure)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["Shift+ArrowRight"], r"Not this. Here \(m\) rises to the side"),
        (["Shift+ArrowRight"] * 6, "Right. Both lead back"),
        (["Shift+ArrowRight"] * 9, "Not this. The tip would stay"),
        (["Shift+ArrowLeft"] * 3, r"Right. \(H\) is least there"),
        (["Shift+ArrowLeft"] * 4, "Not this. One of the two"),
        (["Shift+ArrowLeft"] * 14, "Right. Both lead back"),
    ],
)
def test_the_elbow_is_swung_to_where_both_objectives_lead_it_the_same_way(
    opened: Opened, keys: list[str], words: str
) -> None:
    figure = opened("swing")
    with asked(figure, "15-same") as question:
        assert question.after(*keys).startswith(words)
        check_swing(figure)
