"""The controls choose the method and the target, and the picture is what the study finds."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.studies.basins import basins, methods
from lessons_lib.widgets import BasinExplorer
from lessons_lib.widgets.basin_explorer import OWN, SIZE


@pytest.fixture(scope="module")
def explorer() -> BasinExplorer:
    return BasinExplorer()


def drawn(explorer: BasinExplorer) -> np.ndarray:
    return np.asarray(explorer._image.get_array())


def test_the_picture_is_that_of_the_study(explorer: BasinExplorer) -> None:
    explorer.change(method="Newton-Raphson", distance=1.2)
    expected = basins(methods()["Newton-Raphson"], tip=(1.2, 0.0), size=SIZE)
    np.testing.assert_array_equal(drawn(explorer), expected.led_to)
    marks = [line.get_xydata()[0] for line in explorer._marks]
    np.testing.assert_allclose(marks, robots.planar_2r_solutions([1.2, 0.0]))


def test_the_damping_belongs_to_the_constant_one(explorer: BasinExplorer) -> None:
    explorer.change(method="LM, Chan", damping=1.0)
    assert explorer.damping.disabled
    np.testing.assert_array_equal(drawn(explorer), basins(methods()["LM, Chan"], tip=(1.2, 0.0), size=SIZE).led_to)
    explorer.method.value = OWN
    assert not explorer.damping.disabled


def test_a_slider_repaints_and_the_title_counts(explorer: BasinExplorer) -> None:
    explorer.change(method=OWN, damping=0.125, distance=1.4)
    before = explorer.image.value
    explorer.damping.value = 1.0
    assert explorer.image.value != before
    nowhere, positive, negative = explorer.seen.shares
    assert explorer._ax.get_title(loc="left").startswith(
        f"q₂ > 0: {100 * positive:.0f} %, q₂ < 0: {100 * negative:.0f} %"
    )
    assert explorer.seen.mean_steps > 20  # λ = 1 is slow


def test_where_nothing_is_reached_there_is_no_mean(explorer: BasinExplorer) -> None:
    explorer.change(method=OWN, damping=10**0.5)
    assert explorer.seen.shares[0] > 0.9
    assert "steps in the mean" in explorer._ax.get_title(loc="left")


def test_every_target_of_the_slider_has_two_solutions(explorer: BasinExplorer) -> None:
    for distance in (explorer.distance.min, explorer.distance.max):
        explorer.change(method="Newton-Raphson", distance=distance)
        assert len(explorer.seen.solutions) == 2
