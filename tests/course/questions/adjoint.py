import math

import numpy as np
from independent_kinematics import RNG, Matrix, Z, adjoint, any_pose
from lesson_questions import Truth


def predict_axes() -> Truth:
    T, V_b = any_pose(), RNG.normal(size=6)
    V_c = adjoint(np.linalg.inv(T)) @ V_b
    omega, v = (np.allclose(V_c[half], T[:3, :3].T @ V_b[half]) for half in (slice(3), slice(3, 6)))
    return [omega and not v, v and not omega, omega and v, not omega and not v]


def predict_nose() -> Truth:
    return [np.cross(0.5 * Z, [2.7, 0, 0])[1], 0, 2.7 * np.degrees(0.5)]


def predict_dominoes() -> Truth:
    T_sb, T_bc = any_pose(), any_pose()
    right = adjoint(T_sb @ T_bc)
    tried = adjoint(T_sb) @ adjoint(T_bc), adjoint(T_bc) @ adjoint(T_sb), adjoint(np.linalg.inv(T_sb @ T_bc))
    return [np.allclose(way, right) for way in tried]


def predict_agree() -> Truth:
    def numbers(V: Matrix) -> tuple[float, ...]:
        omega, v = V[:3], V[3:]
        return np.linalg.norm(omega), np.linalg.norm(v), omega @ v / (omega @ omega), np.linalg.norm(V)

    V = RNG.normal(size=6)
    return [math.isclose(a, b) for a, b in zip(numbers(V), numbers(adjoint(any_pose()) @ V), strict=True)]
