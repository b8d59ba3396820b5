import numpy as np

from lessons_lib import lie


def in_space(chain, q, T_sd, V_d, gain, damping=0.0):
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    twist = gain * lie.adjoint(T_sb) @ V_b + lie.adjoint(T_sd) @ V_d
    tall = np.vstack([chain.space_jacobian(q), damping * np.eye(chain.dof)])
    return np.linalg.lstsq(tall, np.append(twist, np.zeros(chain.dof)), rcond=None)[0]


def by_seconds(rates, limits):
    """How long a second's motion takes at least."""
    return rates / np.concatenate([[1.0], np.abs(rates / limits)]).max()


RIGHT = {"space frame": {"joint_rates": in_space}, "time that it takes": {"slowed": by_seconds}}
WRONG = {
    "damped": {"joint_rates": lambda *given: in_space(*given, damping=0.2)},
    "its own gain": {"joint_rates": lambda chain, q, T_sd, V_d, gain: in_space(chain, q, T_sd, V_d, 5.0)},
}
