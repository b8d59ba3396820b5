"""Unit quaternions (x, y, z, w), in which a floating base stores its rotation."""
# A rotation by θ about the unit axis a is (sin(θ/2) a, cos(θ/2)), and so is its negative. Source: Lynch & Park, Modern
# Robotics (2017), App. B.3 (there with the real part first).

import sympy as sp

from lessons_lib.symbolic import so3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.stumpff_functions import stumpff


@formula
def exp(omega: sp.Matrix) -> sp.Matrix:
    """Return the quaternion of exp [ω], (c₁(x/4)/2 · ω, c₀(x/4)) with x = θ²."""
    quarter = so3.squared_angle(omega) / 4
    return (stumpff(1, quarter) / 2 * omega).col_join(sp.Matrix([stumpff(0, quarter)]))


@formula
def product(a: sp.Matrix, b: sp.Matrix) -> sp.Matrix:
    """Return a b, the quaternion of R_a R_b: (w_a v_b + w_b v_a + v_a × v_b, w_a w_b − v_a·v_b)."""
    v_a, w_a, v_b, w_b = sp.Matrix(a[:3]), a[3], sp.Matrix(b[:3]), b[3]
    return (w_a * v_b + w_b * v_a + so3.hat(v_a) * v_b).col_join(sp.Matrix([w_a * w_b - (v_a.T * v_b)[0]]))


@formula
def rotation(quaternion: sp.Matrix) -> sp.Matrix:
    """Return R = I + s (w [v] + [v]²), s = 2/(v·v + w²), the rotation of a quaternion of any nonzero length."""
    v, w = sp.Matrix(quaternion[:3]), quaternion[3]
    scale = 2 / (so3.squared_angle(v) + w**2)
    return sp.eye(3) + scale * (w * so3.hat(v) + so3.hat(v) ** 2)


@formula
def normalize(quaternion: sp.Matrix) -> sp.Matrix:
    return quaternion / sp.sqrt(sum(entry**2 for entry in quaternion))
