import math

import numpy as np
from independent_kinematics import RNG
from lesson_questions import Places, Truth, find_printed

from lessons_lib import lie, robots

PLANAR_2R = robots.planar_2r()
UNDECIDED = {"a start that leads to neither solution"}  # only an outstretched or a folded arm, decided by a last bit


def predict_throw() -> Truth:
    q, c = 0.01, 0.0
    return [(math.cos(q) - c) / math.sin(q), math.acos(c) - q, (math.cos(q) - c) * math.sin(q)]


def predict_more() -> Truth:
    newton, chan = (int(find_printed("starts", rf"{name} +(\d+) ")[0]) for name in ("Newton-Raphson", "Chan"))
    return [chan < newton, chan == newton == 0, chan > newton]


def predict_other() -> Places:
    T_sd = np.eye(4)
    T_sd[0, 3] = 1.4

    def residual(q: np.ndarray) -> np.ndarray:
        """The linear part of the error twist, in the plane of the arm."""
        return np.asarray(lie.log_se3(lie.inverse(PLANAR_2R.forward_kinematics(q)) @ T_sd))[3:5]

    def end(q: np.ndarray) -> np.ndarray | None:
        """Newton's result, with slopes from differences."""
        for _ in range(60):
            if np.linalg.norm(missing := residual(q)) < 1e-8:
                return (q + np.pi) % (2 * np.pi) - np.pi
            slopes = np.transpose([(residual(q + off) - residual(q - off)) / 2e-6 for off in 1e-6 * np.eye(2)])
            if abs(np.linalg.det(slopes)) < 1e-6:
                return None
            q = q - np.linalg.solve(slopes, missing)
        return None

    examples = [np.array(example) for example in ((-60.0, -20.0), (60.0, -90.0), (60.0, -0.3))]
    for start in [*examples, *RNG.integers(-179, 180, (80, 2)).astype(float)]:
        ends = [end(np.radians(start) + off) for off in (0.0, 1e-6)]
        if start[1] == 0.0 or any(found is None for found in ends) or not np.allclose(*ends, atol=1e-3):
            continue  # a last bit decides
        keeps = "where a step" if ends[0][1] > 0 else "elsewhere"
        yield dict(zip(("q1", "q2"), start, strict=True)), "a start with" if start[1] > 0 else keeps
