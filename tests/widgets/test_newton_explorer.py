"""The explorer shows the iterates of Example 6.1, and those of any other start, frame and arm."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.pose_ik import NewtonRaphson, Status, Stop, solve
from lessons_lib.widgets import NewtonExplorer, newton_explorer


def first_step(explorer: NewtonExplorer) -> np.ndarray:
    """The configuration after one step, degrees."""
    assert explorer.result is not None and explorer.result.trace is not None
    return np.degrees(explorer.result.trace.q[1])


def test_it_opens_with_example_6_1() -> None:
    explorer = NewtonExplorer()
    assert first_step(explorer) == pytest.approx([34.23, 79.18], abs=0.005)  # as printed
    assert explorer.result is not None and explorer.result.status is Status.CONVERGED


def test_the_frame_changes_the_step() -> None:
    explorer = NewtonExplorer()
    before = explorer.image.value
    explorer.frame.value = "space"
    assert first_step(explorer) == pytest.approx([28.53, 91.47], abs=0.005)
    assert explorer.image.value != before


def test_the_start_sliders_are_the_start() -> None:
    explorer = NewtonExplorer()
    explorer.change(frame="space")
    explorer.start[1].value = 60.0
    assert explorer.result is not None
    assert explorer.result.iterations == 1  # the MATLAB library's own start
    assert np.degrees(explorer.result.q) == pytest.approx([30.0, 90.0])


def test_the_scrubber_moves_the_arm_and_the_marker() -> None:
    explorer = NewtonExplorer()
    pictures = []
    for k in (0, 1, 2):
        explorer.iteration.value = k
        pictures.append(bytes(explorer.image.value))
    assert len(set(pictures)) == 3


def test_beyond_the_last_iterate_the_last_is_shown() -> None:
    explorer = NewtonExplorer()
    assert explorer.result is not None
    explorer.iteration.value = explorer.result.iterations
    last = bytes(explorer.image.value)
    explorer.iteration.value = explorer.iteration.max
    assert bytes(explorer.image.value) == last


def test_another_arm_starts_where_it_is_told() -> None:
    arm, q_d = robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    target, start = arm.forward_kinematics(q_d), np.radians([35.0, -52.0, 103.0, -17.0, 80.0, 40.0])
    explorer = NewtonExplorer(arm, target, start)
    expected = solve(arm, target, start, method=NewtonRaphson(), stop=explorer.stop, trace=True, compiled=False)
    assert explorer.result is not None
    assert explorer.result.iterations == expected.iterations
    assert explorer.result.q == pytest.approx(expected.q, abs=1e-9)  # another loop, with its own roundings


def test_there_are_no_restarts() -> None:
    explorer = NewtonExplorer(stop=Stop(max_iterations=1))
    assert explorer.result is not None
    assert (explorer.result.restarts, explorer.result.status) == (0, Status.MAX_ITERATIONS)
    assert explorer.iteration.max == 1


def test_a_move_of_a_slider_solves_once_and_paints_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer, solved, pictures = NewtonExplorer(), list[Any](), list[Any]()
    monkeypatch.setattr(newton_explorer, "solve", lambda *a, **b: solved.append(solve(*a, **b)) or solved[-1])
    explorer.image.observe(lambda change: pictures.append(change.new), "value")
    for angle in range(1, 10):
        explorer.start[0].value = float(angle)
    assert (len(solved), len(pictures)) == (9, 9)


def test_a_target_that_is_no_pose_is_refused() -> None:
    with pytest.raises(TransformError, match="target"):
        NewtonExplorer(target=2 * np.eye(4))


def test_a_start_outside_the_limits_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="outside its limits"):
        NewtonExplorer(q0=[4.0, 0.0])


def test_its_name_is_its_text() -> None:
    assert repr(NewtonExplorer()) == "NewtonExplorer()"
