import math

import numpy as np
from independent_kinematics import RNG, Matrix, nearest_choice
from lesson_questions import Places, Truth

from lessons_lib import robots


def predict_grid() -> Truth:
    return nearest_choice(360**6 / 1e8, 22e-6, 17 * 3600, 252 * 86400)


def predict_quadrant() -> Truth:
    def wrong(x: float, y: float) -> bool:
        return not math.isclose(math.atan(y / x), math.atan2(y, x))

    return [wrong(1, -1), wrong(-1, 1) and wrong(-1, -1), not wrong(-1, 1)]


def predict_hole() -> Truth:
    def reach(q_2: float | Matrix, length: float = 0.6) -> Matrix:
        return np.hypot(1 + length * np.cos(q_2), length * np.sin(q_2))

    elbows = np.linspace(0, np.pi, 1001)
    return [reach(elbows).min(), reach(elbows, 1.0).min(), reach(elbows).max(), reach(np.pi / 2)]


def predict_folded() -> Places:
    def postures(distance: float) -> np.ndarray:
        return robots.planar_2r_solutions((distance, 0.0), 1.0, 0.6)

    for distance, way in zip(RNG.uniform(0.0, 2.2, 400), RNG.uniform(-np.pi, np.pi, 400), strict=True):
        near, far = (postures(max(distance + off, 0.0)) for off in (-0.02, 0.02))
        if len(near) != len(far):
            stretched = np.abs(np.concatenate([near, far])[0, 1]) < np.pi / 2
            words = "on the outer edge" if stretched else "anywhere on the inner edge"
        elif len(far):
            words = "between the edges"
        else:
            words = "in the hole" if len(postures(1.0)) and distance < 1.0 else "outside the ring"
        yield {"x": distance * np.cos(way), "y": distance * np.sin(way)}, words
