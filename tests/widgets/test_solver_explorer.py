"""The solver explorer, driven by its callbacks as a browser drives it, without a kernel."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.studies import MENU
from lessons_lib.widgets import SolverExplorer
from lessons_lib.widgets.solver_explorer import STOP

EXAMPLE = (np.radians([30.0, 90.0]), np.radians([0.0, 30.0]))  # Modern Robotics, Example 6.1: solution and start


@pytest.fixture(scope="module")
def example() -> SolverExplorer:
    chain = robots.planar_2r()
    return SolverExplorer(chain, chain.forward_kinematics(EXAMPLE[0]), EXAMPLE[1])


@pytest.fixture
def explorer(example: SolverExplorer) -> SolverExplorer:
    """The explorer with its controls where they stood at first."""
    example.change(method="constant", damping=0.125)
    for slider in example.weights:
        slider.value = 1.0
    for slider, value in zip(example.start, EXAMPLE[1], strict=True):
        slider.value = value
    example.iteration.value = example.iteration.max
    return example


def test_newton_solves_the_example_in_the_three_steps_of_the_book(explorer: SolverExplorer) -> None:
    explorer.change(method="newton")
    assert explorer.result is not None
    # the slider rounds the start to 0.52 rad and the tolerance is tighter than the book's: still three steps
    assert (explorer.result.converged, explorer.result.iterations) == (True, 3)
    assert np.degrees(explorer.result.q) == pytest.approx([30.0, 90.0], abs=1e-4)


@pytest.mark.parametrize("name", MENU)
def test_every_method_of_the_menu_gives_what_the_solver_gives(explorer: SolverExplorer, name: str) -> None:
    explorer.change(method=name, damping=0.03)
    choice = MENU[name]
    expected = pose_ik.solve(
        explorer.chain,
        explorer.target,
        [slider.value for slider in explorer.start],
        method=choice.build(explorer.damping.value, None),
        stop=STOP,
        trace=True,
    )
    assert explorer.result is not None
    assert np.array_equal(explorer.result.q, expected.q)
    assert explorer.result.iterations == expected.iterations
    assert explorer.damping.disabled != choice.damped


def test_the_damping_slider_is_logarithmic_and_repaints(explorer: SolverExplorer) -> None:
    before, steps = explorer.image.value, explorer.result.iterations
    explorer.damping.value = 1.0
    assert explorer.image.value != before
    assert explorer.result.iterations > steps  # heavier damping, slower end
    numbers = np.array([number for _, number in explorer.damping.options])
    assert (numbers[0], numbers[-1], len(numbers)) == (1e-6, 10.0, 7 * 20 + 1)
    assert np.abs(numbers[1:] / numbers[:-1] - 10**0.05).max() < 0.025  # a twentieth of a decade, in round numbers


def test_each_weight_slider_changes_the_solve(explorer: SolverExplorer) -> None:
    for i in (2, 3, 4):  # the three components that a planar arm can have
        twist = explorer.result.trace.error_twists[1].copy()
        explorer.weights[i].value = 0.2
        assert np.abs(explorer.result.trace.error_twists[1] - twist).max() > 1e-4


def test_weights_that_are_all_zero_are_answered_with_a_sentence(explorer: SolverExplorer) -> None:
    for slider in explorer.weights:
        slider.value = 0.0
    assert explorer.result is None
    assert "weights are all zero" in explorer.message


def test_the_scrubber_stays_at_the_end_or_where_it_was_put(explorer: SolverExplorer) -> None:
    assert explorer.iteration.value == explorer.iteration.max == explorer.result.iterations
    explorer.damping.value = 1.0
    assert explorer.iteration.value == explorer.iteration.max == explorer.result.iterations
    explorer.iteration.value = 2
    explorer.damping.value = 0.5
    assert explorer.iteration.value == 2


def test_the_arm_is_drawn_at_the_iterate_of_the_scrubber(explorer: SolverExplorer) -> None:
    explorer.iteration.value = 1
    q = explorer.result.trace.q[1]
    assert np.allclose(explorer.drawn_tip, explorer.chain.forward_kinematics(q)[:2, 3], rtol=0, atol=1e-12)


def test_a_joint_slider_and_the_button_change_the_start(explorer: SolverExplorer) -> None:
    explorer.start[0].value = 0.7
    assert explorer.result.trace.q[0][0] == 0.7
    before = [slider.value for slider in explorer.start]
    explorer.draw_start()
    after = [slider.value for slider in explorer.start]
    assert after != before
    assert np.array_equal(explorer.result.trace.q[0], after)


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_any_chain_has_an_explorer_that_repaints(make: object) -> None:
    explorer = SolverExplorer(make())  # type: ignore[operator]
    assert len(explorer.start) == explorer.chain.dof
    for damping in (1e-4, 1e-3, 0.01, 0.1, 1.0):
        before = bytes(explorer.image.value)
        explorer.damping.value = damping
        assert bytes(explorer.image.value).startswith(b"\x89PNG")
        assert bytes(explorer.image.value) != before


def test_the_start_sliders_are_bounded_by_the_joint_limits() -> None:
    chain = robots.panda()
    explorer = SolverExplorer(chain)
    for slider, (lower, upper) in zip(explorer.start, chain.limits, strict=True):
        assert lower <= slider.min < lower + 0.01
        assert upper - 0.01 < slider.max <= upper


def test_a_wrong_target_or_start_is_refused() -> None:
    chain = robots.planar_2r()
    with pytest.raises(TransformError, match=r"target must have shape \(4, 4\), got \(3, 3\)"):
        SolverExplorer(chain, np.eye(3))
    with pytest.raises(ConfigurationError, match="outside its limits"):
        SolverExplorer(chain, q0=[4.0, 0.0])
