"""The sliders turn both arms, the menu changes the robot, and the line above the picture measures."""

import numpy as np
import pytest

from lessons_lib import plots, robots
from lessons_lib.studies import matlab_library
from lessons_lib.studies.published_models import PAIRS
from lessons_lib.widgets import ModelExplorer
from lessons_lib.widgets.model_explorer import POSTURE

UR10, PANDA = PAIRS


@pytest.fixture(scope="module")
def made() -> ModelExplorer:
    return ModelExplorer()


@pytest.fixture
def explorer(made: ModelExplorer) -> ModelExplorer:
    """The explorer with its controls where they stood at first."""
    made.pair.value = UR10
    for slider, value in zip(made.angles, POSTURE, strict=True):
        slider.value = value
    return made


def test_it_begins_with_the_short_upper_arm(explorer: ModelExplorer) -> None:
    assert explorer.gap == pytest.approx(0.3, abs=1e-13)
    assert explorer.message == "the tips are 0.300 m apart and turned by 0°"
    assert repr(explorer) == "ModelExplorer()"
    assert bytes(explorer.image.value).startswith(b"\x89PNG")


def test_a_slider_turns_both_arms_and_repaints(explorer: ModelExplorer) -> None:
    before = explorer.image.value
    explorer.angles[1].value = -20.0
    assert explorer.image.value != before
    assert explorer.q == pytest.approx(np.radians([30, -20, 85, -105, -90, 0]))
    shown = explorer._overlays[UR10]
    for arm, chain in ((shown.right, robots.ur10()), (shown.wrong, matlab_library.wrong_ur10())):
        drawn = np.array(arm.links.get_data_3d())[:, -1]
        assert np.abs(drawn - chain.forward_kinematics(explorer.q)[:3, 3]).max() < 1e-13


@pytest.mark.parametrize("joint", range(6))
def test_no_joint_of_the_ur10_changes_the_gap(explorer: ModelExplorer, joint: int) -> None:
    explorer.angles[joint].value = 123.0
    assert explorer.gap == pytest.approx(0.3, abs=1e-13)
    assert explorer.turn < 1e-5  # degrees; the angle of a rotation that is the identity up to rounding


def test_the_menu_changes_the_robot_and_gives_it_a_seventh_joint(explorer: ModelExplorer) -> None:
    assert explorer.angles[6].layout.display == "none"
    before = explorer.image.value
    explorer.pair.value = PANDA
    assert explorer.image.value != before
    assert explorer.angles[6].layout.display == ""
    assert explorer.q.shape == (7,)
    assert explorer.gap == plots.tip_gap(robots.panda(), matlab_library.wrong_panda(), explorer.q)
    shown = {name: overlay.line.axes.get_visible() for name, overlay in explorer._overlays.items()}
    assert shown == {UR10: False, PANDA: True}


def test_the_panda_at_zero_is_0_597_m_off_and_turned_rightly(explorer: ModelExplorer) -> None:
    explorer.pair.value = PANDA
    for slider in explorer.angles:
        slider.value = 0.0
    assert explorer.message == "the tips are 0.597 m apart and turned by 0°"


def test_the_first_joint_of_the_panda_carries_both_tips_alike(explorer: ModelExplorer) -> None:
    explorer.pair.value = PANDA
    before = explorer.gap
    explorer.angles[0].value = -77.0
    assert explorer.gap == pytest.approx(before, abs=1e-13)
    explorer.angles[1].value = 10.0
    assert abs(explorer.gap - before) > 0.1


def test_the_first_posture_is_within_the_panda_s_limits() -> None:
    robots.panda().check_within_limits(np.radians(POSTURE))
