import numpy as np

from lessons_lib import lie


def body_step(J_s, V_s, T_sb):
    Ad = np.linalg.inv(lie.adjoint(T_sb))
    return np.linalg.lstsq(Ad @ J_s, Ad @ V_s, rcond=None)[0]


def answers(inverse):
    """An answer made of a way to solve J δ = V."""

    def space_step(chain, T_sd, q):
        T_sb = chain.forward_kinematics(q)
        return q + inverse(chain.space_jacobian(q), lie.adjoint(T_sb) @ lie.log_se3(np.linalg.inv(T_sb) @ T_sd))

    return {"space_step": space_step, "body_step_from_space": body_step}


def use_six_joints(J_s, V_s, T_sb):
    """A least-squares step, but with more than six joints not the shortest."""
    return np.append(body_step(J_s[:, :6], V_s, T_sb), np.zeros(J_s.shape[1])[6:])


def ignore_small_singular_values(J_s, V_s, T_sb):
    """The step with a coarse rcond: near a singularity, it ignores a direction."""
    to_body = lie.adjoint(lie.inverse(T_sb))
    return np.linalg.pinv(to_body @ J_s, rcond=1e-2) @ (to_body @ V_s)


def wrap_step(J_s, V_s, T_sb):
    return (body_step(J_s, V_s, T_sb) + np.pi) % (2 * np.pi) - np.pi


RIGHT = {"lstsq": answers(lambda J, V: np.linalg.lstsq(J, V, rcond=None)[0])}
UNNAMED = {"a coarse rcond": answers(lambda J, V: np.linalg.pinv(J, rcond=1e-3) @ V)}
SLIPS = {"np.linalg.pinv does not": answers(np.linalg.solve)}
WRONG = {
    "a step that is not the shortest": {"body_step_from_space": use_six_joints},
    "a step wrapped to 180°": {"body_step_from_space": wrap_step},
    "a coarse rcond in the body frame": {"body_step_from_space": ignore_small_singular_values},
}
