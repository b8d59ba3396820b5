"""Write a logarithm for every rotation."""

import numpy as np
import sympy as sp
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation, Slerp


def skew_part(R):
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2


def by_quaternion(R):
    w, x, y, z = np.sqrt(np.maximum(0, [1 + np.trace(R), *(1 + 2 * np.diag(R) - np.trace(R))])) / 2
    a, k = skew_part(R) / 2, int(np.argmax([w, x, y, z]))
    S = (R + R.T) / 4
    if k == 0:
        scalar, vector = w, a / w
    else:
        lead = (x, y, z)[k - 1]
        vector = S[k - 1] / lead
        vector[k - 1] = lead
        scalar = a[k - 1] / lead
    if scalar < 0:
        scalar, vector = -scalar, -vector
    length = np.linalg.norm(vector)
    return 2 * vector if length == 0 else 2 * np.arctan2(length, scalar) / length * vector


def by_eigenvector(R):
    w = skew_part(R)
    theta = np.arctan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    if theta < 1.0:
        return w if theta == 0 else theta / np.sin(theta) * w
    a = np.linalg.eigh((R + R.T) / 2)[1][:, -1]
    return theta * a if a @ w >= 0 else -theta * a


def fixed_column(R):
    w = skew_part(R)
    theta = np.arctan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    if theta < 3.0:
        return w if theta == 0 else theta / np.sin(theta) * w
    column = (R + np.eye(3))[:, 0]
    return np.copysign(theta, column @ w) / np.linalg.norm(column) * column


def clipped_arccos(R):
    theta = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
    return skew_part(R) if theta < 1e-6 else theta / np.sin(theta) * skew_part(R)


def axis_without_sign(R):
    theta = np.arctan2(np.linalg.norm(skew_part(R)), (np.trace(R) - 1) / 2)
    return theta * null_space(R - np.eye(3), rcond=1e-10)[:, 0] if theta > 1e-6 else skew_part(R)


RIGHT = {
    "quaternion": {"rotation_log": by_quaternion},
    "eigenvector beyond a radian": {"rotation_log": by_eigenvector},
    "a list": {"rotation_log": lambda R: by_quaternion(R).tolist()},
    "SciPy": {"rotation_log": lambda R: Rotation.from_matrix(R).as_rotvec()},
}
WRONG = {
    "a column chosen in advance": {"rotation_log": fixed_column},
    "an axis without its sign": {"rotation_log": axis_without_sign},
}


def changed(change):
    return {"rotation_log": lambda R: change(by_quaternion(R), R)}


SLIPS = {
    "the arrow points the other way": changed(lambda omega, R: -omega),
    "your answer is in degrees": changed(lambda omega, R: np.degrees(omega)),
    "your answer is twice the right one": changed(lambda omega, R: 2 * omega),
    "your answer is half the right one": changed(lambda omega, R: omega / 2),
    "you returned the axis alone": changed(lambda omega, R: omega / max(np.linalg.norm(omega), 1e-300)),
    "you returned w = sin θ a": changed(lambda omega, R: skew_part(R)),
    "θ comes from an arc cosine": {"rotation_log": clipped_arccos},
    "Hint [twice]": changed(lambda omega, R: omega * (2 if np.trace(R) > 2.9 else 1)),
    "your function returned None": {"rotation_log": lambda R: None},
    "your function returned shape (4,)": {"rotation_log": lambda R: Rotation.from_matrix(R).as_quat()},
}
WRONG["no arrow at half a turn"] = changed(lambda omega, R: omega if np.trace(R) > -1 + 1e-9 else 0 * omega)
WRONG["an arrow without its signs"] = changed(lambda omega, R: omega if np.trace(R) > -0.999 else np.abs(omega))
UNNAMED = {"a little off": changed(lambda omega, R: omega + (1e-4, 2e-4, -1e-4))}


def exp(omega):
    return Rotation.from_rotvec(omega).as_matrix()


def share(change):
    """An answer to the second one, made of both ends, the share, and the turn as the body sees it."""
    return {"between": lambda R_0, R_1, s: change(R_0, R_1, s, by_quaternion(R_0.T @ R_1))}


RIGHT |= {
    "the turn in the room": {"between": lambda R_0, R_1, s: exp(s * by_quaternion(R_1 @ R_0.T)) @ R_0},
    "SciPy's Slerp": {
        "between": lambda R_0, R_1, s: Slerp([0, 1], Rotation.from_matrix(np.stack([R_0, R_1])))(s).as_matrix()
    },
    "from the other end": share(lambda R_0, R_1, s, turn: R_1 @ exp((s - 1) * turn)),
}
SLIPS |= {
    "you mix the entries of both": share(lambda R_0, R_1, s, turn: (1 - s) * R_0 + s * R_1),
    "you mix the logarithms of both": share(
        lambda R_0, R_1, s, turn: exp((1 - s) * by_quaternion(R_0) + s * by_quaternion(R_1))
    ),
    "and stands on the right of R_0": share(lambda R_0, R_1, s, turn: exp(s * turn) @ R_0),
    "and stands on the left of R_0": share(lambda R_0, R_1, s, turn: R_0 @ exp(s * R_0 @ turn)),
    "the way begins at R_1": share(lambda R_0, R_1, s, turn: R_0 @ exp((1 - s) * turn)),
    "the turn goes the other way, away from R_1": share(lambda R_0, R_1, s, turn: R_0 @ exp(-s * turn)),
    "this is the turn alone": share(lambda R_0, R_1, s, turn: exp(s * turn)),
}
UNNAMED["a little off on the way"] = share(lambda R_0, R_1, s, turn: R_0 @ exp((s + 1e-4) * turn))
RIGHT |= {
    "stated 1": {"distance_from_identity": lambda theta: 8 * sp.sin(theta / 2) ** 2},
    "stated 2": {"distance_from_identity": lambda theta: 2 * sp.sin(theta) ** 2 + 2 * (1 - sp.cos(theta)) ** 2},
}
SLIPS |= {
    "which is half of the sum": {"distance_from_identity": lambda theta: 2 - 2 * sp.cos(theta)},
    "this is the trace of R": {"distance_from_identity": lambda theta: 1 + 2 * sp.cos(theta)},
    "for small angles only": {"distance_from_identity": lambda theta: 2 * theta**2},
    "without I taken away": {"distance_from_identity": lambda theta: 3},
}
UNNAMED["another formula"] = {"distance_from_identity": lambda theta: 4 * sp.sin(theta) ** 2}
