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


def cancelling(xi, least=1e-6):
    """The cosine from 1e-6 or 1e-5 rad on: 1 − cos θ has lost its digits there."""
    angle = np.linalg.norm(xi[:3])
    c_1, c_2, c_3 = 1, 1 / 2, 1 / 6
    if angle >= least:
        c_1, c_2, c_3 = np.sin(angle) / angle, (1 - np.cos(angle)) / angle**2, (angle - np.sin(angle)) / angle**3
    Omega = hat(xi[:3])
    R, V = np.eye(3) + c_1 * Omega + c_2 * Omega @ Omega, np.eye(3) + c_2 * Omega + c_3 * Omega @ Omega
    return pose(R, V @ xi[3:])


def series(xi):
    powers = [np.eye(4)]
    for k in range(1, 25):
        powers.append(powers[-1] @ bracket(xi) / k)
    return sum(powers)


def straight(xi):
    return expm(bracket(xi)) if np.linalg.norm(xi[:3]) > 1e-10 else pose(np.eye(3), xi[3:])


def there_and_back(axis, point, angle, advance):
    a = np.asarray(axis) / np.linalg.norm(axis)
    return pose(np.eye(3), point) @ pose(expm(angle * hat(a)), advance * a) @ pose(np.eye(3), -np.asarray(point))


def unit_axis(A, theta):
    return np.eye(3) + np.sin(theta) * A + (1 - np.cos(theta)) * A @ A


def bracket(xi):
    return np.vstack([np.column_stack([hat(xi[:3]), xi[3:]]), np.zeros(4)])


def unit_twist(a, point, angle, advance):
    return angle * a, angle * np.cross(point, a) + advance * a


def along(twist, end=expm):
    """A screw motion, from the unit axis a, the axis b as it is given, the point, the angle and the advance."""
    return {"screw_motion": lambda b, *more: end(bracket(np.append(*twist(b / np.linalg.norm(b), b, *more))))}


RIGHT = {"angle and axis": {"exp_twist": by_angle_and_axis}, "to the line and back": {"screw_motion": there_and_back}}
WRONG = {
    "1 - cos is taken of a small angle": {"exp_twist": cancelling},
    "1 - cos is taken of 1e-5 rad": {"exp_twist": lambda xi: cancelling(xi, 1e-5)},
    "the square of 1e-300 is zero": {
        "exp_twist": lambda xi: expm(bracket(xi)) / float(xi[:3] @ xi[:3] > 0 or not xi[:3].any())
    },
    "the absolute value of v": {"exp_twist": lambda xi: expm(bracket(np.append(xi[:3], np.abs(xi[3:]))))},
    "25 terms of the series": {"exp_twist": series},
    "no rotation below 1e-10 rad": {"exp_twist": straight},
    "the length of the axis is rounded up": along(
        lambda a, b, p, q, d: unit_twist(b / np.ceil(np.linalg.norm(b)), p, q, d)
    ),
    "the absolute value of the angle": along(lambda a, b, p, q, d: (abs(q) * a, abs(q) * np.cross(p, a) + d * a)),
    "the absolute value of the advance": along(lambda a, b, p, q, d: (q * a, q * np.cross(p, a) + abs(d) * a)),
}
SLIPS = {
    "in v, you use the axis without": along(lambda a, b, p, q, d: (q * a, q * np.cross(p, b) + d * b)),
    "in −ω × p, you use the axis without": along(lambda a, b, p, q, d: (q * a, q * np.cross(p, b) + d * a)),
    "in ω, you use the axis without": along(lambda a, b, p, q, d: (q * b, q * np.cross(p, b) + d * a)),
    "the advance for 1 rad": along(lambda a, b, p, q, d: (q * a, q * np.cross(p, a) + (d / q if q else d) * a)),
    "the angle is missing in −ω × p": along(lambda a, b, p, q, d: (q * a, np.cross(p, a) + d * a)),
    "you rotate by 1 rad": along(lambda a, b, p, q, d: (a, np.cross(p, a) + d * a)),
    "expected its exponential, expm": along(lambda a, b, p, q, d: (q * a, q * np.cross(p, a) + d * a), end=lambda X: X),
    "this is [ξ]": {"exp_twist": bracket},
    "Rodrigues' formula for a unit axis": {
        "exp_twist": lambda xi: pose(unit_axis(hat(xi[:3]), np.linalg.norm(xi[:3])), xi[3:])
    },
}
