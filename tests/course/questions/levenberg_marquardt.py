import math

import numpy as np
from independent_kinematics import Matrix, at, damped_step, nearest_choice, vee6
from lesson_questions import Truth, find_printed
from scipy.linalg import logm

from lessons_lib import robots


def predict_target() -> Truth:
    def remaining_error(error: float) -> float:
        return 1 - damped_step(np.array([[0.3]]), np.ones(1), np.eye(1), 0.1 * error**2 / 2)[0] * 0.3

    falls = remaining_error(1e-4) < 1e-3 * remaining_error(1e-2)
    return [not falls, falls, remaining_error(1e-4) > 0.5]


def predict_longest() -> Truth:
    sigma, error = np.meshgrid(np.geomspace(1e-3, 10, 801), np.geomspace(1e-3, 10, 801))
    longest = (sigma * error / (sigma**2 + 0.1 * error**2 / 2)).max()
    return [longest, 1 / (2 * 0.1), 1 / (2 * math.sqrt(0.1))]


def predict_starts() -> Truth:
    solved = {
        name: int(count) for name, count in find_printed("levenberg_marquardt", r"\| (newton|chan 0.1) \| (\d+) \|")
    }
    return nearest_choice(solved["newton"] / solved["chan 0.1"], 0.05, 0.5, 1)


def predict_bits() -> Truth:
    said = dict(find_printed("levenberg_marquardt", r"(newton|chan): a different solution for (more|less) than"))
    newton, chan = said["newton"], said["chan"]
    return [newton == chan == "less", (newton, chan) == ("more", "less"), newton == chan == "more"]


def predict_refused() -> Truth:
    arm, q = robots.ur10(), np.array([0.1, -0.2, 0.01, 0.1, 0.01, 0])  # nearly singular, for a long step
    target = at(arm, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).T

    def error(q: Matrix) -> float:
        return float(np.linalg.norm(vee6(logm(np.linalg.inv(at(arm, q).T) @ target).real)))

    def step(damping: float) -> Matrix:
        here = at(arm, q)
        return damped_step(here.J_b, vee6(logm(np.linalg.inv(here.T) @ target).real), np.eye(6), damping)

    refused, raised = step(1e-6), step(1.0)
    worse = error(q + refused) > error(q)
    shorter = np.linalg.norm(raised) < np.linalg.norm(refused) and error(q + raised) < error(q)
    return [not worse, worse and bool(shorter), worse and not shorter]
