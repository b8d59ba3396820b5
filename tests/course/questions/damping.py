import math

import numpy as np
from independent_kinematics import at, damped_step, nearest_choice
from lesson_questions import Truth

from lessons_lib import robots


def predict_division() -> Truth:
    return [0.2 / 0.01, 0.2 * 0.01, 0.2 / 1]


def predict_worst() -> Truth:
    sigma = np.geomspace(1e-4, 10, 10_001)
    worst = sigma[np.argmax(sigma / (sigma**2 + 0.1**2))]
    return nearest_choice(worst, sigma[0], 0.1, sigma[-1])


def predict_left() -> Truth:
    sigma, lam = 0.2, 0.1
    left = 1 - sigma * damped_step(np.array([[sigma]]), np.ones(1), np.eye(1), lam**2)[0]
    return [left, 0, 1 - left, lam / (sigma + lam)]


def predict_units() -> Truth:
    J, to_mm = at(robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).J_b, np.diag([1, 1, 1, 1e3, 1e3, 1e3])
    before, after = (np.linalg.svd(scaled @ J, compute_uv=False) for scaled in (np.eye(6), to_mm))
    left = [1 / 64 / (sigmas**2 + 1 / 64) for sigmas in (before, after)]  # what the damping keeps of each part
    return [np.allclose(*left), bool(np.all(left[1] <= left[0] + 1e-12)), bool(np.any(left[1] > left[0] + 1e-12))]


def predict_reach() -> Truth:
    def rests(lam: float, length: float = 1.0, beyond: float = 3.0) -> bool:
        angle = 0.5  # of claim 10.6
        for _ in range(2000):
            last, gain = angle, length / (length**2 + lam**2)
            angle -= gain * (length + beyond) * math.sin(angle)
        return math.isclose(angle, last, abs_tol=1e-6)

    return [rests(0.125), not rests(0.125) and rests(2.0), not rests(2.0)]
