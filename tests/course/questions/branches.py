import math
from functools import lru_cache

import numpy as np
from independent_kinematics import Matrix
from lesson_questions import Truth

from lessons_lib import pose_ik, robots
from lessons_lib.pose_ik import Solutions


@lru_cache(maxsize=1)
def answers_of_the_ur10() -> Solutions:
    arm = robots.ur10()
    return pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))


def predict_eight() -> Truth:
    return [len(robots.planar_2r_solutions(np.array([1.0, 0.5]))), len(answers_of_the_ur10()), 2**6]


def predict_plane() -> Truth:
    angles = np.linspace(0, 2 * np.pi, 100_001)
    return [(3 * np.cos(angles) + 4 * np.sin(angles)).max(), 3 + 4, 3**2 + 4**2]


def predict_near() -> Truth:
    answers, starts = answers_of_the_ur10(), np.random.default_rng(3).uniform(-np.pi, np.pi, (500, 6))
    targets, asked = np.tile(answers.target, (500, 1, 1)), {"starts": pose_ik.Restarts(0)}
    chan = pose_ik.LevenbergMarquardt(pose_ik.Chan())
    ends = pose_ik.solve_batch(answers.arm, targets, starts, method=chan, **asked)

    def nearest(rows: Matrix) -> Matrix:
        apart = np.remainder(rows[:, None] - answers.q + np.pi, 2 * np.pi) - np.pi
        return np.linalg.norm(apart, axis=2).argmin(axis=1)

    share = np.mean(nearest(ends.q) == nearest(starts))
    return [share > 0.9, 0.5 < share < 0.75, share < 0.2]


def predict_families() -> Truth:
    arm = robots.ur10()
    locked = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 0.0, 0.4]))
    assert len(locked.families) == 2
    return [0, len(locked), len(answers_of_the_ur10())]


def predict_edge() -> Truth:
    gap = 2 * math.sqrt(1 - (1 - 1e-10) ** 2)  # cos θ = C, the height 1e-10 below the radius
    return [gap < 1e-9, 1e-5 < gap < 1e-4, gap < 1e-15]
