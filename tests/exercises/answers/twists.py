"""Write the exponential of a twist."""

import numpy as np
import sympy as sp
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


def of_the_matrix(xi):
    X = np.zeros((4, 4))
    X[:3, :3], X[:3, 3] = hat(xi[:3]), xi[3:]
    return expm(X)


RIGHT = {
    "angle and axis": {"exp_twist": by_angle_and_axis},
    "screw axis": {"exp_twist": by_screw},
    "series": {"exp_twist": by_series},
    "SciPy": {"exp_twist": of_the_matrix},
    "lists": {"exp_twist": lambda xi: by_series(xi).tolist()},
}


def changed(change):
    return {"exp_twist": lambda xi: change(by_series(xi), np.asarray(xi))}


SLIPS = {
    "you returned p = v, a straight path": {"exp_twist": straight},
    "you returned p = R v": {"exp_twist": turned},
    "your answer is the transpose of the right one: it turns by −ω": {"exp_twist": transposed},
    "the order is (ω, v)": {"exp_twist": lambda xi: by_series(np.roll(xi, 3))},
    "ω is taken for degrees": changed(lambda T, xi: pose(expm(hat(np.radians(xi[:3]))), T[:3, 3])),
    "the sign is flipped": changed(lambda T, xi: pose(T[:3, :3], -T[:3, 3])),
    "the position written in the body": changed(lambda T, xi: pose(T[:3, :3], T[:3, :3].T @ T[:3, 3])),
    "the term with Ω² is missing": changed(
        lambda T, xi: pose(np.eye(3) + np.sinc(np.linalg.norm(xi[:3]) / np.pi) * hat(xi[:3]), T[:3, 3])
    ),
    "your function returned None": {"exp_twist": lambda xi: None},
    "your function returned shape (3, 4)": changed(lambda T, xi: T[:3]),
}


def cancelling(xi):
    """The cosine from 1e-6 rad on: 1 − cos θ has lost its digits there."""
    angle = np.linalg.norm(xi[:3])
    c_1, c_2, c_3 = 1, 1 / 2, 1 / 6
    if angle >= 1e-6:
        c_1, c_2, c_3 = np.sin(angle) / angle, (1 - np.cos(angle)) / angle**2, (angle - np.sin(angle)) / angle**3
    Omega = hat(xi[:3])
    R, V = np.eye(3) + c_1 * Omega + c_2 * Omega @ Omega, np.eye(3) + c_2 * Omega + c_3 * Omega @ Omega
    return pose(R, V @ xi[3:])


WRONG = {"1 - cos is taken of a small angle": {"exp_twist": cancelling}}
UNNAMED = {"a little off": changed(lambda T, xi: T + 1e-5 * np.eye(4, k=3) + 1e-5 * np.eye(4, k=1) * (T[3] == 0))}


def screw(change):
    """An answer to the second one, as a twist of what the mechanic says."""

    def answer(axis, point, angle, advance):
        a = np.asarray(axis) / np.linalg.norm(axis)
        return by_series(np.concatenate(change(a, angle * np.cross(point, a), np.asarray(axis), angle, advance)))

    return {"screw_motion": answer}


def there_and_back(axis, point, angle, advance):
    a = np.asarray(axis) / np.linalg.norm(axis)
    return pose(np.eye(3), point) @ pose(expm(angle * hat(a)), advance * a) @ pose(np.eye(3), -np.asarray(point))


def turned_then_moved(axis, point, angle, advance):
    a = np.asarray(axis) / np.linalg.norm(axis)
    turn = by_series(np.concatenate([angle * a, -np.cross(angle * a, point)]))
    return by_series(np.concatenate([np.zeros(3), advance * a])) @ turn


RIGHT |= {
    "to the line and back": {"screw_motion": there_and_back},
    "a turn, then a slide": {"screw_motion": turned_then_moved},
}
SLIPS |= {
    "ω × p has the wrong sign in v": screw(lambda a, v, axis, angle, h: (angle * a, h * a - v)),
    "the point is left out": screw(lambda a, v, axis, angle, h: (angle * a, h * a)),
    "the advance is left out": screw(lambda a, v, axis, angle, h: (angle * a, v)),
    "and not that of one radian": screw(lambda a, v, axis, angle, h: (angle * a, v + angle * h * a)),
    "the axis is taken as it is in v": screw(lambda a, v, axis, angle, h: (angle * a, v + h * axis)),
    "the angle is taken for degrees": screw(
        lambda a, v, axis, angle, h: (np.radians(angle) * a, np.radians(v) + h * a)
    ),
}
UNNAMED["a line beside the line"] = screw(lambda a, v, axis, angle, h: (angle * a, v + h * a + 1e-4))
RIGHT |= {
    "stated 1": {"pitch": lambda w, v: (w[0] * v[0] + w[1] * v[1] + w[2] * v[2]) / (w[0] ** 2 + w[1] ** 2 + w[2] ** 2)},
    "stated 2": {
        "pitch": lambda w, v: (
            w[0] * v[0] / sum(a * a for a in w) + (w[1] * v[1] + w[2] * v[2]) / (w[2] ** 2 + w[1] ** 2 + w[0] ** 2)
        )
    },
}
SLIPS |= {
    "divide by ω · ω": {"pitch": lambda w, v: sum(a * b for a, b in zip(w, v, strict=True))},
    "and not by its square": {
        "pitch": lambda w, v: sum(a * b for a, b in zip(w, v, strict=True)) / sp.sqrt(sum(a**2 for a in w))
    },
    "the fraction is inverted": {
        "pitch": lambda w, v: sum(a**2 for a in w) / sum(a * b for a, b in zip(w, v, strict=True))
    },
    "as if no point were off": {"pitch": lambda w, v: sp.sqrt(sum(a**2 for a in v) / sum(a**2 for a in w))},
}
UNNAMED["another formula"] = {"pitch": lambda w, v: v[2] / w[2]}
