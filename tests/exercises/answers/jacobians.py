import numpy as np
import sympy as sp

from lessons_lib import lie


def by_logarithm(pose, q, h=1e-5):
    steps = h * np.eye(len(q))
    return np.transpose([lie.log_se3(pose(q + step) @ lie.inverse(pose(q - step))) / (2 * h) for step in steps])


def by_hand(pose, q, h=1e-5):
    T, J = pose(q), np.zeros((6, len(q)))
    for i in range(len(q)):
        ahead, behind = np.array(q), np.array(q)
        ahead[i] += h
        behind[i] -= h
        dT = (pose(ahead) - pose(behind)) / (2 * h)
        W = dT[:3, :3] @ T[:3, :3].T
        omega = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
        J[:, i] = *omega, *(dT[:3, 3] - np.cross(omega, T[:3, 3]))
    return J


def by_forward_difference(pose, q, h=1e-5):
    return np.transpose([lie.vee_se3((pose(q + s) - pose(q)) / h @ lie.inverse(pose(q))) for s in h * np.eye(len(q))])


def by_projection(J):
    """The pitch as what is left of v along the axis."""
    found = []
    for omega, v in zip(J[:3].T, J[3:].T, strict=True):
        length = np.linalg.norm(omega)
        found.append((omega / length @ v) / length if length > 1e-6 else np.inf)
    return found


def answers(jacobian=by_hand, pitches=by_projection):
    return {"space_jacobian": jacobian, "pitches": pitches}


def with_pitches(change):
    return answers(pitches=lambda J: change(np.array(by_projection(J)), J))


def slides_zero(found, J):
    return np.where(np.isinf(found), 0.0, found)


RIGHT = {
    "logarithm": answers(by_logarithm),
}
SLIPS = {
    "is not skew to nine digits": answers(by_forward_difference),
    "are prismatic, and only they have the pitch np.inf": with_pitches(slides_zero),
}
SLIPS |= {
    "the columns are exchanged": {"swept": lambda q_2, L_1, L_2: -L_1 * L_2 * sp.sin(q_2)},
    "zero at a right angle": {"swept": lambda q_2, L_1, L_2: L_1 * L_2 * sp.cos(q_2)},
}
