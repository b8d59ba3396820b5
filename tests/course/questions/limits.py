import math

import numpy as np
from independent_kinematics import tip_jacobian
from lesson_questions import Truth

from lessons_lib import robots


def predict_clip() -> Truth:
    J = tip_jacobian(robots.planar_2r(), np.radians([130, 30]))
    solved = np.linalg.solve(J, [1.0, 0.0])
    clipped = np.clip(solved, -2, 2)
    assert clipped[0] == solved[0] and clipped[1] != solved[1] and J[1] @ clipped > 0
    rises = J[1] * solved  # of the tip, by each joint
    assert abs(rises.sum()) < 1e-12
    return [rises[1] > 0, rises[0] > 0 > rises[1], bool(np.any(np.abs(clipped) > np.abs(solved)))]


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
