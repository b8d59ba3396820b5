import numpy as np
from independent_kinematics import Matrix, Z, hat6
from lesson_questions import Truth
from scipy.linalg import expm, logm


def door() -> Matrix:
    """A quarter revolution of lesson 03's door about its axis at −0.9 m."""
    return np.pi / 2 * np.array([*Z, *-np.cross(Z, [-0.9, 0, 0])])


def predict_handle() -> Truth:
    return [np.linalg.norm(expm(hat6(door()))[:3, 3]), np.linalg.norm(door()[3:]), 0.9]


def predict_wheel() -> Truth:
    v = np.cross(Z, np.zeros(3) - [2, 0, 0])
    return [np.allclose(v, way) for way in ([0, 0, 0], [0, 2, 0], [0, -2, 0])]


def predict_pitch() -> Truth:
    omega, v = 2 * Z, 0.5 * Z
    pitch = omega @ v / (omega @ omega)
    return [pitch, v[2], omega @ v, 2 * np.pi * pitch]


def predict_back() -> Truth:
    twists = ([*(2 * np.pi * Z), 0, 0, 0], [*(2 * np.pi * Z), 1, 0, 0], [*(2 * np.pi * Z), *Z], [*(np.pi * Z), 1, 0, 0])
    return [np.allclose(expm(hat6(np.array(twist))), np.eye(4)) for twist in twists]


def predict_halfway() -> Truth:
    hinge = np.array([-0.9, 0, 0, 1])
    rests = np.allclose(expm(logm(expm(hat6(door()))) / 2) @ hinge, hinge)
    return [not rests, rests, not rests]
