"""The default solves every reachable pose within the limits and reports its true errors."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons_lib.lie import exp_se3
from lessons_lib.pose_ik import (
    GaussNewton,
    LevenbergMarquardt,
    Method,
    NewtonRaphson,
    Restarts,
    Status,
    TrustRegion,
    solve,
    solve_batch,
)
from lessons_lib.robots import Chain

Errors = Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]

UR10_ROWS = [
    (0, math.pi / 2, 0.1273),
    (-0.612, 0, 0),
    (-0.5723, 0, 0),
    (0, math.pi / 2, 0.163941),
    (0, -math.pi / 2, 0.1157),
    (0, 0, 0.0922),
]
PANDA_ROWS = [
    (0, 0, 0.333),
    (0, -math.pi / 2, 0),
    (0, math.pi / 2, 0.316),
    (0.0825, math.pi / 2, 0),
    (-0.0825, -math.pi / 2, 0.384),
    (0, math.pi / 2, 0),
    (0.088, math.pi / 2, 0),
]


def about_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def shift(x: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[0, 3], T[2, 3] = x, z
    return T


def tip(name: str, q: np.ndarray) -> np.ndarray:
    """Return the tip's pose by the manufacturers' tables."""
    T = np.eye(4)
    for (a, alpha, d), angle in zip(UR10_ROWS if name == "UR10" else PANDA_ROWS, q, strict=True):
        if name == "UR10":
            T = T @ about_z(angle) @ shift(a, d) @ about_x(alpha)
        else:
            T = T @ about_x(alpha) @ shift(a, 0) @ about_z(angle) @ shift(0, d)
    return T if name == "UR10" else T @ shift(0, 0.107)


@pytest.fixture(scope="module", params=["ur10", "panda"])
def six_axes_or_more(request: pytest.FixtureRequest) -> Chain:
    return request.getfixturevalue(request.param)


def test_the_default_solves_a_thousand_random_targets(six_axes_or_more: Chain) -> None:
    chain, rng = six_axes_or_more, np.random.default_rng(21)
    targets = np.array([tip(chain.name, chain.random_configuration(rng)) for _ in range(1000)])
    starts = np.array([chain.random_configuration(rng) for _ in range(1000)])
    results = solve_batch(chain, targets, starts)
    assert results.converged.all()
    assert (results.q >= chain.limits[:, 0]).all() and (results.q <= chain.limits[:, 1]).all()
    for target, q in zip(targets, results.q, strict=True):
        T = tip(chain.name, q)
        # Stop's 1e-6, and 1e-9 for rounding and the difference of two models
        assert np.linalg.norm(T[:3, 3] - target[:3, 3]) <= 1e-6 + 1e-9
        assert np.linalg.norm(T[:3, :3] - target[:3, :3]) <= math.sqrt(2) * (1e-6 + 1e-9)  # ‖R − I‖ = 2√2 sin(θ/2)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("ur10", NewtonRaphson()),
        ("ur10", NewtonRaphson("space")),
        ("ur10", GaussNewton()),
        ("ur10", LevenbergMarquardt(TrustRegion())),
        ("panda", GaussNewton()),
    ],
    ids=str,
)
def test_the_other_methods_solve_at_least_98_percent(
    request: pytest.FixtureRequest, name: str, method: Method, independent_errors: Errors
) -> None:
    chain, rng = request.getfixturevalue(name), np.random.default_rng(22)
    targets = np.array([tip(chain.name, chain.random_configuration(rng)) for _ in range(200)])
    results = solve_batch(chain, targets, method=method)
    assert results.converged.mean() >= 0.98  # of 101 starts each; some targets lie at a limit
    for row in np.flatnonzero(results.converged)[:50]:
        assert max(independent_errors(chain, results.q[row], targets[row])) <= 1e-6 + 1e-9


@settings(deadline=None)  # the first example may have to compile
@given(st.lists(st.floats(-4, 4), min_size=6, max_size=6), st.integers(0, 2**32))
@example([-2.0, -4.0, -4.0, -3.0, -4.0, -4.0], 58027)  # ends with the elbow at 7e-7 rad
def test_reported_errors_are_true_for_any_target(
    ur10: Chain, independent_errors: Errors, twist: list[float], seed: int
) -> None:
    target = exp_se3(twist)
    start = ur10.random_configuration(np.random.default_rng(seed))
    result = solve(ur10, target, start, starts=Restarts(3))
    angle, distance = independent_errors(ur10, result.q, target)
    # 1e-7 near a half turn, where the two logarithms may round to different sides
    assert abs(result.orientation_error - angle) <= 1e-7
    assert abs(result.position_error - distance) <= 1e-6 * max(1.0, distance)
    assert (result.q >= ur10.limits[:, 0]).all() and (result.q <= ur10.limits[:, 1]).all()
    assert result.converged == (result.status is Status.CONVERGED)
    assert result.converged == (result.orientation_error <= 1e-6 and result.position_error <= 1e-6)
