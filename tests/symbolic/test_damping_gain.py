"""The gain of damped least squares in one direction, against limits, bounds and NumPy's least squares."""

import numpy as np
import pytest
import sympy as sp

from lessons_lib.symbolic import damping

sigma, lamda = sp.symbols("sigma lambda", positive=True)


@pytest.mark.parametrize(("value", "expected"), [(0, (0, 1)), (sp.oo, (0, 0))])
def test_gain_is_zero_at_zero_singular_value_and_leaves_no_error_at_infinity(value: object, expected: object) -> None:
    found = (
        sp.limit(damping.gain(sigma, lamda), sigma, value),
        sp.limit(damping.part_left(sigma, lamda), sigma, value),
    )
    assert found == expected


def test_numpys_least_squares_has_this_gain_in_every_direction() -> None:
    rng = np.random.default_rng(10)
    J, V, price = rng.normal(size=(6, 7)), rng.normal(size=6), 0.3
    U, sigmas, Qt = np.linalg.svd(J, full_matrices=False)
    step = np.linalg.lstsq(np.vstack([J, price * np.eye(7)]), np.concatenate([V, np.zeros(7)]), rcond=None)[0]
    gains = [float(damping.gain(sp.Float(s), sp.Float(price))) for s in sigmas]
    assert Qt @ step == pytest.approx(gains * (U.T @ V), abs=1e-13)  # a few roundings of numbers near 1
