"""The sliders of Amdahl's law, driven by their callbacks."""

import pytest

from lessons_lib.errors import ParameterError
from lessons_lib.widgets import ScalingExplorer


def test_at_first_it_shows_sixteen_cores_and_a_twentieth_serial() -> None:
    explorer = ScalingExplorer()
    assert explorer.message == "16 cores: speed-up 9.14, efficiency 57 %; never above 20"  # 1/(0.05 + 0.95/16)


def test_more_cores_come_nearer_to_the_ceiling_and_never_reach_it() -> None:
    explorer = ScalingExplorer()
    before = explorer.image.value
    explorer.cores.value = 1024
    assert explorer.message == "1,024 cores: speed-up 19.6, efficiency 2 %; never above 20"
    assert explorer.image.value != before
    assert [bar.get_height() for bar in explorer._serial] == pytest.approx([0.05, 0.05])
    assert [bar.get_height() for bar in explorer._shared] == pytest.approx([0.95, 0.95 / 1024])


def test_with_all_of_it_serial_no_core_helps() -> None:
    explorer = ScalingExplorer()
    explorer.change(share=1.0, cores=1)
    assert explorer.message == "1 core: speed-up 1, efficiency 100 %; never above 1"
    explorer.cores.value = 64
    assert explorer.message == "64 cores: speed-up 1, efficiency 2 %; never above 1"


def test_measured_points_are_in_the_picture() -> None:
    axes = ScalingExplorer({1: 1.0, 2: 1.8}).figure.axes
    (points,) = [line for line in axes[0].lines if line.get_label() == "measured"]
    assert points.get_xydata().tolist() == [[1.0, 1.0], [2.0, 1.8]]


def test_a_live_picture_shows_what_a_still_one_shows() -> None:
    explorer = ScalingExplorer({2: 1.8})
    explorer.change(share=0.5, cores=4)  # painted over the backdrop
    assert explorer.image.value == ScalingExplorer({2: 1.8}, share=0.5, cores=4).image.value
    assert repr(explorer) == "ScalingExplorer()"
    assert bytes(explorer.still()).startswith(b"\x89PNG")


def test_a_measurement_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="each is positive"):
        ScalingExplorer({2: -1.0})
