import math

import numpy as np
from independent_kinematics import Matrix, at, tip_jacobian
from lesson_questions import Places, Truth

from lessons_lib import robots
from lessons_lib.robots import UR10_DH

UR10 = robots.ur10()


def steps_inward(bend: float) -> float:
    """Length of Newton's step for 1 mm towards joint 1."""
    q = np.radians([0, bend])
    arm = robots.planar_2r()
    tip = at(arm, q).T[:2, 3]
    return float(np.linalg.norm(np.linalg.solve(tip_jacobian(arm, q), -0.001 * tip / np.linalg.norm(tip))))


def predict_factor() -> Truth:
    factor = steps_inward(0.1) / steps_inward(1)
    return [factor, 1, factor**2]


def predict_millimetre() -> Truth:
    return [0.001 / 0.02, 0.001 * 0.02, 1 / 0.02]


def axes_of_the_2r(q_1: float, q_2: float) -> Matrix:
    return np.linalg.svd(tip_jacobian(robots.planar_2r(), np.radians([q_1, q_2])), compute_uv=False)


def predict_area() -> Truth:
    thin, round_ = axes_of_the_2r(0, 60), axes_of_the_2r(0, 120)
    assert math.isclose(thin.prod(), round_.prod()) and thin[0] > round_[0] > round_[1] > thin[1]
    return [np.allclose(thin, round_), not np.allclose(thin, round_), not np.allclose(thin, axes_of_the_2r(50, 60))]


def predict_units() -> Truth:
    J, to_mm = at(robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).J_b, np.diag([1, 1, 1, 1e3, 1e3, 1e3])
    singular = J.copy()
    singular[:, 5] = J[:, 4]

    def measures(J: Matrix, singular: Matrix) -> list[Matrix]:
        values, least = np.linalg.svd(J, compute_uv=False), np.linalg.matrix_rank(singular)
        return [values, least, np.linalg.det(J), np.linalg.cond(J[:3])]

    pairs = zip(measures(J, singular), measures(to_mm @ J, to_mm @ singular), strict=True)
    return [not np.allclose(in_m, in_mm) for in_m, in_mm in pairs]


def predict_lost() -> Places:
    start = np.array([0.0, -70, 90, -60, 70, 0])
    links = np.abs(UR10_DH[1][0] * UR10_DH[2][0])  # m²
    regular = robots.singular_values(UR10.body_jacobian(np.radians(start)))[-1]
    for joint, angle in [(joint, angle) for joint in range(6) for angle in range(-180, 181, 4)]:
        q = start.copy()
        q[joint] = angle
        if angle == start[joint]:
            continue  # nothing was moved
        J_b = UR10.body_jacobian(np.radians(q))
        elbow, wrist = np.abs(np.sin(np.radians(q[[2, 4]])))
        factors = {"joint 5": wrist / 0.03, "joint 3": elbow / 0.03}
        if min(factors.values()) > 1.0:  # by claim 9.7 the determinant has one more factor
            factors["joint 2 or 3"] = np.abs(np.linalg.det(J_b)) / (links * elbow * wrist) / 0.02
        words = next((name for name, part in factors.items() if part <= 1.0), "anywhere else")
        least = robots.singular_values(J_b)[-1] / regular
        assert least > 0.02 if words == "anywhere else" else least < 0.03, f"{q}: {words}, {least:.3f} of what it was"
        if joint in (0, 5):
            assert np.isclose(least, 1.0)
            words = "joint 1 or joint 6"
        yield {f"q{i}": float(entry) for i, entry in enumerate(q, 1)}, words
