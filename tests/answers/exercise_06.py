"""A Jacobian by differences."""

import numpy as np

from lessons_lib import lie


def by_logarithm(chain, q, h=1e-5):
    f = chain.forward_kinematics
    steps = h * np.eye(chain.dof)
    return np.transpose([lie.log_se3(f(q + step) @ lie.inverse(f(q - step))) / (2 * h) for step in steps])


def over_the_body(chain, q, h=1e-5):
    f = chain.forward_kinematics
    T = f(q)
    columns = [lie.vee_se3(lie.inverse(T) @ (f(q + step) - f(q - step)) / (2 * h)) for step in h * np.eye(chain.dof)]
    return lie.adjoint(T) @ np.transpose(columns)


def by_hand(chain, q, h=1e-5):
    T, J = chain.forward_kinematics(q), np.zeros((6, chain.dof))
    for i in range(chain.dof):
        ahead, behind = np.array(q), np.array(q)
        ahead[i] += h
        behind[i] -= h
        dT = (chain.forward_kinematics(ahead) - chain.forward_kinematics(behind)) / (2 * h)
        W = dT[:3, :3] @ T[:3, :3].T
        omega = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
        J[:, i] = *omega, *(dT[:3, 3] - np.cross(omega, T[:3, 3]))
    return J


def one_sided_logarithm(chain, q, h=1e-5):
    """One joint turns about one screw: the logarithm is exact, and needs no second side."""
    f = chain.forward_kinematics
    T = lie.inverse(f(q))
    return np.transpose([lie.log_se3(f(q + step) @ T) / h for step in h * np.eye(chain.dof)])


def one_sided_difference(chain, q, h=1e-5):
    f = chain.forward_kinematics
    ahead = [(f(q + step) - f(q)) / h @ lie.inverse(f(q)) for step in h * np.eye(chain.dof)]
    return np.transpose([[W[2, 1], W[0, 2], W[1, 0], *W[:3, 3]] for W in ahead])


def velocity_of_the_tip(chain, q, h=1e-5):
    J = by_hand(chain, q, h)
    J[3:] += np.cross(J[:3], chain.forward_kinematics(q)[:3, 3], axisa=0, axisc=0)
    return J


NAME = "numeric_space_jacobian"
RIGHT = {
    "logarithm": {NAME: by_logarithm},
    "one-sided logarithm": {NAME: one_sided_logarithm},
    "over the body": {NAME: over_the_body},
    "by hand": {NAME: by_hand},
}
WRONG = {
    "one-sided": {NAME: one_sided_difference},
    "the tip's own velocity": {NAME: velocity_of_the_tip},
    "2h forgotten": {NAME: lambda chain, q, h=1e-5: 2 * by_hand(chain, q, h)},
    "body Jacobian": {NAME: lambda chain, q, h=1e-5: chain.body_jacobian(q)},
    "(v, ω)": {NAME: lambda chain, q, h=1e-5: lie.swap_halves(by_hand(chain, q, h))},
}
