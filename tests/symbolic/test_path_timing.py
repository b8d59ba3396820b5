"""The Bernstein coefficients of path timing against differences of the motion."""

import sympy as sp
from scipy.interpolate import BPoly

from lessons_lib.symbolic import path_timing

b = sp.Matrix(sp.symbols("b_0:3"))
h, x, y, t = sp.symbols("h x y t", positive=True)


def test_bernstein_coefficients_invert_the_polynomial() -> None:
    polynomial = path_timing.bernstein_polynomial(b)
    assert sp.simplify(path_timing.bernstein_coefficients(polynomial, 2) - b) == sp.zeros(3, 1)
    raised = path_timing.bernstein_coefficients(polynomial, 5)
    assert sp.expand(path_timing.bernstein_polynomial(raised) - polynomial) == 0
    numbers = [0.3, -1.2, 0.7]
    at = float(path_timing.bernstein_polynomial(sp.Matrix(numbers), sp.Float(0.37)))
    assert abs(at - BPoly([[c] for c in numbers], [0, 1])(0.37)) < 1e-14


def test_rows_give_acceleration_and_squared_speed() -> None:
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
