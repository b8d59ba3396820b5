"""Where a damped solver stalls when the target is out of reach: the error is flat there, if λ outweighs its bend."""

import numpy as np
import pytest
from scipy.linalg import eigh

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.lie import left_jacobian_inverse_se3
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Restarts, Stop
from lessons_lib.pose_ik.methods import exact_derivative
from lessons_lib.studies import matlab_library

UR10, HOME = robots.ur10(), np.zeros(6)
FAR = matlab_library.ur10_waypoints()[0].copy()
FAR[:3, 3] *= 4.0  # 1.99 m away
LONG = {"starts": Restarts(0), "stop": Stop(max_iterations=1000)}


def slope(q: Array) -> Array:
    """Return the gradient of E = ½|V_b|²."""
    here = pose_ik.evaluate(UR10, FAR, q)
    return np.asarray(-here.jacobian.T @ left_jacobian_inverse_se3(here.error).T @ here.error)


def end(damping: float, start: Array, derivative: str = "exact") -> tuple[Array, float]:
    """Return where the solver ends, not wrapped, and its last step."""
    method = LevenbergMarquardt(Constant(damping), derivative=derivative)  # type: ignore[arg-type]
    trace = pose_ik.solve(UR10, FAR, start, method=method, **LONG, trace=True).trace
    assert trace is not None
    return trace.q[-1], float(np.abs(trace.q[-1] - trace.q[-2]).max())


@pytest.fixture(scope="module")
def fixed() -> Array:
    q, _ = end(0.5, HOME)
    return np.asarray((q + np.pi) % (2 * np.pi) - np.pi)


def test_with_the_exact_derivative_it_stalls_where_the_error_is_flat(fixed: Array) -> None:
    assert np.linalg.norm(slope(fixed)) < 1e-9  # the stall rule stops at steps of 1e-12
    errors = [
        [np.sum(pose_ik.evaluate(UR10, FAR, q).error ** 2) / 2 for q in (fixed + h, fixed - h)] for h in np.eye(6) / 1e3
    ]
    assert np.min(errors) > np.sum(pose_ik.evaluate(UR10, FAR, fixed).error ** 2) / 2  # a valley, by 1e-6 in E


@pytest.mark.parametrize(("damping", "converges"), [(0.125, False), (0.25, False), (0.3, True), (0.5, True)])
def test_it_converges_where_the_damping_outweighs_half_the_bend(fixed: Array, damping: float, converges: bool) -> None:
    h = 1e-5
    bend = np.array([(slope(fixed + d) - slope(fixed - d)) / (2 * h) for d in h * np.eye(6)])
    here = pose_ik.evaluate(UR10, FAR, fixed)
    A = exact_derivative(here.jacobian, here.error)
    largest = eigh((bend + bend.T) / 2, A.T @ A + damping**2 * np.eye(6), eigvals_only=True)[-1]
    assert (largest < 2.0) == converges  # each step multiplies what is missing by 1 - eigenvalue
    _, last = end(damping, fixed + 1e-3)
    assert (last < 1e-9) == converges
