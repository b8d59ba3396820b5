"""The sliders lead into each of the UR10's singularities, and the picture says so."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError
from lessons_lib.widgets import SingularityExplorer

REGULAR = np.radians([0, -70, 90, -60, 70, 0])


def test_the_2r_opens_regular_and_stretches_into_a_line() -> None:
    explorer = SingularityExplorer()
    assert explorer.hand is None
    assert explorer._text.get_text() == "manipulability 0.8660, condition number 4.4"  # sin 60°
    before = explorer.image.value
    explorer.angles[1].value = 0.0
    assert explorer.image.value != before
    assert explorer._text.get_text() == "manipulability 0.0000, singular"
    assert explorer._ellipsoid.lost.get_visible()


@pytest.mark.parametrize(("joint", "degrees"), [(2, 0), (4, 0), (4, 180), (2, -180)])
def test_elbow_and_wrist_flatten_the_ellipsoid(joint: int, degrees: float) -> None:
    explorer = SingularityExplorer(robots.ur10(), REGULAR)
    assert "condition number" in explorer._text.get_text()
    explorer.angles[joint].value = degrees
    assert "singular" in explorer._text.get_text()
    assert np.linalg.norm(explorer._ellipsoid.half_axes, axis=0)[2] < 1e-12
    assert explorer._bars.numbers[5].get_text() == "0"


def test_the_first_and_the_last_joint_move_no_bar() -> None:
    explorer = SingularityExplorer(robots.ur10(), REGULAR)
    before = [bar.get_height() for bar in explorer._bars.bars]
    explorer.angles[0].value = 50.0
    explorer.angles[5].value = -120.0
    assert [bar.get_height() for bar in explorer._bars.bars] == pytest.approx(before, rel=1e-12)


def test_a_free_hand_hides_the_wrist() -> None:
    explorer = SingularityExplorer(robots.ur10(), REGULAR)
    explorer.angles[4].value = 0.0
    flat = explorer.image.value
    assert explorer.hand is not None
    explorer.hand.value = "free"
    assert explorer.image.value != flat
    assert np.linalg.norm(explorer._ellipsoid.half_axes, axis=0)[2] > 0.1
    assert "singular" in explorer._text.get_text()  # the bars are those of the whole Jacobian


def test_seven_joints_have_six_bars() -> None:
    explorer = SingularityExplorer(robots.panda(), np.radians([0, 0, 90, -90, 0, 90, 0]))
    assert len(explorer._bars.numbers) == 6
    assert "singular" in explorer._text.get_text()
    assert repr(explorer) == "SingularityExplorer(Panda)"


def test_a_live_picture_shows_what_a_still_one_shows() -> None:
    explorer = SingularityExplorer(robots.ur10(), REGULAR)
    explorer.angles[2].value = 40.0  # painted over the backdrop
    moved = explorer.image.value
    fresh = SingularityExplorer(robots.ur10(), explorer.q).image.value
    assert moved == fresh


def test_a_wrong_start_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"must have shape \(2,\)"):
        SingularityExplorer(q0=[0.0, 0.0, 0.0])
    with pytest.raises(ConfigurationError, match="outside its limits"):
        SingularityExplorer(robots.ur10(), np.full(6, 7.0))
