"""The logarithm of every rotation."""

import numpy as np
from scipy.linalg import null_space
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
    "SciPy": {"rotation_log": lambda R: Rotation.from_matrix(R).as_rotvec()},
}
WRONG = {
    "a column chosen in advance": {"rotation_log": fixed_column},
    "arccos, clipped": {"rotation_log": clipped_arccos},
    "an axis without its sign": {"rotation_log": axis_without_sign},
}
