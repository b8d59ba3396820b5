"""Optimal and shortest steps compared with SciPy, for various costs, dampings and bounds."""

import numpy as np
import pytest
from row_tasks import RowLimit, RowTask
from scipy.optimize import lsq_linear, minimize

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik.limits.rate_limits import default_limits
from lessons_lib.differential_ik.solver.feasibility import Infeasible, tighten
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step

SIDES = np.vstack([np.eye(6), -np.eye(6)])


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_tighten_merges_bounds_that_cross_by_rounding(ur10, size):
    """Rounding is relative to the bounds, 1e-9 of them."""
    step = Step.read(ur10, [], 1e-3, 1e-12, None, None, None)
    upper, more = size * np.ones(6), size * np.array([1e-10, -1.0, 0, 0, 0, 0])
    lower, raised = tighten(FeasibleRegion(step, upper + more, upper, None, None, None, None))
    np.testing.assert_allclose(lower, size * np.array([1, 0, 1, 1, 1, 1]), rtol=1e-10)
    assert lower[0] == raised[0] and (raised[1:] == upper[1:]).all()
    with pytest.raises(Infeasible, match="contradict each other for"):
        tighten(FeasibleRegion(step, upper + 100 * more, upper, None, None, None, None))


@pytest.mark.parametrize("damping", [0.0, 1e-12, 1e-9])
@pytest.mark.parametrize("limits", [[], None])
def test_a_bound_that_affects_only_the_shortest_step(ur10, damping, limits):
    """Three rates add up to 0.9, one of them is at most 0.1; the shortest step is (0.1, 0.4, 0.4)."""
    row, wall = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], RowLimit(SIDES, np.array([0.1] + [1.0] * 11))
    given = [wall] if limits == [] else [*default_limits(ur10.model), wall]
    v = dik.solve_ik(ur10, [RowTask(row, 0.9)], 1.0, damping=damping, limits=given)
    assert np.abs(v - [0.1, 0.4, 0.4, 0.0, 0.0, 0.0]).max() < 1e-8


@pytest.mark.parametrize("ratio", [1.0, 1e2, 1e4, 1e6])
def test_very_different_costs_within_a_box(ur10, ratio):
    rng, wall = np.random.default_rng(6), RowLimit(SIDES, np.full(12, 0.05))
    for _ in range(10):
        J, b = rng.normal(size=(3, 6)), 0.1 * rng.normal(size=3)
        tasks = [RowTask(J, b, cost=ratio), RowTask(np.eye(6), np.full(6, 0.2), cost=1.0 / ratio)]
        M = np.vstack([ratio * J, np.eye(6) / ratio, 1e-6 * np.eye(6)])
        r = np.concatenate([ratio * b, np.full(6, 0.2) / ratio, np.zeros(6)])
        expected = lsq_linear(M, r, (-0.05, 0.05), method="bvls", tol=1e-15).x
        v = dik.solve_ik(ur10, tasks, 1.0, limits=[wall])
        # with costs 1e12 apart, four of 16 digits remain
        assert np.linalg.norm(M @ v - r) <= np.linalg.norm(M @ expected - r) * (1.0 + 1e-7)


class LinearObjective(dik.Task):
    """A task with a linear objective, which is not least squares."""

    def __init__(self, slope):
        super().__init__(1.0)
        self.slope = slope

    def compute_error(self, configuration):
        return np.zeros(1)

    def compute_jacobian(self, configuration):
        return np.zeros((1, 6))

    def compute_qp_objective(self, configuration):
        return np.zeros((6, 6)), self.slope


def test_a_linear_objective_ends_at_the_bounds_or_is_unbounded(ur10):
    slope = np.array([1.0, -1.0, 0.5, -0.5, 0.2, 0.0])
    v = dik.solve_ik(ur10, [LinearObjective(slope)], 0.01, damping=0.0)
    assert np.abs(v[:5] + np.sign(slope[:5]) * ur10.model.velocity_limits[:5]).max() < 1e-12
    assert v[5] == 0.0
    with pytest.raises(dik.NoSolutionFound, match="the objective decreases without bound"):
        dik.solve_ik(ur10, [LinearObjective(slope)], 0.01, damping=0.0, limits=[])
    assert np.abs(dik.solve_ik(ur10, [LinearObjective(slope)], 1.0, damping=0.5, limits=[]) + 2.0 * slope).max() < 1e-12


class Box(dik.AccelerationLimit):
    """Given bounds of all rates, as a box."""

    def __init__(self, model, lower, upper):
        super().__init__(model, np.ones(len(lower)))
        self.bounds = lower, upper

    def compute_bounds(self, configuration, dt):
        return self.bounds


@pytest.mark.parametrize("equalities", [0, 1, 2])
@pytest.mark.parametrize("rows", [0, 3])
def test_the_step_is_scipys(ur10, rows, equalities):
    rng, active = np.random.default_rng(4), 0
    for _ in range(10):
        J, r, inside = rng.normal(size=(6, 6)), rng.normal(size=6), rng.uniform(-0.2, 0.2, 6)
        lower, upper = inside - rng.exponential(0.2, 6), inside + rng.exponential(0.2, 6)
        fixed = rng.random(6) < 0.2
        lower, upper = np.where(fixed, inside, lower), np.where(fixed, inside, upper)
        C, A = rng.normal(size=(rows, 6)), rng.normal(size=(equalities, 6))
        d, b = C @ inside + 0.05, A @ inside
        limits = [Box(ur10.model, lower, upper)] + ([RowLimit(C, d)] if rows else [])
        constraints = [RowTask(A, b)] if equalities else []
        x = dik.solve_ik(ur10, [RowTask(J, r)], 1.0, damping=0.0, limits=limits, constraints=constraints)
        found = minimize(
            lambda y, J=J, r=r: 0.5 * np.sum((J @ y - r) ** 2),
            inside,
            jac=lambda y, J=J, r=r: J.T @ (J @ y - r),
            bounds=list(zip(lower, upper, strict=True)),
            constraints=[
                {"type": "ineq", "fun": lambda y, C=C, d=d: d - C @ y},
                {"type": "eq", "fun": lambda y, A=A, b=b: A @ y - b},
            ][(0 if rows else 1) : (2 if equalities else 1)],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        assert np.abs(x - found.x).max() < 1e-5
        assert np.sum((J @ x - r) ** 2) <= np.sum((J @ found.x - r) ** 2) * (1.0 + 1e-9)
        assert (lower <= x).all() and (x <= upper).all() and (C @ x <= d + 1e-12).all()
        assert np.abs(A @ x - b).max(initial=0.0) < 1e-13
        active += np.count_nonzero((x == lower) | (x == upper))
    assert active > 15
