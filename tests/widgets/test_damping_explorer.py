"""The damping explorer, driven by its callbacks as a browser drives it, without a kernel."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Status, solve
from lessons_lib.widgets import DampingExplorer, damping_explorer
from lessons_lib.widgets.damping_explorer import REACHABLE, STOP, TOO_FAR


@pytest.fixture(scope="module")
def made() -> DampingExplorer:
    return DampingExplorer()


@pytest.fixture
def explorer(made: DampingExplorer) -> DampingExplorer:
    """The explorer with its controls where they stood at first."""
    made.change(damping=0.125, target=REACHABLE)
    return made


def test_at_first_it_shows_the_lessons_numbers(explorer: DampingExplorer) -> None:
    assert explorer.result is not None
    assert explorer.result.converged
    assert explorer.largest_step == pytest.approx(4.306, abs=5e-4)  # ANCHORS: about 4.5, in either frame
    assert explorer.message == "converged in 11 steps, the largest 4.31 rad; gain at most 4.00"


@pytest.mark.parametrize("damping", [1e-3, 0.03, 0.5, 10**0.5])
def test_the_slider_gives_what_the_solver_gives(explorer: DampingExplorer, damping: float) -> None:
    explorer.damping.value = damping
    method = LevenbergMarquardt(Constant(explorer.damping.value))
    expected = solve(explorer.chain, explorer.targets[REACHABLE], np.zeros(6), method=method, stop=STOP, trace=True)
    assert explorer.result is not None
    assert np.array_equal(explorer.result.q, expected.q)
    assert explorer.result.status is expected.status


def test_more_damping_means_shorter_and_more_steps(explorer: DampingExplorer) -> None:
    before, steps, picture = explorer.largest_step, explorer.result.iterations, bytes(explorer.image.value)
    explorer.damping.value = 0.5
    assert explorer.largest_step < before / 2
    assert explorer.result.iterations > 2 * steps
    assert bytes(explorer.image.value) != picture


def test_the_target_out_of_reach_settles_only_with_enough_damping(explorer: DampingExplorer) -> None:
    explorer.target.value = TOO_FAR
    assert explorer.result.status is Status.UNREACHABLE
    assert explorer.result.iterations == STOP.max_iterations  # it hops to and fro
    last = explorer.result.trace.q[-1] - explorer.result.trace.q[-2]
    assert np.abs(last).max() > 1.0
    explorer.damping.value = 0.5
    assert explorer.result.iterations < STOP.max_iterations  # it has come to rest
    assert explorer.message.startswith("unreachable: 47 steps")


def test_the_slider_is_logarithmic_from_a_thousandth_to_three(explorer: DampingExplorer) -> None:
    numbers = np.array([number for _, number in explorer.damping.options])
    assert (numbers[0], numbers[-1]) == (0.001, 3.15)
    assert np.abs(numbers[1:] / numbers[:-1] - 10**0.05).max() < 0.025  # a twentieth of a decade, in round numbers


def test_another_chain_with_targets_and_a_start_of_its_own() -> None:
    panda, q_0 = robots.panda(), np.array([0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8])
    explorer = DampingExplorer(panda, {"near": panda.forward_kinematics(q_0 + 0.1)}, q_0)
    assert explorer.result.converged
    assert np.array_equal(explorer.result.trace.q[0], q_0)


def test_the_level_where_a_solve_may_stop_is_named(explorer: DampingExplorer) -> None:
    _, errors = explorer.figure.axes
    assert [(text.get_text(), text.xy[1]) for text in errors.texts] == [("tolerance", STOP.position)]


def test_a_move_of_the_slider_solves_once_and_paints_once(
    explorer: DampingExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved, pictures = list[Any](), list[Any]()
    monkeypatch.setattr(damping_explorer, "solve", lambda *a, **b: solved.append(solve(*a, **b)) or solved[-1])
    explorer.image.observe(lambda change: pictures.append(change.new), "value")
    for damping in np.geomspace(0.01, 1.0, 9):
        explorer.damping.value = damping
    assert (len(solved), len(pictures)) == (9, 9)
    explorer.image.unobserve_all("value")


def test_what_cannot_be_shown_is_refused() -> None:
    panda = robots.panda()
    with pytest.raises(ParameterError, match="no targets for"):
        DampingExplorer(panda)
    with pytest.raises(ParameterError, match="targets are empty; give at least one pose by name"):
        DampingExplorer(panda, {})
    with pytest.raises(TransformError, match="target 'twice'"):
        DampingExplorer(targets={"twice": 2 * np.eye(4)})
    with pytest.raises(ConfigurationError, match="shape"):
        DampingExplorer(q0=np.zeros(5))


def test_its_name_is_its_text(explorer: DampingExplorer) -> None:
    assert repr(explorer) == "DampingExplorer()"
    assert bytes(explorer.still()).startswith(b"\x89PNG")
