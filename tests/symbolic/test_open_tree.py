"""The formulas of one joint: its twist is its derivative, and a free joint moves along a body twist."""

import numpy as np
import pytest
import sympy as sp
from at_points import vanishes

from lessons_lib.symbolic import open_tree, quaternion, se3, so3
from lessons_lib.symbolic.open_chain import joint_exp

q, r = sp.symbols("q r", real=True)
OBLIQUE = joint_exp(sp.Matrix([sp.Rational(1, 3), sp.Rational(2, 3), sp.Rational(-2, 3), 1, 2, 3]), sp.Rational(3, 5))
"""A pose that is exactly one: a screw about a rational unit axis."""


@pytest.mark.parametrize("screw", [open_tree.REVOLUTE, open_tree.PRISMATIC])
def test_the_twist_of_a_joint_is_the_derivative_of_its_pose(screw: sp.Matrix) -> None:
    rate = sp.Symbol("rate", real=True)  # of the leader: the coordinate is ratio · rate
    T, twist = open_tree.joint_step(OBLIQUE, screw, r * rate, r)
    assert vanishes(T.diff(rate) - se3.hat(twist) * T)


def test_transport_and_its_inverse_are_adjoints() -> None:
    xi = sp.Matrix(sp.symbols("x0:6", real=True))
    assert vanishes(open_tree.transport(OBLIQUE, xi) - se3.adjoint(OBLIQUE) * xi)
    assert vanishes(open_tree.into_frame(OBLIQUE, xi) - se3.adjoint(se3.inverse(OBLIQUE)) * xi)


def test_twists_of_a_free_joint_are_its_axes() -> None:
    turn = sp.Matrix([1, -2, 3, 4])
    at = sp.Matrix([1, 2, 3]).col_join(turn)
    T, columns = open_tree.free_step(OBLIQUE, at)
    assert vanishes(T - OBLIQUE * open_tree.free_pose(at))
    for k in range(6):
        unit = sp.eye(6)[:, k]
        assert vanishes(se3.hat(columns[:, k]) * T - T * se3.hat(unit))


@pytest.mark.parametrize("moment", [sp.Rational(1, 10**9), sp.Rational(1, 10**3), sp.Integer(1), sp.Integer(3)])
def test_a_free_joint_steps_along_a_body_twist(moment: sp.Rational) -> None:
    xi = moment * sp.Matrix([sp.Rational(2, 7), sp.Rational(3, 7), sp.Rational(-6, 7), 1, -2, 3])
    start = sp.Matrix([1, 2, 3, sp.Rational(1, 2), sp.Rational(-1, 2), sp.Rational(1, 2), sp.Rational(1, 2)])
    reached = open_tree.free_pose(open_tree.free_integral(start, xi).evalf(40))
    difference = reached - (open_tree.free_pose(start) * se3.exp(xi)).evalf(40)
    assert max(abs(entry) for entry in difference) < 1e-25  # of the 40 digits of numbers below 20


def test_centre_of_mass_velocity_is_the_average_of_its_points() -> None:
    masses, points = (2, 3, 5), [sp.Matrix(p) for p in ([1, 0, 0], [0, 2, 1], [-1, 1, 4])]
    turned = sp.Matrix(
        3, 1, lambda i, _: sum((m * p[i] for m, p in zip(masses[:2], points[:2], strict=True)), sp.S.Zero)
    )
    twist = sp.Matrix(sp.symbols("s0:6", real=True))
    omega, v = se3.split(twist)
    speed = sum((m * (v + so3.hat(omega) * p) for m, p in zip(masses[:2], points[:2], strict=True)), sp.zeros(3, 1))
    assert vanishes(open_tree.centre_column(twist, sp.Integer(5), turned, sp.Integer(10)) - speed / 10)


class TestQuaternions:
    a, b = sp.Matrix(sp.symbols("a0:4", real=True)), sp.Matrix(sp.symbols("b0:4", real=True))

    def test_a_product_is_the_product_of_the_rotations(self) -> None:
        R_a, R_b = quaternion.rotation(self.a), quaternion.rotation(self.b)
        together = quaternion.rotation(quaternion.product(self.a, self.b))
        assert vanishes(together - R_a * R_b)

    def test_a_quaternion_of_any_length_is_a_rotation(self) -> None:
        R = quaternion.rotation(self.a)
        assert vanishes(R.T * R - sp.eye(3))
        assert vanishes(sp.Matrix([R.det(method="berkowitz") - 1]))
        assert vanishes(quaternion.rotation(-3 * self.a) - R)

    def test_normalize_keeps_the_direction(self) -> None:
        unit = quaternion.normalize(self.a)
        assert vanishes(unit.T * unit - sp.eye(1))
        assert vanishes(unit * self.a.norm() - self.a)

    @pytest.mark.parametrize("angle", [0, 1e-12, 1e-6, 1.0, np.pi - 1e-9, np.pi, 5.0, 2 * np.pi])
    def test_quaternion_exponential_is_that_of_the_rotation(self, angle: float) -> None:
        omega = sp.Float(angle, 40) * sp.Matrix([sp.Rational(2, 7), sp.Rational(3, 7), sp.Rational(-6, 7)])
        turn = quaternion.exp(omega).evalf(40)
        assert abs((turn.T * turn)[0] - 1) < 1e-35
        difference = (quaternion.rotation(turn) - so3.exp(omega)).evalf(40)
        assert max(abs(entry) for entry in difference) < 1e-30  # of the 40 digits worked with


def test_moment_of_a_body() -> None:
    m, c, T = (
        sp.Integer(3),
        sp.Matrix([2, -2, 5]),
        se3.pose(sp.Matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), sp.ones(3, 1)),
    )
    assert open_tree.moment(T, sp.Matrix([m]).col_join(m * c)) == sp.Matrix([3, 9, 9, 18])  # m and m (R c + p)
