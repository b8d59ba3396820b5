import numpy as np

from lessons_lib import lie


def in_space(chain, q, T_sd, V_d, gain):
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    twist = gain * lie.adjoint(T_sb) @ V_b + lie.adjoint(T_sd) @ V_d
    return np.linalg.lstsq(chain.space_jacobian(q), twist, rcond=None)[0]


def desired_twist(chain, q, T_sd, V_d, gain):
    T_bd = np.linalg.inv(chain.forward_kinematics(q)) @ T_sd
    return gain * lie.log_se3(T_bd) + lie.adjoint(T_bd) @ V_d


def by_damping(chain, q, *rest):
    J = chain.body_jacobian(q)
    return J.T @ np.linalg.solve(J @ J.T + 0.04 * np.eye(6), desired_twist(chain, q, *rest))


RIGHT = {
    "space frame": {"joint_rates": in_space},
}
WRONG = {
    "damped": {"joint_rates": by_damping},
}


def slowed_by(change):
    return {"slowed": change}


def by_seconds(rates, limits):
    """How long a second's motion takes at least."""
    return rates / np.concatenate([[1.0], np.abs(rates / limits)]).max()


RIGHT |= {
    "time that it takes": slowed_by(by_seconds),
}
