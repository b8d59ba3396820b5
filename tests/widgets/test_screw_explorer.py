"""Sliders moved by callback: the twist they stand for, the pose it leads to, the picture that changes."""

import numpy as np
import pytest

from lessons_lib.widgets import ScrewExplorer


def test_a_full_turn_leaves_only_the_climb():
    explorer = ScrewExplorer(distance=0.5, tilt=0.0, pitch=0.1, angle=360.0)
    np.testing.assert_allclose(explorer.pose[:3, :3], np.eye(3), rtol=0, atol=1e-14)
    np.testing.assert_allclose(explorer.pose[:3, 3], [0.0, 0.0, 0.1 * 2 * np.pi], rtol=0, atol=1e-14)


def test_half_a_turn_of_no_pitch_goes_to_the_other_side_of_the_axis():
    explorer = ScrewExplorer(distance=0.4, pitch=0.0, angle=180.0)
    np.testing.assert_allclose(explorer.pose[:3, 3], [0.8, 0.0, 0.0], rtol=0, atol=1e-14)


def test_the_tilt_leans_the_axis_towards_y():
    explorer = ScrewExplorer(tilt=30.0, angle=90.0)
    np.testing.assert_allclose(explorer.twist[:3], np.pi / 2 * np.array([0.0, 0.5, 0.75**0.5]), rtol=0, atol=1e-15)


def test_the_pair_is_right_only_without_a_turn_or_on_the_axis():
    explorer = ScrewExplorer(distance=0.5, angle=180.0)
    assert explorer.gap > 1.0
    explorer.change(distance=0.0)
    assert explorer.gap == pytest.approx(0.0, abs=1e-14)
    explorer.change(distance=0.5, angle=0.0)
    assert explorer.gap == 0.0


@pytest.mark.parametrize(
    ("name", "value"), [("distance", 0.8), ("tilt", 20.0), ("pitch", 0.05), ("angle", 200.0), ("naive", True)]
)
def test_every_control_changes_the_picture(name, value):
    explorer = ScrewExplorer()
    before = explorer.image.value
    getattr(explorer, name).value = value
    assert explorer.image.value != before


def test_the_numbers_are_written_beside_the_picture():
    explorer = ScrewExplorer(distance=0.5, angle=180.0)
    explorer.change(naive=True)
    (text,) = [t.get_text() for ax in explorer.figure.axes for t in ax.texts if "ω [rad]" in t.get_text()]
    assert f"{np.pi:.2f}" in text
    assert f"{explorer.gap:.2f} m away" in text
