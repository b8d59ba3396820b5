"""Sliders moved by callback: the twist in both frames, what stays the same, and the numbers beside the picture."""

import numpy as np
import pytest

from lessons_lib import lie
from lessons_lib.widgets import FrameExplorer


def said(explorer):
    (table,) = [ax for ax in explorer.figure.axes if any("in {s}" in t.get_text() for t in ax.texts)]
    return "\n".join(t.get_text() for t in table.texts)


def test_both_columns_are_one_motion():
    explorer = FrameExplorer(x=0.3, y=-0.4, turn=70.0, lean=-20.0, tilt=15.0, pitch=0.1)
    T = explorer.T_sb
    conjugated = T @ lie.hat_se3(explorer.V_b) @ np.linalg.inv(T)
    np.testing.assert_allclose(conjugated, lie.hat_se3(explorer.V_s), rtol=0, atol=1e-15)
    np.testing.assert_allclose(T[:3, 3], [0.3, -0.4, 0.0], rtol=0, atol=0)


def test_on_the_axis_only_the_slide_is_left():
    explorer = FrameExplorer(x=0.6, y=0.0, turn=50.0, lean=30.0, pitch=0.2)
    np.testing.assert_allclose(explorer.V_b[3:], 0.2 * explorer.V_b[:3], rtol=0, atol=1e-15)


def test_a_turn_in_place_keeps_the_length_of_v_and_a_shift_keeps_omega():
    explorer = FrameExplorer(lean=20.0, tilt=10.0)
    omega, speed = explorer.V_b[:3], np.linalg.norm(explorer.V_b[3:])
    explorer.change(x=-0.2, y=0.3)
    np.testing.assert_allclose(explorer.V_b[:3], omega, rtol=0, atol=1e-15)
    assert np.linalg.norm(explorer.V_b[3:]) != pytest.approx(speed, abs=0.01)
    speed = np.linalg.norm(explorer.V_b[3:])
    explorer.change(turn=-130.0, lean=-45.0)
    assert np.linalg.norm(explorer.V_b[3:]) == pytest.approx(speed, abs=1e-14)
    assert np.abs(explorer.V_b[:3] - omega).max() > 0.1


def test_rate_and_pitch_are_written_alike_in_both_columns():
    explorer = FrameExplorer(x=-0.2, y=0.3, turn=-50.0, lean=40.0, tilt=25.0, pitch=0.14)
    rows = {line.split()[0]: line.split()[1:] for line in said(explorer).splitlines() if line.strip()}
    assert rows["|ω|"] == ["1.00", "1.00"]
    assert rows["h"] == ["0.14", "0.14"]
    assert rows["vy"] == [f"{explorer.V_s[4]:.2f}", f"{explorer.V_b[4]:.2f}"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("x", 0.2), ("y", -0.3), ("turn", 90.0), ("lean", 30.0), ("tilt", 20.0), ("pitch", -0.1), ("no_lever", True)],
)
def test_every_control_changes_the_picture(name, value):
    explorer = FrameExplorer()
    before = explorer.image.value
    getattr(explorer, name).value = value
    assert explorer.image.value != before


def test_everything_drawn_stays_on_the_page_at_the_ends_of_the_sliders():
    explorer = FrameExplorer()
    explorer.change(x=1.0, y=0.6, tilt=40.0, pitch=0.3, no_lever=True)
    assert np.isfinite(explorer.V_b).all()
    assert "nan" not in said(explorer)
    explorer.change(x=0.6, y=0.0, tilt=0.0, pitch=0.0)  # v_b = 0: an arrow without length
    np.testing.assert_allclose(explorer.V_b[3:], 0.0, atol=1e-16)
    assert "-0.00" not in said(explorer)
