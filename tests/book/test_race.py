"""Starts near the UR10's stretched home, and lesson 24 on steps, by a Newton loop in NumPy."""

import numpy as np
from scipy.spatial.transform import Rotation

from lessons_lib import pose_ik, robots, studies

UR10, TRACK = robots.ur10(), studies.problem("ur10")


def error_twist(q: np.ndarray) -> np.ndarray:
    """V_b = log(T_sb⁻¹ T_sd), shape (6,), with the rotation by SciPy."""
    T = np.linalg.solve(UR10.forward_kinematics(q), TRACK.target)
    omega = Rotation.from_matrix(T[:3, :3]).as_rotvec()
    theta, W = np.linalg.norm(omega), np.cross(np.eye(3), -omega)
    c_2, c_3 = (0.5, 1 / 6) if theta < 1e-4 else ((1 - np.cos(theta)) / theta**2, (theta - np.sin(theta)) / theta**3)
    return np.concatenate([omega, np.linalg.solve(np.eye(3) + c_2 * W + c_3 * W @ W, T[:3, 3])])


def newtons_steps(q: np.ndarray, most: int = 150) -> int:
    """Number of Newton steps to 1e-6 rad and m."""
    for step in range(most):
        V = error_twist(q)
        if max(np.linalg.norm(V[:3]), np.linalg.norm(V[3:])) < 1e-6:
            return step
        q = q + np.linalg.pinv(UR10.body_jacobian(q)) @ V
    return most


def test_newtons_count_hangs_on_a_billionth_of_a_radian() -> None:
    rng = np.random.default_rng(7)
    counts = [newtons_steps(TRACK.start + 1e-9 * rng.uniform(-1, 1, 6)) for _ in range(16)]
    assert max(counts) - min(counts) > 10 and max(counts) < 150


def test_a_millionth_of_a_radian_throws_newton_off() -> None:
    rng = np.random.default_rng(7)
    starts = TRACK.start + 1e-6 * rng.uniform(-1, 1, (3, 6))
    V = error_twist(TRACK.start)
    firsts = [np.abs(np.linalg.pinv(UR10.body_jacobian(q)) @ V).max() for q in starts]
    assert np.median(firsts) > 2e6 * np.pi
    assert np.median([newtons_steps(q, 40) for q in starts]) == 40


def test_a_start_nearer_to_the_solution_takes_no_more_steps() -> None:
    """Lesson 24's argument against a stored time that is longer from a nearer start."""
    rng = np.random.default_rng(19)
    q = rng.uniform(-np.pi, np.pi, (500, 6))
    targets = np.array([UR10.forward_kinematics(each) for each in q])
    signs = rng.choice([-1.0, 1.0], q.shape)
    medians = [np.median(pose_ik.solve_batch(UR10, targets, q + off * signs).iterations) for off in (0.05, 0.2, 0.8)]
    assert medians == sorted(medians)
