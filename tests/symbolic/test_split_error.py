"""The split error and its slope, against mpmath's logarithm after a small motion of the body."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.claims import is_zero
from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.split_error import split_error, split_slope
from lessons_lib.symbolic.stumpff_functions import stumpff_value

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
