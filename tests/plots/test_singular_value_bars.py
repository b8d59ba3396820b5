"""A bar is as high as its singular value, and what has no bar says why."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError
from lessons_lib.plots.singular_values import FLOOR, SingularValuesArtist, say
from lessons_lib.plots.theme import BLUE, VERMILION


def test_bars_reach_their_values_and_the_smallest_stands_out() -> None:
    bars = plots.draw_singular_values(Figure().add_subplot(), [2.0, 0.3, 0.004])
    tops = [bar.get_y() + bar.get_height() for bar in bars.bars]
    assert tops == pytest.approx([2.0, 0.3, 0.004])
    assert [to_hex(bar.get_facecolor()) for bar in bars.bars] == [BLUE, BLUE, VERMILION]
    assert [number.get_text() for number in bars.numbers] == ["2.00", "0.30", "0.004"]


def test_bars_move() -> None:
    bars = plots.draw_singular_values(Figure().add_subplot(), [2.0, 0.3])
    bars.update([1.0, 0.0])
    assert bars.bars[1].get_height() == 0.0
    assert bars.numbers[1].get_text() == "0"
    assert bars.numbers[0].get_position() == pytest.approx((1, 1.15))


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (1e-13, "0"), (1e-6, f"< {FLOOR:.4f}"), (0.05, "0.05")])
def test_small_values_in_words(value: float, text: str) -> None:
    assert say(value) == text


def test_the_unit_is_on_the_axis() -> None:
    ax = Figure().add_subplot()
    SingularValuesArtist(ax, 2, unit="m/rad")
    assert ax.get_ylabel() == "singular value [m/rad]"


@pytest.mark.parametrize("values", [[1.0], [1.0, -0.1], [1.0, np.nan]])
def test_values_that_are_none(values: list[float]) -> None:
    bars = SingularValuesArtist(Figure().add_subplot(), 2)
    with pytest.raises(ParameterError, match="there are 2 bars for values ≥ 0, got"):
        bars.update(values)
