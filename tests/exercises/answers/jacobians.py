"""Measure a Jacobian, and tell each joint's kind."""

import numpy as np
import sympy as sp

from lessons_lib import lie


def by_logarithm(pose, q, h=1e-5):
    steps = h * np.eye(len(q))
    return np.transpose([lie.log_se3(pose(q + step) @ lie.inverse(pose(q - step))) / (2 * h) for step in steps])


def over_the_body(pose, q, h=1e-5):
    T = pose(q)
    columns = [lie.vee_se3(lie.inverse(T) @ (pose(q + step) - pose(q - step)) / (2 * h)) for step in h * np.eye(len(q))]
    return lie.adjoint(T) @ np.transpose(columns)


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


def one_sided_logarithm(pose, q, h=1e-5):
    """One joint turns about one screw: the logarithm is exact, and needs no second side."""
    T = lie.inverse(pose(q))
    return np.transpose([lie.log_se3(pose(q + step) @ T) / h for step in h * np.eye(len(q))])


def one_sided_difference(pose, q, h=1e-5):
    ahead = [(pose(q + step) - pose(q)) / h @ lie.inverse(pose(q)) for step in h * np.eye(len(q))]
    return np.transpose([[W[2, 1], W[0, 2], W[1, 0], *W[:3, 3]] for W in ahead])


def refused(pose, q, h=1e-5):
    return np.transpose([lie.vee_se3((pose(q + s) - pose(q)) / h @ lie.inverse(pose(q))) for s in h * np.eye(len(q))])


def projected(J):
    """The pitch as what is left of v along the axis."""
    found = []
    for omega, v in zip(J[:3].T, J[3:].T, strict=True):
        length = np.linalg.norm(omega)
        found.append((omega / length @ v) / length if length > 1e-6 else np.inf)
    return found


def divided(J):
    with np.errstate(all="ignore"):
        turns = np.sum(J[:3] ** 2, axis=0)
        return np.where(turns < 1e-12, np.inf, np.sum(J[:3] * J[3:], axis=0) / turns)


def answers(jacobian=by_hand, pitches=projected):
    return {"space_jacobian": jacobian, "pitches": pitches}


def changed(change):
    return answers(lambda pose, q, h=1e-5: change(by_hand(pose, q, h), pose(q)))


def pitched(change):
    return answers(pitches=lambda J: change(np.array(projected(J)), J))


def at_the_tool(J, T):
    upright = np.eye(4)
    upright[:3, 3] = T[:3, 3]
    return lie.adjoint(lie.inverse(upright)) @ J


def slides_zero(found, J):
    return np.where(np.isinf(found), 0.0, found)


def lengths(J, of=slice(3)):
    return np.linalg.norm(J[of], axis=0)


RIGHT = {
    "logarithm": answers(by_logarithm),
    "one-sided logarithm": answers(one_sided_logarithm),
    "over the body": answers(over_the_body, divided),
    "by hand": answers(),
    "lists": answers(lambda pose, q, h=1e-5: by_hand(pose, q, h).tolist(), lambda J: list(projected(J))),
}
SLIPS = {
    "as T⁻¹·dT reads it": changed(lambda J, T: lie.adjoint(lie.inverse(T)) @ J),
    "your v is the velocity of the tool itself": changed(at_the_tool),
    "the two halves are swapped": changed(lambda J, T: lie.swap_halves(J)),
    "the sign is flipped": changed(lambda J, T: -J),
    "your answer is twice the right one": changed(lambda J, T: 2 * J),
    "your answer is half the right one": changed(lambda J, T: J / 2),
    "degrees instead of radians": changed(lambda J, T: J / np.radians(1)),
    "ω has the wrong sign": changed(lambda J, T: np.vstack([-J[:3], J[3:]])),
    "the difference is one-sided": answers(one_sided_difference),
    "is not skew to nine digits": answers(refused),
    "expected an array of shape (6, 3); your function returned shape (3, 6)": changed(lambda J, T: J.T),
    "your function returned None": answers(lambda pose, q, h=1e-5: None),
    "it is the climb for a whole turn": pitched(lambda found, J: 2 * np.pi * found),
    "expected ‖ω‖²": pitched(lambda found, J: np.where(np.isinf(found), found, found * lengths(J))),
    "is not divided by anything": pitched(lambda found, J: np.where(np.isinf(found), found, found * lengths(J) ** 2)),
    "slide, and alone have the pitch np.inf": pitched(slides_zero),
    "most of v carries the point": pitched(
        lambda found, J: np.where(np.isinf(found), found, lengths(J, slice(3, 6)) / np.maximum(lengths(J), 1e-9))
    ),
}
UNNAMED = {"a little off": changed(lambda J, T: J + 0.0123), "pitches a little off": pitched(lambda p, J: p + 0.0123)}
RIGHT |= {
    "stated 1": {"swept": lambda q_2, L_1, L_2: L_1 * L_2 * sp.cos(q_2 - sp.pi / 2)},
    "stated 2": {"swept": lambda q_2, L_1, L_2: 2 * L_1 * L_2 * sp.sin(q_2 / 2) * sp.cos(q_2 / 2)},
}
SLIPS |= {
    "the columns are exchanged": {"swept": lambda q_2, L_1, L_2: -L_1 * L_2 * sp.sin(q_2)},
    "zero at a right angle": {"swept": lambda q_2, L_1, L_2: L_1 * L_2 * sp.cos(q_2)},
    "has L_1 in it, too": {"swept": lambda q_2, L_1, L_2: L_2**2 * sp.sin(q_2)},
    "half of the parallelogram": {"swept": lambda q_2, L_1, L_2: L_1 * L_2 * sp.sin(q_2) / 2},
}
UNNAMED["another formula"] = {"swept": lambda q_2, L_1, L_2: L_1 + L_2 * sp.sin(q_2)}
