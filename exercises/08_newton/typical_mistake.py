"""A typical mistake, to be put in place of the solution: the space Jacobian with the body twist."""

import numpy as np

from lessons_lib import lie


def newton_step(chain, T_sd, q):
    """Pair a Jacobian and a twist of different frames."""
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    return q + np.linalg.pinv(chain.space_jacobian(q)) @ V_b
