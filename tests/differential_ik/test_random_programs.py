"""Random programs with bounds of zero width, rows and equalities: the step is SciPy's."""

import numpy as np
import pytest
from given_rows import Rows, Walls
from scipy.optimize import minimize

from lessons_lib import differential_ik as dik


class Box(dik.AccelerationLimit):
    """Given bounds of all rates, as a box."""

    def __init__(self, model: object, lower: np.ndarray, upper: np.ndarray) -> None:
        super().__init__(model, np.ones(len(lower)))  # type: ignore[arg-type]
        self.bounds = lower, upper

    def compute_bounds(self, configuration: dik.Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
        return self.bounds


@pytest.mark.parametrize("equalities", [0, 1, 2])
@pytest.mark.parametrize("rows", [0, 3])
def test_the_step_is_scipys(ur10: dik.Configuration, rows: int, equalities: int) -> None:
    rng, active = np.random.default_rng(4), 0
    for _ in range(10):
        J, r, inside = rng.normal(size=(6, 6)), rng.normal(size=6), rng.uniform(-0.2, 0.2, 6)
        lower, upper = inside - rng.exponential(0.2, 6), inside + rng.exponential(0.2, 6)
        fixed = rng.random(6) < 0.2
        lower, upper = np.where(fixed, inside, lower), np.where(fixed, inside, upper)
        C, A = rng.normal(size=(rows, 6)), rng.normal(size=(equalities, 6))
        d, b = C @ inside + 0.05, A @ inside
        limits = [Box(ur10.model, lower, upper)] + ([Walls(C, d)] if rows else [])
        constraints = [Rows(A, b)] if equalities else []
        x = dik.solve_ik(ur10, [Rows(J, r)], 1.0, damping=0.0, limits=limits, constraints=constraints)
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
