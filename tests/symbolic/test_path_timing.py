"""Bernstein coefficients of path timing against differences of the motion; braking against a simulation."""

import math

import pytest
import sympy as sp
from scipy.interpolate import BPoly

from lessons_lib.course.limits import stopping
from lessons_lib.symbolic import path_timing

b = sp.Matrix(sp.symbols("b_0:3"))
h, x, y, t = sp.symbols("h x y t", positive=True)


def test_bernstein_coefficients_invert_the_polynomial():
    polynomial = path_timing.bernstein_polynomial(b)
    assert sp.simplify(path_timing.bernstein_coefficients(polynomial, 2) - b) == sp.zeros(3, 1)
    raised = path_timing.bernstein_coefficients(polynomial, 5)
    assert sp.expand(path_timing.bernstein_polynomial(raised) - polynomial) == 0
    numbers = [0.3, -1.2, 0.7]
    at = float(path_timing.bernstein_polynomial(sp.Matrix(numbers), sp.Float(0.37)))
    assert abs(at - BPoly([[c] for c in numbers], [0, 1])(0.37)) < 1e-14


def test_rows_give_acceleration_and_squared_speed():
    part = path_timing.PART
    s = sp.Function("s")(t)
    rate = path_timing.bernstein_polynomial(b)
    q = sp.integrate(rate * h, part).subs(part, s)  # the place along the piece is h s
    u = (y - x) / (2 * h)
    speed = sp.sqrt(x + (y - x) * s) / h
    first = sp.diff(q, t).subs(sp.diff(s, t), speed)
    second = sp.diff(q, t, 2).subs(sp.diff(s, t, 2), u / h).subs(sp.diff(s, t), speed)
    ends = sp.Matrix([x, y])
    hard = path_timing.bernstein_polynomial(path_timing.acceleration_rows(b, h) * ends)
    slow = path_timing.bernstein_polynomial(path_timing.speed_rows(b) * ends)
    assert sp.simplify(second.subs(s, part) - hard) == 0
    assert sp.simplify(first.subs(s, part) ** 2 - slow) == 0


d, a, v = sp.symbols("d a v", positive=True)


@pytest.mark.parametrize("distance", [1e-6, 0.1, 3.0])
@pytest.mark.parametrize("deceleration", [0.5, 20.0])
def test_a_joint_that_brakes_from_the_bound_stops_at_its_limit(distance, deceleration):
    speed = float(stopping.braking_bound(sp.Float(distance), sp.Float(deceleration)))
    steps, position = 10_000, 0.0
    dt = speed / deceleration / steps
    for k in range(steps):
        position += dt * (speed - deceleration * dt * (k + 0.5))  # the mean speed of the step
    assert math.isclose(position, distance, rel_tol=1e-9)


def test_braking_distance_and_bound_are_inverse():
    assert sp.simplify(stopping.braking_distance(stopping.braking_bound(d, a), a) - d) == 0
    assert sp.simplify(stopping.braking_bound(stopping.braking_distance(v, a), a) - v) == 0
