import numpy as np
import sympy as sp

from lessons_lib import lie


def by_logarithm(pose, q, h=1e-5):
    steps = h * np.eye(len(q))
    return np.transpose([lie.log_se3(pose(q + step) @ lie.inverse(pose(q - step))) / (2 * h) for step in steps])


def by_forward_difference(pose, q, h=1e-5):
    return np.transpose([lie.vee_se3((pose(q + s) - pose(q)) / h @ lie.inverse(pose(q))) for s in h * np.eye(len(q))])


def by_projection(J, slide=np.inf, least=1e-6):
    """The pitch as what is left of v along the axis."""
    found = []
    for omega, v in zip(J[:3].T, J[3:].T, strict=True):
        length = np.linalg.norm(omega)
        found.append((omega / length @ v) / length if length > least else slide)
    return found


def answers(jacobian=by_logarithm, pitches=by_projection):
    return {"space_jacobian": jacobian, "pitches": pitches}


RIGHT = {"logarithm": answers()}
WRONG = {"the bound is for the square": answers(pitches=lambda J: by_projection(J, least=1e-3))}
SLIPS = {
    "is not skew-symmetric to nine digits": answers(by_forward_difference),
    "are prismatic, and only they have the pitch np.inf": answers(pitches=lambda J: by_projection(J, 0.0)),
    "as if the columns were exchanged": {"swept": lambda q_2, L_1, L_2: -L_1 * L_2 * sp.sin(q_2)},
    "zero at a right angle": {"swept": lambda q_2, L_1, L_2: L_1 * L_2 * sp.cos(q_2)},
}
