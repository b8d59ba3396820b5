import numpy as np

from lessons_lib import lie


def space_twist(chain, T_sd, q):
    T_sb = chain.forward_kinematics(q)
    return lie.adjoint(T_sb) @ lie.log_se3(np.linalg.inv(T_sb) @ T_sd)


def in_body(J_s, V_s, T_sb):
    Ad = np.linalg.inv(lie.adjoint(T_sb))
    return np.linalg.lstsq(Ad @ J_s, Ad @ V_s, rcond=None)[0]


def answers(inverse=None, twist=space_twist, jacobian="space_jacobian", after=lambda q, step: q + step, body=in_body):
    """An answer made of a way to solve J δ = V, of a twist, a Jacobian, and what becomes of q and δ."""
    inverse = inverse or (lambda J, V: np.linalg.pinv(J) @ V)

    def space_step(chain, T_sd, q):
        return after(q, inverse(getattr(chain, jacobian)(q), twist(chain, T_sd, q)))

    return {"space_step": space_step, "body_step_from_space": body}


RIGHT = {
    "lstsq": answers(lambda J, V: np.linalg.lstsq(J, V, rcond=None)[0]),
}
SLIPS = {
    "np.linalg.pinv does not": answers(lambda J, V: np.linalg.solve(J, V)),
}
