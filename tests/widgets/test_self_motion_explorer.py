"""The slider swings the elbow, the hand stays, and what is written belongs to what is drawn."""

import numpy as np
import pytest

from lessons_lib import differential_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.studies import SelfMotion
from lessons_lib.widgets import SelfMotionExplorer
from lessons_lib.widgets.self_motion_explorer import READY, growing_part


@pytest.fixture
def explorer() -> SelfMotionExplorer:
    return SelfMotionExplorer()


def test_it_opens_in_the_ready_posture(explorer: SelfMotionExplorer) -> None:
    assert explorer.swing.value == 0.0
    assert np.allclose(explorer.q, READY, rtol=0, atol=1e-9)
    assert explorer.message == "ψ = 0°: the hand stays; H = 0.1416, manipulability 0.0838"


@pytest.mark.parametrize("angle", [-124.0, -60.0, 1.0, 33.0, 124.0])
def test_the_hand_stays_and_the_elbow_goes_where_the_slider_says(explorer: SelfMotionExplorer, angle: float) -> None:
    before = explorer.image.value
    explorer.swing.value = angle
    assert explorer.image.value != before
    assert explorer.hand_error < 1e-9
    # between two configurations ψ is off by the square of a step
    assert np.degrees(robots.arm_angle(explorer.chain, explorer.q)) == pytest.approx(angle, abs=0.01)
    explorer.chain.check_within_limits(explorer.q, 1e-6)
    drawn = np.array(explorer._picture.arm.links.get_data_3d()).T[-1]
    assert np.allclose(drawn, explorer.chain.forward_kinematics(READY)[:3, 3], rtol=0, atol=1e-9)


def test_the_numbers_are_those_of_the_drawn_arm(explorer: SelfMotionExplorer) -> None:
    explorer.swing.value = -100.0
    H = differential_ik.middle_cost(explorer.q, explorer.chain.limits)
    m = robots.manipulability(explorer.chain.body_jacobian(explorer.q))
    assert explorer.message == f"ψ = −100°: the hand stays; H = {H:.4f}, manipulability {m:.4f}"
    assert explorer._bars.numbers[1].get_text() == f"{np.degrees(explorer.q[1]):.0f}°".replace("-", "−")


def test_another_posture_has_another_swing() -> None:
    own = SelfMotionExplorer(q0=[0.4, 0.3, 0.2, -1.9, -0.3, 2.1, 0.5])
    assert own.hand_error < 1e-9
    # The nearest whole degree of ψ is drawn, at most half a degree away; a joint turns some times as far.
    assert np.allclose(own.q, [0.4, 0.3, 0.2, -1.9, -0.3, 2.1, 0.5], rtol=0, atol=5.0 * np.radians(0.5))
    own.swing.value = own.swing.max
    assert own.hand_error < 1e-9


def test_only_the_growing_part_of_a_curve_is_offered() -> None:
    panda = robots.panda()
    explorer = SelfMotionExplorer()
    to_and_fro = np.concatenate([explorer.curve.configurations[100:200], explorer.curve.configurations[198:120:-1]])
    piece, angles = growing_part(panda, SelfMotion(to_and_fro, 50, ("singular", "longest")))
    assert np.array_equal(piece.configurations, to_and_fro[:100])
    assert (np.diff(angles) > 0).all()
    falling, angles = growing_part(panda, SelfMotion(to_and_fro, 150, ("singular", "longest")))
    assert (np.diff(angles) > 0).all()
    assert np.array_equal(falling.configurations[falling.start], to_and_fro[150])


def test_a_live_picture_shows_what_a_still_one_shows(explorer: SelfMotionExplorer) -> None:
    explorer.swing.value = 50.0
    moved = explorer.image.value
    explorer.swing.value = 10.0
    explorer.swing.value = 50.0
    assert explorer.image.value == moved
    assert SelfMotionExplorer().still() == SelfMotionExplorer().still()
    assert repr(explorer) == "SelfMotionExplorer()"


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ParameterError, match="has no arm angle"):
        SelfMotionExplorer(robots.ur10())
    with pytest.raises(ConfigurationError, match="outside its limits"):
        SelfMotionExplorer(q0=np.full(7, 3.0))
    with pytest.raises(ConfigurationError, match="no arm angle at q"):
        SelfMotionExplorer(robots.from_screws(robots.panda().screws, robots.panda().home, name="twin"), np.zeros(7))
