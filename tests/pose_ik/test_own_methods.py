"""Methods and dampings of the reader's own: checked like the library's, and refused where they return no numbers."""

import math
import re

import numpy as np
import pytest

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Halley, LevenbergMarquardt, Method, Restarts, Status, Stop, evaluate, solve, solve_batch
from lessons_lib.robots import Chain


class Mine:
    """A method of a reader's own, with what the test gives it."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
        return np.linalg.pinv(jacobian) @ error


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"frame": "target"}, "Mine: frame must be .*, got 'target'; choose other axes in the goal"),
        ({"frame": "tool"}, "Mine: frame must be 'body' or 'space', got 'tool'"),
        ({"frame": np.eye(2)}, "Mine: frame must be .*got array"),
    ],
)
def test_a_method_of_the_readers_own_is_checked_like_the_others(
    planar_2r: Chain, attributes: dict, message: str
) -> None:
    for solver, target in ((solve, np.eye(4)), (solve_batch, [np.eye(4)])):
        with pytest.raises(ParameterError, match=message):
            solver(planar_2r, target, method=Mine(**attributes))


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, "x", None, [1.0, 2.0], 1j])
def test_a_damping_of_the_readers_own_is_a_number(planar_2r: Chain, value: object) -> None:
    """NaN and negative numbers used to be steps without damping, in silence."""

    class Told:
        step = Mine.step

        def damping_value(self, jacobian: np.ndarray, error: np.ndarray) -> object:
            return value

    shown = re.escape(repr(value))
    with pytest.raises(ParameterError, match=rf"Told\.damping_value (must return|returned) .*{shown}"):
        solve(planar_2r, np.eye(4), [0.3, 0.4], method=Told())


def test_what_is_no_rule_is_refused_as_a_damping() -> None:
    class Old:
        def matrix_value(self, error: np.ndarray, weights: np.ndarray) -> float:
            return 1.0

    for make in (LevenbergMarquardt, Halley, lambda damping: Method(damping=damping)):
        with pytest.raises(ParameterError, match=r"damping must be a policy such as Constant.*Damping\(.*, got <.*Old"):
            make(Old())


@pytest.mark.parametrize(
    ("junk", "message"),
    [
        ([1j, 0], r"Junk\.step must return numbers, got \[1j, 0\]"),
        (["a", "b"], r"Junk\.step must return numbers"),
        (None, "Junk.step must return numbers, got None"),
        (0.1, r"Junk\.step returned shape \(\)"),
        ([[0.1, 0.2]], r"Junk\.step returned shape \(1, 2\); a step has shape \(2,\)"),
    ],
)
def test_a_step_of_the_readers_own_is_n_numbers(planar_2r: Chain, junk: object, message: str) -> None:
    method = type("Junk", (), {"step": lambda self, jacobian, error: junk})()
    with pytest.raises(ParameterError, match=message):
        solve(planar_2r, np.eye(4), [0.3, 0.4], method=method)


@pytest.mark.parametrize("junk", [math.nan, math.inf])
def test_a_step_that_is_not_finite_ends_its_start_and_is_named(planar_2r: Chain, junk: float) -> None:
    method = type("Lost", (), {"step": lambda self, jacobian, error: [junk, 0.0]})()
    result = solve(planar_2r, np.eye(4), [0.3, 0.4], method=method, starts=Restarts(2))
    assert result.status is Status.NOT_FINITE and np.isfinite(result.q).all() and result.restarts == 2


def test_a_method_that_writes_into_what_it_is_given_changes_nothing_there(planar_2r: Chain) -> None:
    class Scribbler:
        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            step = np.linalg.pinv(jacobian) @ error * 0.1
            error[:], jacobian[:] = 0.0, 0.0
            return step

    target, asked = planar_2r.forward_kinematics([0.5, 1.0]), {"starts": Restarts(0), "stop": Stop(max_iterations=3)}
    result = solve(planar_2r, target, [0.3, 0.4], method=Scribbler(), **asked)
    here = evaluate(planar_2r, planar_2r.forward_kinematics([0.5, 1.0]), result.q)
    assert result.orientation_error == np.linalg.norm(here.error[:3]) > 0.01
    assert np.abs(result.q - [0.3, 0.4]).max() > 0.01  # the last iterate is the best, and none seemed to be at 0
