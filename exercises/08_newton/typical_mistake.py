"""A typical mistake, to be put in place of the solution: a Jacobian and a twist of different frames, twice."""

import numpy as np

from lessons_lib import lie


def space_step(chain, T_sd, q):
    """Pair the space Jacobian with the body twist."""
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    return q + np.linalg.pinv(chain.space_jacobian(q)) @ V_b


def body_step_from_space(J_s, V_s, T_sb):
    """Pair the space Jacobian with the body twist."""
    return np.linalg.pinv(J_s) @ (lie.adjoint(lie.inverse(T_sb)) @ V_s)
