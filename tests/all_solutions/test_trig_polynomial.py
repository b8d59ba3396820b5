"""Zeros of a trigonometric polynomial against the roots of a polynomial; an angle against mpmath's arc tangent."""

import math

import mpmath
import numpy as np
import pytest

from lessons_lib.all_solutions.general_arm import fourier_samples
from lessons_lib.all_solutions.module import general_6r_module, module

DEGREE = 8
TURN = 2.0 * np.pi


def zeros_of(function):
    """Return the sorted zeros found of a function of an angle."""
    text, table, count = general_6r_module(), fourier_samples(DEGREE), 2 * DEGREE + 1
    fourier, slope, angles = np.empty(count), np.empty(count), np.full(24, np.nan)
    largest = text.write_coefficients(function(TURN * np.arange(count) / count), table, fourier)
    assert largest == np.abs(fourier).max()
    text.write_derivative(fourier, slope)
    x = np.linspace(0.0, 6.0, 7)
    value = [text.evaluate_with_derivative(fourier, one) for one in x]
    assert np.allclose([v for v, _ in value], function(x), atol=1e-12 * largest)
    difference = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    assert np.allclose([s for _, s in value], difference, atol=1e-7 * largest)
    assert np.allclose([text.evaluate_with_derivative(slope, one)[0] for one in x], difference, atol=1e-7 * largest)
    found = text.find_zeros(fourier, slope, table, angles)
    return np.sort(angles[:found])


def from_roots(roots):
    """Return a function with zeros at given angles, complex if they are off the circle."""
    return lambda x: np.real(np.prod([np.sin(0.5 * (x - root)) for root in roots], axis=0))


@pytest.mark.parametrize("seed", range(20))
def test_zeros_of_random_functions_are_those_of_the_polynomial(seed):
    rng = np.random.default_rng(seed)
    k, a = np.arange(-DEGREE, DEGREE + 1), rng.normal(size=DEGREE + 1) + 1j * rng.normal(size=DEGREE + 1)
    factors = np.concatenate([a[:0:-1].conj(), [a[0].real], a[1:]])
    roots = np.roots(factors[::-1])
    wanted = np.sort(np.angle(roots[np.abs(np.abs(roots) - 1.0) < 1e-9]) % TURN)
    found = zeros_of(lambda x: np.real(np.exp(1j * np.multiply.outer(x, k)) @ factors))
    assert all(np.abs(found - one).min() < 1e-9 for one in wanted)
    beside = np.angle(roots[np.abs(np.abs(roots) - 1.0) < 0.1])
    assert all(np.abs(np.sin(0.5 * (one - beside))).min() < 0.02 for one in found)


@pytest.mark.parametrize("apart", [0.3, 1e-2, 1e-4])
def test_both_of_two_close_zeros_are_found(apart):
    wanted = np.array([1.0, 1.0 + apart, 2.5, 4.0])
    assert np.allclose(zeros_of(from_roots(wanted)), wanted, atol=1e-9)


@pytest.mark.parametrize("roots", [[0.01, 0.02, 0.035], [-0.004, 0.013, 0.02], [0.004, 0.02, 0.0202]])
def test_several_zeros_between_two_samples_are_found(roots):
    """With three zeros or two extrema in a cell the signs at its ends are those of one or none."""
    wanted = np.sort([TURN * 20 / 128 + root for root in roots] + [4.0])
    assert np.allclose(zeros_of(from_roots(wanted)), wanted, atol=1e-8)


def test_a_pair_of_zeros_near_the_circle_is_found_as_one_candidate():
    near, far = ([1.0 + off * 1j, 1.0 - off * 1j, 2.5, 4.0] for off in (0.01, 0.3))
    assert np.allclose(zeros_of(from_roots(near)), [1.0, 2.5, 4.0], atol=1e-3)
    assert np.allclose(zeros_of(from_roots(far)), [2.5, 4.0], atol=1e-9)


def test_a_constant_has_no_zeros():
    assert len(zeros_of(lambda x: np.ones(np.shape(x)))) == 0


EDGES = [k * math.pi / 4 + sign * near for k in range(-4, 5) for near in (0.0, 1e-300, 1e-16, 1e-9) for sign in (1, -1)]


def exact(cosine, sine):
    with mpmath.workdps(40):
        return float(mpmath.atan2(mpmath.mpf(sine), mpmath.mpf(cosine)))


def test_angle_of_agrees_with_atan2_to_two_units_in_the_last_place():
    drawn = np.random.default_rng(3).uniform(-np.pi, np.pi, 3000).tolist()
    for angle in [*drawn, *EDGES, *(10.0**-k for k in range(1, 300, 7))]:
        cosine, sine = math.cos(angle), math.sin(angle)
        found, there = module().angle_of(cosine, sine), exact(cosine, sine)
        assert abs(found - there) <= 2 * math.ulp(there), angle


@pytest.mark.parametrize("cosine", [1.0, -1.0])
@pytest.mark.parametrize("sine", [0.0, -0.0])
def test_angle_of_keeps_the_sign_of_zero(cosine, sine):
    found = module().angle_of(cosine, sine)
    assert found == math.atan2(sine, cosine)
    assert math.copysign(1.0, found) == math.copysign(1.0, sine)
