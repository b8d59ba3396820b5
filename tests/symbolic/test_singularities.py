"""Factored determinants against modern_robotics, and link Jacobians against the chain's Jacobians."""

from functools import cache

import modern_robotics as mr
import numpy as np
import pytest
import sympy as sp

from lessons_lib import lie, robots
from lessons_lib.claims import is_zero
from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import singularities

Q = sp.symbols("q_1:7", real=True)
UR10 = sp.Matrix(robots.ur10().screws).applyfunc(sp.nsimplify)

# a prismatic joint among revolute ones, and no parallel axes, which could hide errors
ODD = sp.Matrix(
    [
        [0, 0, 1, 0, 0, 0],
        [0, 1, 0, -2, 0, 1],
        [0, 0, 0, 1, 0, 0],
        [sp.Rational(3, 5), 0, sp.Rational(4, 5), 0, 1, 0],
        [0, 1, 0, -1, 0, 3],
        [1, 0, 0, 0, 2, -1],
    ]
).T


@cache
def determinant(name):
    return singularities.determinant({"UR10": UR10, "odd": ODD}[name], Q)


def numbers(matrix):
    return np.array(matrix, dtype=float)


@pytest.mark.parametrize(("screws", "link"), [(UR10, 3), (ODD, 3), *((ODD[:, :4], link) for link in (0, 2, 4))])
def test_link_jacobian_is_the_space_jacobian_in_its_frame(screws, link):
    seen = sp.lambdify([Q[: screws.cols]], singularities.link_jacobian(screws, link, Q[: screws.cols]))
    S = numbers(screws)
    rng = np.random.default_rng(9)
    for q in rng.uniform(-3, 3, (5, screws.cols)):
        P = np.eye(4)
        for screw, angle in zip(S.T[:link], q[:link], strict=True):
            P = P @ mr.MatrixExp6(mr.VecTose3(screw * angle))
        expected = lie.adjoint(lie.inverse(P)) @ mr.JacobianSpace(S, q)
        assert np.abs(seen(q) - expected).max() < 1e-12  # a dozen products of numbers below 10


@pytest.mark.parametrize(("name", "screws"), [("UR10", UR10), pytest.param("odd", ODD, marks=pytest.mark.release)])
def test_determinant_equals_that_of_modern_robotics(name, screws):
    det = sp.lambdify([Q], determinant(name))
    for q in np.random.default_rng(9).uniform(-3, 3, (50, 6)):
        expected = np.linalg.det(mr.JacobianSpace(numbers(screws), q))
        assert det(q) == pytest.approx(expected, abs=1e-11)  # six factors up to 10, each right to 1e-16


def test_the_ur10_has_three_factors():
    det = determinant("UR10")
    angles = {factor.args[0] for factor in det.args if isinstance(factor, sp.sin)}
    assert angles == {Q[2], Q[4]}
    (shoulder,) = (factor for factor in det.args if isinstance(factor, sp.Add))
    assert shoulder.free_symbols == {Q[1], Q[2], Q[3]}
    assert shoulder.atoms(sp.sin, sp.cos) == {sp.cos(Q[1]), sp.cos(Q[1] + Q[2]), sp.sin(Q[1] + Q[2] + Q[3])}


def test_powers_and_zero():
    s = sp.sin(Q[0])
    assert singularities.factored_determinant(sp.diag(s, s * sp.cos(Q[1]))) == s**2 * sp.cos(Q[1])
    assert singularities.factored_determinant(sp.Matrix([[s, s], [1, 1]])) == 0
    assert singularities.factored_determinant(sp.Matrix([[sp.cos(Q[0]), -s], [s, sp.cos(Q[0])]])) == 1


def test_fold_uses_sums_of_angles_only_if_shorter():
    c_2, s_2, c_3, s_3 = sp.cos(Q[1]), sp.sin(Q[1]), sp.cos(Q[2]), sp.sin(Q[2])
    assert singularities.fold(c_2 * c_3 - s_2 * s_3) == sp.cos(Q[1] + Q[2])
    assert singularities.fold(s_2 * c_3) == s_2 * c_3
    assert singularities.fold(s_2**2 + c_2**2) == 1
    assert singularities.fold(1 - c_2**2) == s_2**2
    assert singularities.fold(1 - s_2**2) == c_2**2
    length = sp.Symbol("L")
    assert singularities.fold(length * 3) == 3 * length
    mixed = length * sp.sin(Q[1] - Q[2]) * c_3 + s_3**2
    assert is_zero(singularities.fold(mixed) - mixed)


REFUSED = [
    (lambda: singularities.determinant(ODD[:, :1]), "J must be square, got 6×1"),
    (lambda: singularities.link_jacobian(UR10, 7), r"link must be from 0 \(the base\) to 6 \(the hand\), got 7"),
    (lambda: singularities.link_jacobian(UR10, -1), "got -1"),
    (lambda: singularities.link_jacobian(UR10, 3, Q[:2]), "6 screws need 6 joint symbols, got 2"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_invalid_arguments_are_refused(call, words):
    with pytest.raises(ParameterError, match=words):
        call()
