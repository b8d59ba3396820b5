"""The explanation of an unreachable pose agrees with SciPy and with a closed form."""

import re
from itertools import product

import numpy as np
from scipy.optimize import minimize

from lessons_lib import pose_ik, robots
from lessons_lib.robots import UR10_DH

UR10 = robots.ur10()


def nearest_tip(point: np.ndarray) -> np.ndarray:
    """Nearest position of the tip to a point, m, by SciPy's minimization over the joints within their limits."""

    def square(q: np.ndarray) -> float:
        return 1e3 * float(np.sum((UR10.forward_kinematics(q)[:3, 3] - point) ** 2))

    rng = np.random.default_rng(12)
    begins = rng.uniform(-np.pi, np.pi, (5, 6))
    ends = [minimize(square, q, bounds=UR10.limits, options={"ftol": 1e-15, "gtol": 1e-9}) for q in begins]
    return np.asarray(UR10.forward_kinematics(min(ends, key=lambda end: end.fun).x)[:3, 3])


def link(row: tuple[float, float, float], angle: float) -> np.ndarray:
    """The transform of one Denavit-Hartenberg row (a, α, d), written out."""
    (a, alpha, d), c, s = row, np.cos(angle), np.sin(angle)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def stretch_asked(T: np.ndarray) -> float:
    """Distance that the two long links must span for a pose, m, minimal over the wrist's postures in closed form."""
    d_4, d_6, least = UR10_DH[3][2], UR10_DH[5][2], np.inf
    x, y = T[:2, 3] - d_6 * T[:2, 2]
    for side, turn in product((1, -1), (1, -1)):
        q_1 = np.arctan2(y, x) + side * np.arccos(d_4 / np.hypot(x, y)) + np.pi / 2
        cosine = (T[0, 3] * np.sin(q_1) - T[1, 3] * np.cos(q_1) - d_4) / d_6
        if abs(cosine) > 1:
            continue
        q_5 = turn * np.arccos(cosine)
        sine = np.sign(np.sin(q_5))
        across = T[:2, :2].T @ (np.sin(q_1), -np.cos(q_1))  # of joint 1's normal along the tip's x and y
        q_6 = np.arctan2(-sine * across[1], sine * across[0])
        left = np.linalg.inv(link(UR10_DH[0], q_1)) @ T
        left = left @ np.linalg.inv(link(UR10_DH[4], q_5) @ link(UR10_DH[5], q_6))
        least = min(least, float(np.hypot(*left[:2, 3])))
    return least


def explain(R: np.ndarray, p: np.ndarray) -> str:
    """The causes that a failed solve names, one per line."""
    T_sd = np.eye(4)
    T_sd[:3, :3], T_sd[:3, 3] = R, p
    return "\n".join(str(cause) for cause in pose_ik.solve(UR10, T_sd).explain())


def test_the_least_distance_and_the_nearest_point_are_those_of_another_optimiser() -> None:
    point = np.array([1.3, 0.2, 0.6])
    pattern = r"The point is out of reach \(suspected\).*stays (\S+) mm.*found is \((.*?)\)"
    ((left, nearest),) = re.findall(pattern, explain(np.eye(3), point))
    tip = nearest_tip(point)
    least = 1e3 * np.linalg.norm(tip - point)  # mm
    assert -5e-3 < float(left) - least < 0.02  # its searches end where the slope is small: some 0.01 mm above the least
    assert np.allclose([float(x) for x in nearest.split(",")], tip, atol=5.1e-4)


def test_the_hand_reaches_its_point_and_no_posture_turns_it_down_there() -> None:
    down = np.diag([1.0, -1.0, -1.0, 1.0])
    cause = explain(down[:3, :3], np.array([1.2, 0.2, 0.6]))
    assert "The orientation is impossible there" in cause and "The point alone can be reached" in cause
    down[:3, 3] = 1.2, 0.2, 0.6
    assert np.linalg.norm(nearest_tip(down[:3, 3]) - down[:3, 3]) < 1e-6
    longest = abs(UR10_DH[1][0]) + abs(UR10_DH[2][0])
    assert stretch_asked(down) > longest + 0.01
    rng = np.random.default_rng(3)
    for q in rng.uniform(-3, 3, (20, 6)):  # and the closed form finds what can be had
        assert stretch_asked(UR10.forward_kinematics(q)) <= longest + 1e-9
