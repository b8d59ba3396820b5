import math
from collections.abc import Sequence

import numpy as np
from independent_kinematics import RNG, Z, adjoint, at, hat, nearest_choice, vee6
from lesson_questions import Places, Truth
from scipy.linalg import expm, logm

from lessons_lib import lie, robots
from lessons_lib.robots.chain import Chain

PLANAR_2R = robots.planar_2r()


def predict_matrices() -> Truth:
    axis = hat(Z)
    R, R_d = expm(0.4 * axis), expm((0.4 + np.pi) * axis)
    slope = axis @ R
    step = np.sum(slope * (R_d - R)) / np.sum(slope * slope)
    return [math.isclose(step, way, abs_tol=1e-12) for way in (np.pi, 1, 0)]


def predict_quadratic() -> Truth:
    constant = 0.1 / 10**2  # per mm
    return nearest_choice(1e-3 * constant * 0.1**2, 1e-6, 10e-6, 10e-9)


def predict_space_twist() -> Truth:
    arm, q_d = robots.planar_2r(), np.radians([30, 90])
    T, T_d = at(arm, q_d - [0.1, 0]).T, at(arm, q_d).T
    V_b = vee6(logm(np.linalg.inv(T) @ T_d).real)
    V_s = adjoint(T) @ V_b
    return [np.linalg.norm(V_s[3:]), np.linalg.norm(V_b[3:]), np.linalg.norm(V_s[:3])]


def predict_frames() -> Truth:
    def same(chain: Chain, q: Sequence[float]) -> bool:
        here, V_b = at(chain, q), RNG.normal(size=6)
        steps = np.linalg.pinv(here.J_b) @ V_b, np.linalg.pinv(here.J_s) @ adjoint(here.T) @ V_b
        return np.allclose(*steps)

    six, seven = [0.3, -1.2, 1.5, -0.6, 1.1, 0.4], [0.3, -0.3, 0.2, -2.2, 0.4, 2.0, 0.1]
    return [same(robots.ur10(), six), same(robots.panda(), seven), same(robots.planar_2r(), [0.2, 0.9])]


def predict_arrives() -> Places:
    goal = np.array([30.0, 90.0])
    T_sd = PLANAR_2R.forward_kinematics(np.radians(goal))
    lone = [goal + off * way for way in np.eye(2) for off in (-170, -100, -60, 60, 80)]
    both = [[-59.0, 0.0], [-56.0, 0.0], [116.0, -180.0], [119.0, 180.0], [-62.0, 0.0]]  # all but the last arrive
    for q in [*lone, *both, *RNG.integers(-180, 181, (40, 2)).astype(float)]:
        off = np.abs((q - goal + 180) % 360 - 180)
        T_sb = PLANAR_2R.forward_kinematics(np.radians(q))
        step = np.linalg.pinv(PLANAR_2R.body_jacobian(np.radians(q))) @ lie.log_se3(lie.inverse(T_sb) @ T_sd)
        left = lie.log_se3(lie.inverse(PLANAR_2R.forward_kinematics(np.radians(q) + step)) @ T_sd)
        arrives = np.linalg.norm(left[3:]) <= 0.02 and np.linalg.norm(np.degrees(left[:3])) <= 2
        arrived = "where only one joint" if off.min() < 20 else "elsewhere, if the step reaches the target"
        words = arrived if arrives else "where both joints are off"
        yield dict(zip(("s1", "s2"), q, strict=True)), "within 60°" if off.max() < 60 else words
