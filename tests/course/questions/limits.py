import math

import numpy as np
from independent_kinematics import tip_jacobian
from lesson_questions import Truth

from lessons_lib import robots


def predict_clip() -> Truth:
    J = tip_jacobian(robots.planar_2r(), np.radians([130, 30]))
    asked = np.array([1.0, 0.0])
    moved = J @ np.clip(np.linalg.solve(J, asked), -2, 2)
    along = abs(np.linalg.det([asked, moved])) < 1e-9
    return [along, not along, bool(np.all(np.abs(moved) <= np.abs(asked)))]


def predict_sign() -> Truth:
    H, x_0, g = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0.3, -0.2]), np.array([1.0, 1.0])
    bound = g @ x_0 + 0.4  # kept with room
    mu = (g @ x_0 - bound) / (g @ np.linalg.solve(H, g))
    on_edge = x_0 - mu * np.linalg.solve(H, g)
    assert math.isclose(g @ on_edge, bound)
    return [bool(mu > 0), bool(mu < 0), bool(mu == 0)]


def predict_worth() -> Truth:
    def least(bound: float) -> float:  # of ½(x − 3)² with x ≤ bound: at 0 the multiplier is 3
        return (bound - 3) ** 2 / 2

    return [(least(0) - least(1e-6)) / 1e-6 * 0.01, 3 * 0.01 / 2, 3]


def predict_barrier() -> Truth:
    part = 150 * 0.01
    return [10 * (1 - part), 10 * math.exp(-part), 10 * (1 - 1)]
