"""Write a logarithm for every rotation."""

import numpy as np
from scipy.spatial.transform import Rotation


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


def fixed_column(R):
    w = skew_part(R)
    theta = np.arctan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    if theta < 3.0:
        return w if theta == 0 else theta / np.sin(theta) * w
    column = (R + np.eye(3))[:, 0]
    return np.copysign(theta, column @ w) / np.linalg.norm(column) * column


def by_columns(R, signed=True, clipped=False):
    """Formulas (a) and (b) of the lesson, without the sign of w, or with an arc cosine for the angle."""
    w, cosine = skew_part(R), (np.trace(R) - 1) / 2
    theta = np.arccos(np.clip(cosine, -1, 1)) if clipped else np.arctan2(np.linalg.norm(w), cosine)
    if cosine >= 0:
        return np.zeros(3) if theta == 0 else theta / np.linalg.norm(w) * w
    S = (R + R.T) / 2 - cosine * np.eye(3)
    column = S[:, np.argmax(np.diag(S))]
    sign = -1 if signed and column @ w < 0 else 1
    return sign * theta / np.linalg.norm(column) * column


RIGHT = {
    "quaternion": {"rotation_log": by_quaternion},
}
WRONG = {
    "a column chosen in advance": {"rotation_log": fixed_column},
}


def changed(change):
    return {"rotation_log": lambda R: change(by_quaternion(R), R)}


SLIPS = {
    "a and −a give the same S, and w has the sign": {"rotation_log": lambda R: by_columns(R, signed=False)},
    "θ comes from an arc cosine, which is inaccurate near 0 and π; np.arctan2": {
        "rotation_log": lambda R: by_columns(R, clipped=True)
    },
    "the arrow has the opposite direction": changed(lambda omega, R: -omega),
    "your answer is in degrees": changed(lambda omega, R: np.degrees(omega)),
    "you returned w = sin θ a": changed(lambda omega, R: skew_part(R)),
}
UNNAMED = {"a little off": changed(lambda omega, R: omega + (1e-4, 2e-4, -1e-4))}


def exp(omega):
    return Rotation.from_rotvec(omega).as_matrix()


def share(change):
    """A `between` made of both ends, the fraction, and the rotation written in the body."""
    return {"between": lambda R_0, R_1, s: change(R_0, R_1, s, by_quaternion(R_0.T @ R_1))}


RIGHT |= {
    "the rotation in the room": {"between": lambda R_0, R_1, s: exp(s * by_quaternion(R_1 @ R_0.T)) @ R_0},
}
SLIPS |= {
    "you interpolate the entries of both": share(lambda R_0, R_1, s, turn: (1 - s) * R_0 + s * R_1),
}
UNNAMED["a little off on the way"] = share(lambda R_0, R_1, s, turn: R_0 @ exp((s + 1e-4) * turn))
