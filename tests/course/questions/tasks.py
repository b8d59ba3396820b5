import math

import numpy as np
from independent_kinematics import damped_step
from lesson_questions import Truth, find_printed


def predict_waist() -> Truth:
    ((left, right),) = find_printed("tasks", r"the mean +left hand off by +(\d+) mm, right hand by +(\d+) mm")
    off = min(int(left), int(right))
    return [off == 0, 0 < off < 10, off > 100]


def predict_cost() -> Truth:
    return [2**2, 2, math.sqrt(2)]


def predict_gain() -> Truth:
    return [80 * (1 - 0.5) ** 3, 80 * (1 - 3 * 0.5), 80 * (1 - 0.5)]


def predict_gives() -> Truth:
    def place(weight: float) -> float:
        return float(damped_step(np.ones((2, 1)), np.array([0.0, 101.0]), np.diag([weight, 1]), 0)[0])

    return [place(10**2), place(10), 0]


def predict_reach() -> Truth:
    (said,) = find_printed("tasks", r"box at 0\.64 m, posture with a gain of 0\.3: (.*)")
    return [said.startswith("violated"), said == "satisfied", said.startswith("no solution: the robot stops")]
