"""The sliders turn the arm, the arrows follow, and the numbers above them are the arrows."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.plots import tip_jacobian
from lessons_lib.widgets import JacobianExplorer
from lessons_lib.widgets.joint_sliders import configuration_of, joint_slider


def test_a_slider_turns_the_arrows_and_repaints() -> None:
    explorer = JacobianExplorer()
    before = explorer.image.value
    explorer.angles[0].value = 30.0
    explorer.angles[1].value = 60.0
    assert explorer.image.value != before
    q = np.radians([30, 60])
    assert explorer.q == pytest.approx(q)
    drawn = np.array([explorer._tip.arrows.U, explorer._tip.arrows.V]) / 0.5
    assert np.abs(drawn - tip_jacobian(explorer.chain, q)[:2]).max() < 1e-12


def test_the_title_says_the_columns() -> None:
    explorer = JacobianExplorer(q0=[0.0, np.pi / 2])
    assert explorer._ax.get_title(loc="left") == "$J_1$ = (-1.00, 1.00)   $J_2$ = (-1.00, 0.00)  m/rad"


def test_the_first_linear_part_of_the_space_twist_never_moves() -> None:
    explorer = JacobianExplorer()
    assert not explorer._origin.arrows.get_visible()
    explorer.space.value = True
    assert explorer._origin.arrows.get_visible()
    for angle in (-90.0, 20.0, 170.0):
        explorer.angles[0].value = angle
        assert (explorer._origin.arrows.U[0], explorer._origin.arrows.V[0]) == (0.0, 0.0)
        expected = 0.5 * np.array([np.sin(np.radians(angle)), -np.cos(np.radians(angle))])
        assert np.abs([explorer._origin.arrows.U[1], explorer._origin.arrows.V[1]] - expected).max() < 1e-12


def test_an_arm_in_space_is_refused() -> None:
    with pytest.raises(ParameterError, match="UR10 moves out of the x-y plane"):
        JacobianExplorer(robots.ur10(), np.zeros(6))


def test_a_wrong_start_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"must have shape \(2,\)"):
        JacobianExplorer(q0=[0.0, 0.0, 0.0])


def test_sliders_speak_degrees_for_turns_and_metres_for_slides() -> None:
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]]).T
    chain = robots.from_screws(screws, np.eye(4), limits=[(-1.0, 2.0), (0.0, 0.4)], name="RP")
    sliders = [joint_slider(chain, i, value) for i, value in enumerate((0.5, 0.25))]
    assert [s.description for s in sliders] == ["q1 [°]", "q2 [m]"]
    assert (sliders[0].min, sliders[0].max) == (-57.0, 114.0)  # whole degrees within the limits
    assert np.array_equal(configuration_of(chain, sliders), [np.radians(29.0), 0.25])


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_the_ends_of_a_slider_are_within_the_limits(make: type) -> None:
    chain = make()
    for end in ("min", "max"):
        sliders = [joint_slider(chain, i, chain.limits[i].mean()) for i in range(chain.dof)]
        for slider in sliders:
            slider.value = getattr(slider, end)
        q = chain.check_within_limits(configuration_of(chain, sliders))  # raises where one is outside
        assert np.abs(q - chain.limits[:, 0 if end == "min" else 1]).max() < np.radians(1.0)  # the last whole degree
