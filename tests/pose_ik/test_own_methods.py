"""Methods and dampings of the reader's own: checked like the library's, and refused where they return no numbers."""

import math

import numpy as np
import pytest

from lessons_lib.pose_ik import Restarts, Status, Stop, evaluate, solve
from lessons_lib.robots import Chain


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
