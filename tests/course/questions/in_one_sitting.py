import numpy as np
from independent_kinematics import nearest_choice, pose, vee6
from lesson_questions import Truth, find_printed
from scipy.linalg import logm

from lessons_lib import robots


def predict_guesses() -> Truth:
    (factor,) = find_printed("in_one_sitting", r"the best error falls by a factor of ([\d.]+)")
    return nearest_choice(float(factor), 100, 10, 2)


def predict_origin() -> Truth:
    speed = np.linalg.norm(robots.planar_2r().space_jacobian([0, 0])[3:, 0])
    return [speed == 0, speed == 1, speed == 2]


def predict_jump() -> Truth:
    arm, home = robots.ur10(), np.zeros(6)
    target = pose(np.eye(3), [0.425, 0.225, 0.125])
    missing = vee6(logm(np.linalg.inv(arm.forward_kinematics(home)) @ target).real)
    longest = np.abs(np.linalg.lstsq(arm.body_jacobian(home), missing, rcond=None)[0]).max()
    return [longest < 0.3, 0.3 < longest < 3, longest > 4 * np.pi]


def predict_weight() -> Truth:
    once, weighted = (int(find_printed("in_one_sitting", rf"(\d+) steps with w = {w}\n")[0]) for w in (1, 100))
    return [weighted > 1.1 * once, abs(weighted / once - 1) <= 0.1, weighted < 0.9 * once]
