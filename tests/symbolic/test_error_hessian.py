"""The derivatives of J_l⁻¹(ω)ᵀu equal SymPy's exactly."""

import sympy as sp

from lessons_lib.symbolic import error_hessian, so3


def test_pullback_slope_and_curvature_are_derivatives():
    """Both sides are polynomials in ω, v, u and the Taylor coefficients of b, compared at rational numbers."""
    omega, u = sp.Matrix(sp.symbols("w0:3")), sp.Matrix([3, -2, 5]) / 7
    v, b, x0 = sp.Matrix([-1, 4, 2]) / 3, sp.Matrix([sp.Rational(1, 12), -3, sp.Rational(7, 5)]), sp.Rational(21, 16)
    here = dict(zip(omega, sp.Matrix([1, -4, 2]) / 4, strict=True))  # so |ω|² is x0
    beyond = so3.squared_angle(omega) - x0
    a, series = so3.inverse_factors(sp.Symbol("x"))[0], b[0] + b[1] * beyond + b[2] * beyond**2
    pulled = (sp.eye(3) + a * so3.hat(omega) + series * so3.hat(omega) ** 2).T * u
    slope = pulled.jacobian(omega)
    at = omega.subs(here)
    assert slope.subs(here) == error_hessian.pullback_slope(at, u, b)
    assert (slope * v).jacobian(omega).subs(here) == error_hessian.pullback_curvature(at, u, v, b)


def test_inverse_orders_are_the_taylor_coefficients_of_the_inverse():
    """b(x) = 1/x − cot(√x/2)/(2√x), by its series at x = 1/3."""
    x = sp.Symbol("x", positive=True)
    b = 1 / x - sp.cot(sp.sqrt(x) / 2) / (2 * sp.sqrt(x))
    for order, ours in enumerate(error_hessian.inverse_orders(sp.Rational(1, 3))):
        theirs = b.diff(x, order).subs(x, sp.Rational(1, 3)) / sp.factorial(order)
        assert abs(sp.N(theirs - ours, 30)) < 1e-25
