"""The sliders move the compromise, and what is drawn and written is what the solver found."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.widgets import WeightExplorer


@pytest.fixture
def explorer() -> WeightExplorer:
    return WeightExplorer()


def test_more_weight_on_the_orientation_gives_a_smaller_angle_and_a_larger_distance(explorer: WeightExplorer) -> None:
    kept, pictures = [], set()
    for weight in (0.0, 0.01, 1.0, 100.0):
        explorer.weights[2].value = weight
        kept.append((explorer.result.orientation_error, explorer.result.position_error))
        pictures.add(explorer.image.value)
    angles, distances = np.transpose(kept)
    assert (np.diff(angles) < 0).all() and (np.diff(distances) > 0).all()
    assert len(pictures) == 4


def test_the_drawn_arm_is_the_minimum_of_the_weighted_error(explorer: WeightExplorer) -> None:
    explorer.weights[2].value, explorer.weights[3].value = 0.2, 5.0
    W = np.array([slider.value for slider in explorer.weights])

    def E(q: np.ndarray) -> float:
        V = pose_ik.evaluate(explorer.chain, explorer.target, q).error_twist
        return float(V @ (W * V))

    best = explorer.result.q
    assert all(E(best) < E(best + d) for d in 1e-4 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1]]))
    drawn = explorer._picture._arm.links.get_xydata()[-1]
    assert np.abs(drawn - explorer.chain.forward_kinematics(best)[:2, 3]).max() < 1e-12


def test_an_exact_zero_lets_the_orientation_go_and_the_point_is_reached(explorer: WeightExplorer) -> None:
    assert "a compromise" in explorer.message
    explorer.weights[2].value = 0.0
    for slider in explorer.weights[:2]:  # switched off by hand only: a program may still set them
        slider.value = 0.0
    assert explorer.result.converged
    assert explorer.message == "orientation off by 19.33°, position by 0.0 mm: all that counts is reached"
    assert explorer._picture.values == ["0.0", "0.0", "19.3", "0.0", "0.0", "0.0"]


def test_the_bars_show_the_error_twist(explorer: WeightExplorer) -> None:
    widths = [bar.get_width() for bars in (explorer._picture._turns, explorer._picture._shifts) for bar in bars._bars]
    V = explorer.error_twist
    assert widths == pytest.approx([*np.degrees(V[:3]), *(1e3 * V[3:])])
    assert explorer._picture.values[3].startswith("−")  # a true minus sign


def test_all_zero_is_said_and_the_last_picture_stays(explorer: WeightExplorer) -> None:
    for slider in explorer.weights:
        slider.value = 0.0
    assert explorer.result is None
    assert explorer.message == "weights are all zero; at least one component of the error must count"
    explorer.weights[4].value = 1.0
    assert explorer.result is not None


def test_components_that_a_planar_arm_cannot_have_are_switched_off(explorer: WeightExplorer) -> None:
    assert [slider.disabled for slider in explorer.weights] == [True, True, False, False, False, True]


def test_an_arm_in_space_has_all_six(explorer: WeightExplorer) -> None:
    T_sd = np.eye(4)
    T_sd[:3, 3] = [1.3, 0.6, 0.5]  # beyond the UR10's reach
    own = WeightExplorer(robots.ur10(), T_sd)
    assert not any(slider.disabled for slider in own.weights)
    assert not own.result.converged
    before = own.result.position_error
    for slider in own.weights[:3]:
        slider.value = 0.0
    assert own.result.position_error < before


def test_the_still_picture_and_the_name_are_the_same_each_time(explorer: WeightExplorer) -> None:
    assert explorer.still() == WeightExplorer().still()
    assert repr(explorer) == "WeightExplorer()"


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ParameterError, match="a target for UR10 is missing"):
        WeightExplorer(robots.ur10())
    with pytest.raises(TransformError):
        WeightExplorer(robots.ur10(), np.ones((4, 4)))
    with pytest.raises(ConfigurationError, match=r"shape \(2,\)"):
        WeightExplorer(q0=[0.0])
