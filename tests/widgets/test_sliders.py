"""Showing an explorer changes no value of it: what a browser makes of each slider is what the slider holds."""

from collections.abc import Callable
from math import floor

import ipywidgets
import numpy as np
import pytest

from lessons_lib import widgets
from lessons_lib.widgets import Explorer
from lessons_lib.widgets.sliders import GridSlider, log_slider

MADE: dict[str, Callable[[], Explorer]] = {name: getattr(widgets, name) for name in widgets.__all__}
"""Each explorer as its lesson makes it."""
del MADE["Explorer"]


def in_a_browser(slider: GridSlider, value: float) -> float:
    """What noUiSlider, which draws the sliders, makes of a value: the nearest place, counted in percent of the way."""
    lower, upper = slider.min, slider.max
    percent, step = 100.0 * (value - lower) / (upper - lower), 100.0 * slider.step / (upper - lower)
    place = floor(percent / step + 0.5) * step  # JavaScript's Math.round
    return min(max(place, 0.0), 100.0) * (upper - lower) / 100.0 + lower


@pytest.mark.parametrize("name", MADE)
def test_showing_an_explorer_changes_no_value_and_no_picture(name: str) -> None:
    explorer = MADE[name]()
    values, picture = [control.value for control in explorer.controls], bytes(explorer.image.value)
    for slider in explorer.controls:
        if isinstance(slider, ipywidgets.FloatSlider):
            assert in_a_browser(slider, slider.value) == pytest.approx(slider.value, rel=0, abs=1e-12), slider
            slider.set_state({"value": in_a_browser(slider, slider.value)})
    assert [control.value for control in explorer.controls] == values
    assert bytes(explorer.image.value) == picture


@pytest.mark.parametrize("name", MADE)
def test_every_readout_shows_the_value_that_is_held(name: str) -> None:
    for slider in MADE[name]().controls:
        assert not isinstance(slider, ipywidgets.FloatLogSlider), slider  # its readout is a power, rounded
        if isinstance(slider, ipywidgets.FloatSlider):
            assert float(format(slider.value, slider.readout_format)) == slider.value, slider


def test_zero_lies_on_a_slider_whose_ends_are_no_multiples_of_its_step() -> None:
    slider = GridSlider(1e-4, -2.0 * np.pi, 2.0 * np.pi, 0.01)
    assert (slider.min, slider.value, slider.max) == (-6.28, 0.0, 6.28)
    assert str(slider.value) == "0.0"  # and not -0.0
    slider.value = -0.0049
    assert str(slider.value) == "0.0"


def test_a_slider_holds_every_place_to_the_last_bit() -> None:
    slider = GridSlider(0.0, -1.0, 1.0, 0.1)
    for tenth in range(-10, 11):
        slider.set_state({"value": in_a_browser(slider, tenth / 10.0)})
        assert slider.value == tenth / 10.0


def test_a_browser_is_not_answered_with_its_own_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer would pull the handle back under the finger."""
    slider, sent = GridSlider(0.0, -1.0, 1.0, 0.1), list[str]()
    monkeypatch.setattr(slider, "send_state", lambda key: sent.append(key))
    slider.set_state({"value": 0.30000000000000004})
    assert (slider.value, sent) == (0.3, [])
    slider.value = 0.5
    assert sent == ["value"]


@pytest.mark.parametrize(
    ("ends", "expected"), [((0.1014, 0.1086), [0.102, 0.108]), ((0.25, 0.25), [0.25, 0.25]), ((-9.0, 9.0), [-9.0, 9.0])]
)
def test_a_narrow_range_has_a_finer_step(ends: tuple[float, float], expected: list[float]) -> None:
    slider = GridSlider(0.1, *ends, 0.01)
    assert [slider.min, slider.max] == pytest.approx(expected, abs=1e-12)


def test_a_slider_of_factors_holds_round_numbers_and_takes_the_nearest() -> None:
    slider = log_slider(0.125, 0.001, 3.15)
    assert (slider.value, slider.label) == (0.125, "0.125")
    for given, held in ((0.126, 0.125), (1.0, 1.0), (0.03, 0.0315), (1e-9, 0.001), (50.0, 3.15)):
        slider.value = given
        assert slider.value == held
        assert float(slider.label) == held
