"""Sliders moved by callback: the rotation they stand for, the errors they show, the picture that changes."""

import numpy as np
import pytest

from lessons_lib import lie
from lessons_lib.errors import ParameterError
from lessons_lib.widgets import LogarithmExplorer


def arccos_log(R):
    theta = np.arccos((np.trace(R) - 1) / 2)
    return theta / (2 * np.sin(theta)) * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


@pytest.fixture
def explorer():
    return LogarithmExplorer({"arccos": arccos_log, "atan2": lie.log_so3})


def test_the_slider_says_how_far_from_half_a_turn(explorer):
    explorer.closeness.value = 4.0
    assert np.linalg.norm(lie.log_so3(explorer.rotation)) == pytest.approx(np.pi - 1e-4, abs=1e-14)


@pytest.mark.parametrize("axis", ["along x", "along −z", "diagonal, (1, −1, 0)/√2", "oblique, (1, 2, 2)/3"])
def test_exactly_half_a_turn_is_its_own_inverse(explorer, axis):
    explorer.change(axis=axis, half_turn=True)
    np.testing.assert_allclose(explorer.rotation @ explorer.rotation, np.eye(3), rtol=0, atol=1e-15)
    assert explorer.errors["atan2"] < 5e-15


def test_the_textbook_loses_two_digits_a_decade(explorer):
    explorer.closeness.value = 2.0
    near = explorer.errors["arccos"]
    explorer.closeness.value = 5.0
    assert explorer.errors["arccos"] > 1e3 * near  # six digits are expected, three are certain for one axis
    assert explorer.errors["atan2"] < 5e-15


@pytest.mark.parametrize("control", [{"closeness": 7.0}, {"half_turn": True}, {"axis": "along x"}, {"shown": "atan2"}])
def test_every_control_changes_the_picture(explorer, control):
    explorer.closeness.value = 6.0
    before = explorer.image.value
    ((name, value),) = control.items()
    getattr(explorer, name).value = value
    assert explorer.image.value != before


def test_a_logarithm_without_a_number_hides_its_frame():
    explorer = LogarithmExplorer({"none": lambda R: np.full(3, np.nan)})
    assert explorer.errors == {"none": np.inf}
    assert bytes(explorer.image.value).startswith(b"\x89PNG")


def test_the_still_picture_is_the_same_every_time(explorer):
    assert explorer.still() == explorer.still()


@pytest.mark.parametrize("count", [0, 6])
def test_an_explorer_compares_one_to_five(count):
    with pytest.raises(ParameterError, match=f"compares 1 to 5 logarithms, got {count}"):
        LogarithmExplorer({str(i): lie.log_so3 for i in range(count)})
