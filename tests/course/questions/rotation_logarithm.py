import math

import numpy as np
from independent_kinematics import RNG, Matrix, hat, nearest_choice
from lesson_questions import Truth
from scipy.linalg import expm
from scipy.spatial.transform import Rotation


def predict_digits() -> Truth:
    axes = RNG.normal(size=(100, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)

    def worst(gap: float) -> float:
        R = Rotation.from_rotvec((np.pi - gap) * axes).as_matrix()
        theta = np.arccos((np.trace(R, axis1=1, axis2=2) - 1) / 2)
        skew = (theta / (2 * np.sin(theta)))[:, None, None] * (R - R.transpose(0, 2, 1))
        logs = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
        return float(np.abs(Rotation.from_rotvec(logs).as_matrix() - R).max())

    lost = math.log10(worst(1e-4) / worst(1e-2)) / 2  # digits a factor of ten
    return nearest_choice(10**lost, 1, 10, 100)


def predict_sum() -> Truth:
    def holds(a: Matrix, b: Matrix) -> bool:
        return np.allclose(expm(hat(a)) @ expm(hat(b)), expm(hat(a + b)))

    a, b = RNG.normal(size=(2, 3))
    return [holds(a, b), holds(a, 0.7 * a), holds(a, np.cross(a, b))]


def predict_opposite() -> Truth:
    a = RNG.normal(size=3)
    a /= np.linalg.norm(a)
    same = np.allclose(expm(hat(np.pi * a)), expm(hat(-np.pi * a)))
    return [same, not same, not same]


def predict_past() -> Truth:
    turned = Rotation.from_rotvec([0, 0, 200], degrees=True)
    return [np.degrees(np.linalg.norm(turned.as_rotvec())), 200, 200 - 180]
