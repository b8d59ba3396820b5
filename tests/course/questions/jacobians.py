import numpy as np
from independent_kinematics import at, depends, tip_jacobian, vee6
from lesson_questions import Truth

from lessons_lib import robots


def predict_step() -> Truth:
    ur10, q = robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    here = at(ur10, q)

    def error(h: float) -> float:
        ahead = [at(ur10, q + h * one).T for one in np.eye(6)]
        columns = [vee6((T - here.T) / h @ np.linalg.inv(here.T)) for T in ahead]
        return np.abs(np.transpose(columns) - here.J_s).max()

    errors = [error(h) for h in (1e-15, 1e-8, 1e-3)]
    return [e == min(errors) for e in errors]


def predict_carried() -> Truth:
    panda = robots.panda()
    joints = depends(lambda q: at(panda, q).J_s[:, 1], 7)
    return [joints == {1}, joints == {1, 2}, joints == set(range(1, 8))]


def predict_felt() -> Truth:
    arm = robots.planar_2r()
    joints = depends(lambda q: at(arm, q).J_b, 2)
    return [joints == {2}, joints == {1}, joints == {1, 2}]


def predict_origin() -> Truth:
    arm, q = robots.planar_2r(), np.radians([0, 30])
    column = at(arm, q).J_s[:, 0]
    return [np.linalg.norm(column[3:]), np.linalg.norm(tip_jacobian(arm, q)[:, 0]), np.linalg.norm(column[:3])]
