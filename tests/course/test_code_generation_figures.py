"""Bars of stages: lengths, labels and speed-ups."""

import pytest
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.course.code_generation.figures import format_time

TIMES = {"first": 2.0, "second": 4e-3, "third": 2e-3, "last": 5e-8}


def test_each_bar_ends_at_its_time() -> None:
    ax = Figure().add_subplot()
    bars = course.draw_stages(ax, TIMES)
    assert [bar.get_x() + bar.get_width() for bar in bars] == pytest.approx(list(TIMES.values()))
    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] < 5e-8
    assert [label.get_text() for label in ax.get_yticklabels()] == list(TIMES)
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first stage stands on top"


def test_numbers_and_gains() -> None:
    ax = Figure().add_subplot()
    course.draw_stages(ax, TIMES)
    texts = [text.get_text() for text in ax.texts]
    assert texts[:4] == ["2.0 s", "4.0 ms", "2.0 ms", "50 ns"]
    assert texts[4:] == ["÷ 500", "÷ 2.0", "÷ 40,000"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1.0, "1 s"), (12.0, "12 s"), (0.9999, "1.0 s"), (1e-3, "1 ms"), (2.34e-5, "23 µs"), (9.96e-9, "10 ns")],
)  # fmt: skip
def test_times_in_words(seconds: float, text: str) -> None:
    assert format_time(seconds) == text
