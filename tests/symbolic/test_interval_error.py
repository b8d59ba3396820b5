"""Split error, distance to a box and derivatives of J_l⁻¹(ω)ᵀu against mpmath and SymPy."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.claims import is_zero
from lessons_lib.symbolic import error_hessian, se3, so3
from lessons_lib.symbolic.interval_error import interval_error, interval_slope, nearest_in_box
from lessons_lib.symbolic.split_error import split_error, split_slope
from lessons_lib.symbolic.stumpff_functions import stumpff_value

x, low, width, y = sp.Symbol("x", real=True), sp.Symbol("low", real=True), *sp.symbols("width y", nonnegative=True)
HIGH = low + width
SIDES = {"below": low - y, "inside": low + width * y / (1 + y), "above": HIGH + y}
"""Every number, with y ≥ 0: below the interval, in it, above it."""


def one(formula, value):
    """Return the value of a formula for a vector of one component."""
    (entry,) = formula(sp.Matrix([value]), sp.Matrix([low]), sp.Matrix([HIGH]))
    return entry


def cases(expression: sp.Expr) -> dict[str, sp.Expr]:
    """Return an expression in x below, inside and above the interval, with conditions decided for y > 0."""
    inner = {"y": sp.Symbol("y", positive=True), "width": sp.Symbol("width", positive=True)}
    found = {}
    for side, value in SIDES.items():
        value = value.subs({y: inner["y"], width: inner["width"]})
        found[side] = sp.simplify(
            expression.subs({width: inner["width"], x: value}).replace(
                lambda part: isinstance(part, sp.core.relational.Relational),
                lambda part: sp.true if sp.simplify(part.gts - part.lts).is_positive else sp.false,
            )
        ).subs({inner["y"]: y, inner["width"]: width})
    return found


def test_no_point_of_the_interval_is_nearer() -> None:
    """The nearest point c to e has (e − c)(z − c) ≤ 0 for every z of the convex set."""
    share = sp.Symbol("s", nonnegative=True)
    z = low + width * share / (1 + share)  # every point of the interval but its upper end, which is a limit
    for side, nearest in cases(one(nearest_in_box, x)).items():
        product = sp.factor(sp.simplify((SIDES[side] - nearest) * (z - nearest)))
        assert product.is_nonpositive, side


def test_the_error_is_the_gradient_of_half_the_squared_distance() -> None:
    error, slope = cases(one(interval_error, x)), cases(one(interval_slope, x))
    assert error == {"below": -y, "inside": 0, "above": y}
    assert slope == {"below": 1, "inside": 0, "above": 1}
    for side, value in SIDES.items():
        way = sp.diff(value, y)
        assert sp.simplify(sp.diff(error[side], y) - slope[side] * way) == 0
        assert sp.simplify(sp.diff(error[side] ** 2 / 2, y) - error[side] * way) == 0


def test_pullback_slope_and_curvature_are_derivatives() -> None:
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


def test_inverse_orders_are_the_taylor_coefficients_of_the_inverse() -> None:
    """b(x) = 1/x − cot(√x/2)/(2√x), by its series at x = 1/3."""
    x = sp.Symbol("x", positive=True)
    b = 1 / x - sp.cot(sp.sqrt(x) / 2) / (2 * sp.sqrt(x))
    for order, ours in enumerate(error_hessian.inverse_orders(sp.Rational(1, 3))):
        theirs = b.diff(x, order).subs(x, sp.Rational(1, 3)) / sp.factorial(order)
        assert abs(sp.N(theirs - ours, 30)) < 1e-25


omega = sp.Matrix(sp.symbols("omega0:3", real=True))
r = sp.Matrix(sp.symbols("r0:3", real=True))
E = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"E{i}{j}", real=True))
A = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"A{i}{j}", real=True))
T_bd = se3.pose(E, r)
STEP = mpmath.mpf(10) ** -12


def number(matrix: sp.Matrix, *places: tuple[sp.Matrix, mpmath.matrix]) -> mpmath.matrix:
    """Evaluate a matrix of formulas."""
    pairs = [pair for symbols, values in places for pair in zip(symbols, values, strict=True)]
    function = sp.lambdify([[symbol for symbol, _ in pairs]], matrix, [{"stumpff": stumpff_value}, "mpmath"])
    return mpmath.matrix(function([value for _, value in pairs]))


def rotation(vector: list[float]) -> mpmath.matrix:
    x, y, z = vector
    return mpmath.expm(mpmath.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]]))


def log(R: mpmath.matrix) -> mpmath.matrix:
    """Return the rotation vector of a rotation below π, by mpmath."""
    X = mpmath.logm(R)
    return mpmath.matrix([mpmath.re(X[2, 1]), mpmath.re(X[0, 2]), mpmath.re(X[1, 0])])


@pytest.mark.parametrize("axes", ["body", "space", "target"])
@pytest.mark.parametrize("angle", [1e-3, 0.5, 2.0, 3.0])
def test_the_slope_is_the_derivative(axes: str, angle: float) -> None:
    rng = np.random.default_rng(41)
    with mpmath.workdps(40):
        w = rng.normal(size=3)
        turned, way, motion = rotation(list(angle * w / np.linalg.norm(w))), rng.normal(size=3), rng.normal(size=6)
        R_d = rotation(list(rng.normal(size=3)))
        chosen = {"body": None, "space": A, "target": sp.eye(3)}[axes]
        twist = mpmath.zeros(4, 4)
        twist[:3, :3] = mpmath.matrix(np.cross(np.eye(3), motion[:3]).tolist())
        twist[:3, 3] = mpmath.matrix(motion[3:].tolist())
        here = mpmath.eye(4)
        here[:3, :3], here[:3, 3] = turned, mpmath.matrix(way.tolist())

        def error_after(matrix: sp.Matrix, s: mpmath.mpf) -> mpmath.matrix:
            """Return a formula's value after the body has moved by exp(s ξ): T_bd becomes exp(−s ξ) T_bd."""
            T = mpmath.expm(-s * twist) * here
            return number(matrix, (omega, log(T[:3, :3])), (E, T[:3, :3]), (r, T[:3, 3]), (A, R_d))

        formula = split_error(omega, T_bd, chosen)
        slope = error_after(split_slope(omega, T_bd, chosen), mpmath.mpf(0))
        rate = (error_after(formula, STEP) - error_after(formula, -STEP)) / (2 * STEP)  # error of order STEP² = 1e-24
        assert mpmath.norm(rate + slope * mpmath.matrix(motion.tolist())) < mpmath.mpf(10) ** -15


def test_rotation_vector_has_the_same_components_in_body_and_target() -> None:
    """E ω = ω, so only {s} needs other components of ω, and R ω = R_d ω there."""
    assert all(is_zero(entry) for entry in so3.exp(omega) * omega - omega)
