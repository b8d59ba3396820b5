"""Quaternions of free joints, in symbols: their rotations, products and exponentials."""

import numpy as np
import pytest
import sympy as sp
from at_points import vanishes

from lessons_lib.symbolic import quaternion, so3


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

    def test_normalising_keeps_the_direction(self) -> None:
        unit = quaternion.normalised(self.a)
        assert vanishes(unit.T * unit - sp.eye(1))
        assert vanishes(unit * self.a.norm() - self.a)

    @pytest.mark.parametrize("angle", [0, 1e-12, 1e-6, 1.0, np.pi - 1e-9, np.pi, 5.0, 2 * np.pi])
    def test_its_exponential_is_the_rotations(self, angle: float) -> None:
        omega = sp.Float(angle, 40) * sp.Matrix([sp.Rational(2, 7), sp.Rational(3, 7), sp.Rational(-6, 7)])
        turn = quaternion.exp(omega).evalf(40)
        assert abs((turn.T * turn)[0] - 1) < 1e-35
        difference = (quaternion.rotation(turn) - so3.exp(omega)).evalf(40)
        assert max(abs(entry) for entry in difference) < 1e-30  # of the 40 digits worked with
