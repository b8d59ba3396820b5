"""Targets of configurations with joints at their limits are solved, and steps stop at the limits."""

from collections.abc import Callable

import numpy as np
import pytest

from lessons_lib.pose_ik import solve_batch
from lessons_lib.pose_ik.joint_ranges import has_limits_to_stop_at, project_step, update_active_set
from lessons_lib.robots import Chain

Errors = Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]


def draw_at_limits(chain: Chain, rng: np.random.Generator, count: int, joints: int) -> np.ndarray:
    """Return configurations with some joints at one of their limits and the others anywhere."""
    q = np.array([chain.random_configuration(rng) for _ in range(count)])
    for row in q:
        chosen = rng.choice(chain.dof, joints, replace=False)
        row[chosen] = chain.limits[chosen, rng.integers(2, size=joints)]
    return q


@pytest.mark.parametrize("joints", [1, 3, 7])
def test_joints_at_their_limits_are_solved(panda: Chain, independent_errors: Errors, joints: int) -> None:
    """Before steps stopped at the limits, a tenth of these failed with three joints at limits, a quarter with seven."""
    rng = np.random.default_rng(71)
    targets = np.array([panda.forward_kinematics(q) for q in draw_at_limits(panda, rng, 100, joints)])
    results = solve_batch(panda, targets)
    assert results.converged.all()
    assert (results.q >= panda.limits[:, 0]).all() and (results.q <= panda.limits[:, 1]).all()
    for row in range(0, 100, 10):
        assert max(independent_errors(panda, results.q[row], targets[row])) <= 1e-6 + 1e-9


@pytest.mark.parametrize(
    ("limits", "period", "stops"),
    [
        ((-1.0, 2.0), 2 * np.pi, True),
        ((-4.0, 3.0), 2 * np.pi, False),
        ((-4.0, 3.0), 0.0, True),
        ((-np.inf, 3.0), 2 * np.pi, False),
    ],
)
def test_only_joints_without_a_whole_revolution_stop_at_their_limits(
    limits: tuple[float, float], period: float, stops: bool
) -> None:
    joints = np.array([[*limits, period, *limits]])
    step, ahead = np.array([5.0]), np.empty(1)
    project_step(np.array([0.5]), step, joints, ahead)
    assert ahead[0] == (limits[1] if stops else 5.5) and step[0] == ahead[0] - 0.5
    assert has_limits_to_stop_at(joints) == stops
    held, A = np.empty(1), np.array([[0.0, 0, 0, 1, 0, 0]]).T
    flat = update_active_set(A, np.array([0.0, 0, 0, 2, 0, 0]), np.array([limits[1]]), joints, held)
    assert held[0] == stops and flat == stops
    assert (
        not update_active_set(A, np.array([0.0, 0, 0, -2, 0, 0]), np.array([limits[1]]), joints, held)
        and held[0] == 0.0
    )


def test_a_step_that_is_nan_stays_nan() -> None:
    """The search then reports NOT_FINITE."""
    ahead = np.empty(1)
    project_step(np.zeros(1), np.array([np.nan]), np.array([[-1.0, 1.0, 0.0, -1.0, 1.0]]), ahead)
    assert np.isnan(ahead[0])
