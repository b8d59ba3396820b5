"""A typical mistake, to be put in place of the solution: the body Jacobian, T⁻¹·dT."""

import numpy as np

from lessons_lib import lie


def numeric_space_jacobian(chain, q, h=1e-5):
    """Read the motion in the frame of the tip."""
    T_inverse = lie.inverse(chain.forward_kinematics(q))
    columns = []
    for step in h * np.eye(chain.dof):
        ahead, behind = chain.forward_kinematics(q + step), chain.forward_kinematics(q - step)
        columns.append(lie.vee_se3(T_inverse @ (ahead - behind) / (2 * h)))
    return np.column_stack(columns)
