"""Close the loop."""

import numpy as np

from lessons_lib import lie


def in_space(chain, q, T_sd, V_d, gain):
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    twist = gain * lie.adjoint(T_sb) @ V_b + lie.adjoint(T_sd) @ V_d
    return np.linalg.lstsq(chain.space_jacobian(q), twist, rcond=None)[0]


def wanted(chain, q, T_sd, V_d, gain):
    T_bd = np.linalg.inv(chain.forward_kinematics(q)) @ T_sd
    return gain * lie.log_se3(T_bd) + lie.adjoint(T_bd) @ V_d


def normal_equations(chain, q, *rest):
    J = chain.body_jacobian(q)
    return J.T @ np.linalg.solve(J @ J.T, wanted(chain, q, *rest))


def from_the_target(chain, q, T_sd, V_d, gain):
    """In {d}: V_b is its own image there, for it lies along the logarithm."""
    T_bd = lie.inverse(chain.forward_kinematics(q)) @ T_sd
    J_d = lie.adjoint(lie.inverse(T_bd)) @ chain.body_jacobian(q)
    return np.linalg.pinv(J_d) @ (gain * lie.log_se3(T_bd) + V_d)


def feedback_alone(chain, q, T_sd, V_d, gain):
    return in_space(chain, q, T_sd, 0 * V_d, gain)


def in_the_wrong_frame(chain, q, T_sd, V_d, gain):
    V_b = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ T_sd)
    return np.linalg.pinv(chain.body_jacobian(q)) @ (gain * V_b + V_d)


def damped(chain, q, *rest):
    J = chain.body_jacobian(q)
    return J.T @ np.linalg.solve(J @ J.T + 0.04 * np.eye(6), wanted(chain, q, *rest))


RIGHT = {
    "space frame": {"joint_rates": in_space},
    "normal equations": {"joint_rates": normal_equations},
    "in the target's frame": {"joint_rates": from_the_target},
}
WRONG = {
    "feedback alone": {"joint_rates": feedback_alone},
    "V_d as it is": {"joint_rates": in_the_wrong_frame},
    "damped": {"joint_rates": damped},
}
