"""The exponential of a twist."""

import numpy as np
from scipy.linalg import expm


def hat(omega):
    x, y, z = omega
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def pose(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def by_angle_and_axis(xi):
    omega, v = xi[:3], xi[3:]
    theta = np.linalg.norm(omega)
    if theta == 0:
        return pose(np.eye(3), v)
    a = omega / theta
    A, half = hat(a), 2 * np.sin(theta / 2) ** 2
    R = np.eye(3) + np.sin(theta) * A + half * A @ A
    return pose(R, v + (half / theta) * A @ v + (1 - np.sin(theta) / theta) * A @ A @ v)


def by_screw(xi):
    """The point on the axis stays, and the rest slides along it."""
    omega, v = xi[:3], xi[3:]
    x = omega @ omega
    if x < 1e-4:
        return by_series(xi)
    point, slide = np.cross(omega, v) / x, omega * (omega @ v) / x
    R = expm(hat(omega))
    return pose(R, point - R @ point + slide)


def by_series(xi):
    X = np.zeros((4, 4))
    X[:3, :3], X[:3, 3] = hat(xi[:3]), xi[3:]
    T = term = np.eye(4)
    for k in range(1, 40):
        term = term @ X / k
        T = T + term
    return T


def straight(xi):
    return pose(expm(hat(xi[:3])), xi[3:])


def turned(xi):
    R = expm(hat(xi[:3]))
    return pose(R, R @ xi[3:])


def transposed(xi):
    T = by_series(xi)
    return pose(T[:3, :3].T, T[:3, 3])


RIGHT = {
    "angle and axis": {"exp_twist": by_angle_and_axis},
    "screw axis": {"exp_twist": by_screw},
    "series": {"exp_twist": by_series},
}
WRONG = {"p = v": {"exp_twist": straight}, "p = R v": {"exp_twist": turned}, "R transposed": {"exp_twist": transposed}}
