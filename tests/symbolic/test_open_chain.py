"""Open chains in symbols: Jacobians against the derivative of T(q), poses against the textbook and mpmath."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from at_points import point, value
from scipy.linalg import expm

from lessons_lib.symbolic import open_chain, se3
from lessons_lib.symbolic.open_chain import OpenChain

length_1, length_2, length_3, height = sp.symbols("L1 L2 L3 h", positive=True)


def screw(*entries: object) -> sp.Matrix:
    return sp.Matrix(entries)


def chain(screws: list[sp.Matrix], *tip: sp.Expr) -> OpenChain:
    return open_chain.derive(sp.Matrix.hstack(*screws), se3.pose(sp.eye(3), sp.Matrix(tip)))


CHAINS = {
    "2R": chain([screw(0, 0, 1, 0, 0, 0), screw(0, 0, 1, 0, -length_1, 0)], length_1 + length_2, 0, 0),
    "PR": chain([screw(0, 0, 0, 0, 0, 1), screw(0, 1, 0, -height, 0, 0)], length_1, 0, height),
    "3R in space": chain(
        [screw(0, 0, 1, 0, 0, 0), screw(0, -1, 0, height, 0, 0), screw(0, -1, 0, height, 0, -length_1)],
        length_1 + length_2,
        0,
        height,
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_the_columns_are_the_derivative_of_the_pose(name: str) -> None:
    derived, step = CHAINS[name], sp.Rational(1, 10**12)
    here = point([*derived.q, length_1, length_2, length_3, height])
    T, J_s, J_b = (value(derived, matrix, here) for matrix in (derived.T, derived.J_s, derived.J_b))
    for i, q_i in enumerate(derived.q):
        ahead, back = (value(derived, derived.T, {**here, q_i: here[q_i] + sign * step}) for sign in (1, -1))
        with mpmath.workdps(40):
            rate = (ahead - back) / (2 * mpmath.mpf(1) / 10**12)  # error of order step² = 1e-24
            for found, jacobian in ((rate * T**-1, J_s), (T**-1 * rate, J_b)):
                expected = mpmath.matrix(se3.hat(sp.Matrix(jacobian[:, i].tolist())).tolist())
                assert mpmath.mnorm(found - expected, mpmath.inf) < 1e-20, f"column {i}"


@pytest.mark.parametrize(
    "axis",
    [
        (0, 0, 1, 0, 0, 0),
        (0, 0, 0, 0, sp.Rational(3, 5), sp.Rational(4, 5)),
        (sp.Rational(2, 3), sp.Rational(1, 3), sp.Rational(2, 3), 1, -2, 0),  # ω·v = 0: revolute
        (sp.Rational(2, 3), sp.Rational(1, 3), sp.Rational(2, 3), 1, 2, 3),  # ω·v ≠ 0: helical
    ],
)
@pytest.mark.parametrize("angle", [0, sp.Rational(1, 10**9), sp.Rational(-5, 4), 9])
def test_a_joint_moves_by_the_exponential_of_its_screw(axis: tuple[sp.Expr, ...], angle: sp.Expr) -> None:
    moved = open_chain.joint_exp(screw(*axis), sp.sympify(angle))
    with mpmath.workdps(40):
        generator = se3.hat(screw(*axis)) * angle
        expected = mpmath.expm(mpmath.matrix(generator.evalf(40).tolist()))
        assert mpmath.mnorm(mpmath.matrix(moved.evalf(40).tolist()) - expected) < mpmath.mpf(10) ** -36


@pytest.mark.parametrize(
    "axis", [(0, 0, 1, 0, 0, 0), (0, 0, 0, 0.6, 0, 0.8), (0, 0, 0, -1, 0, 0), (0.6, 0, 0.8, 0, 2, 1)]
)
def test_screws_of_doubles_with_zeros(axis: tuple[float, ...]) -> None:
    doubles = screw(*map(sp.Float, axis))
    assert doubles[0] != 0 or axis[0], "0.0 is no Integer"
    q = sp.Rational(-5, 4)
    expected = expm(np.array(se3.hat(doubles).tolist(), dtype=float) * float(q))
    for home in (sp.eye(4), sp.eye(4).evalf()):
        derived = open_chain.derive(doubles, home, (q,))
        found = np.array(derived.expand(derived.T).tolist(), dtype=float)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
