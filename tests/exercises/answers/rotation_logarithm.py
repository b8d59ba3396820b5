import numpy as np
from scipy.spatial.transform import Rotation


def skew_part(R):
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2


def by_quaternion(R):
    w, x, y, z = np.sqrt(np.maximum(0, [1 + np.trace(R), *(1 + 2 * np.diag(R) - np.trace(R))])) / 2
    a, k = skew_part(R) / 2, int(np.argmax([w, x, y, z]))
    if k == 0:
        scalar, vector = w, a / w
    else:
        lead = (x, y, z)[k - 1]
        vector = (R + R.T)[k - 1] / 4 / lead
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


def late_switch(R):
    w = skew_part(R)
    theta = np.arctan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    return theta / np.sin(theta) * w if 0 < theta < np.pi - 1e-9 else by_quaternion(R)


def by_arc_cosine(R):
    theta = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
    return theta / np.sin(theta) * skew_part(R) if theta > 0 else skew_part(R)


def by_column(R, shift=1.0, sign=lambda x: -1 if x < 0 else 1, scale=np.linalg.norm, from_w=False):
    w, cosine = skew_part(R), (np.trace(R) - 1) / 2
    S = (R + R.T) / 2 - shift * cosine * np.eye(3)
    column = w if from_w else S[:, np.argmax(np.linalg.norm(S, axis=0))]
    arrow = sign(column @ w) * np.arctan2(np.linalg.norm(w), cosine) / scale(column) * column
    return by_quaternion(R) if cosine >= 0 else arrow


def in_the_room(R_0, R_1, s):
    return Rotation.from_rotvec(s * by_quaternion(R_1 @ R_0.T)).as_matrix() @ R_0


RIGHT = {"quaternion": {"rotation_log": by_quaternion}, "the rotation in the room": {"between": in_the_room}}
WRONG = {"a column chosen in advance": {"rotation_log": fixed_column}}
SLIPS = {
    "your arrow is zero for small angles": {"rotation_log": lambda R: by_quaternion(R) * (np.trace(R) < 3 - 1e-15)},
    "− cos θ I is missing from S": {"rotation_log": lambda R: by_column(R, shift=0.0)},
    "whose length is not 1": {"rotation_log": lambda R: by_column(R, scale=lambda _: 1.0)},
    "your arrow is zero at θ = π": {"rotation_log": lambda R: by_column(R, sign=np.sign)},
    "which vanishes at π": {
        "rotation_log": lambda R: by_column(R, from_w=True, scale=lambda w: np.linalg.norm(w) or 1.0)
    },
    "and you divide by its sine": {"rotation_log": by_arc_cosine},
    "you switch from w to S too late": {"rotation_log": late_switch},
    "R_1 is a rotation from the axes of {s}": {
        "between": lambda R_0, R_1, s: R_0 @ Rotation.from_rotvec(s * by_quaternion(R_1)).as_matrix()
    },
    "the arrow has the opposite direction": {"rotation_log": lambda R: -by_quaternion(R)},
}
