"""Angle by a polynomial, against the arc tangent of mpmath, also near eighths of a revolution."""

import math

import mpmath
import numpy as np
import pytest

from lessons_lib.all_solutions.module import module

EDGES = [k * math.pi / 4 + sign * near for k in range(-4, 5) for near in (0.0, 1e-300, 1e-16, 1e-9) for sign in (1, -1)]


def exact(cosine: float, sine: float) -> float:
    with mpmath.workdps(40):
        return float(mpmath.atan2(mpmath.mpf(sine), mpmath.mpf(cosine)))


def test_angle_of_agrees_with_atan2_to_two_units_in_the_last_place() -> None:
    drawn = np.random.default_rng(3).uniform(-np.pi, np.pi, 3000).tolist()
    for angle in [*drawn, *EDGES, *(10.0**-k for k in range(1, 300, 7))]:
        cosine, sine = math.cos(angle), math.sin(angle)
        found, there = module().angle_of(cosine, sine), exact(cosine, sine)
        assert abs(found - there) <= 2 * math.ulp(there), angle


@pytest.mark.parametrize("cosine", [1.0, -1.0])
@pytest.mark.parametrize("sine", [0.0, -0.0])
def test_angle_of_keeps_the_sign_of_zero(cosine: float, sine: float) -> None:
    found = module().angle_of(cosine, sine)
    assert found == math.atan2(sine, cosine)
    assert math.copysign(1.0, found) == math.copysign(1.0, sine)
