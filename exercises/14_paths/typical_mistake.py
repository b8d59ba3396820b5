"""The typical mistake: the target's twist is added as it is, though it is written in the target's frame."""

import numpy as np

from lessons_lib import lie


def joint_rates(chain, q, T_sd, V_d, gain):
    """Return the rates for K V_b + V_d."""
    V_b = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ T_sd)
    return np.linalg.pinv(chain.body_jacobian(q)) @ (gain * V_b + V_d)
