"""A typical mistake, to be put in place of the solution: the twist in {b}, but the Jacobian still in {s}."""

import numpy as np

from lessons_lib import lie


def space_step(chain, T_sd, q):
    """Take the right step in the space frame."""
    V_s = lie.log_se3(T_sd @ lie.inverse(chain.forward_kinematics(q)))
    return q + np.linalg.pinv(chain.space_jacobian(q)) @ V_s


def body_step_from_space(J_s, V_s, T_sb):
    """Pair the space Jacobian with the body twist."""
    return np.linalg.pinv(J_s) @ (lie.adjoint(lie.inverse(T_sb)) @ V_s)
