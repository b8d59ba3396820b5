"""Take Newton's step in either frame."""

import numpy as np

from lessons_lib import lie


def space_twist(chain, T_sd, q):
    T_sb = chain.forward_kinematics(q)
    return lie.adjoint(T_sb) @ lie.log_se3(np.linalg.inv(T_sb) @ T_sd)


def carried(J_s, V_s, T_sb):
    Ad = np.linalg.inv(lie.adjoint(T_sb))
    return np.linalg.lstsq(Ad @ J_s, Ad @ V_s, rcond=None)[0]


def weighted(J_s, V_s, T_sb):
    """In {s}, with the weights that make lengths those of the body."""
    Ad = lie.adjoint(lie.inverse(T_sb))
    W = Ad.T @ Ad
    return np.linalg.solve(J_s.T @ W @ J_s, J_s.T @ W @ V_s)


def answers(inverse=None, twist=space_twist, jacobian="space_jacobian", after=lambda q, step: q + step, body=carried):
    """An answer made of a way to solve J δ = V, of a twist, a Jacobian, and what becomes of q and δ."""
    inverse = inverse or (lambda J, V: np.linalg.pinv(J) @ V)

    def space_step(chain, T_sd, q):
        return after(q, inverse(getattr(chain, jacobian)(q), twist(chain, T_sd, q)))

    return {"space_step": space_step, "body_step_from_space": body}


def body_twist(chain, T_sd, q):
    return lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ T_sd)


def by_svd(J, V):
    U, s, Yt = np.linalg.svd(J, full_matrices=False)
    return Yt.T @ ((U.T @ V) / s)


def wrapped(q, step):
    return (q + step + np.pi) % (2 * np.pi) - np.pi


def subtracted(chain, T_sd, q):
    return lie.log_se3(T_sd) - lie.log_se3(chain.forward_kinematics(q))


RIGHT = {
    "lstsq": answers(lambda J, V: np.linalg.lstsq(J, V, rcond=None)[0]),
    "lists": answers(after=lambda q, step: (q + step).tolist(), body=lambda *given: list(carried(*given))),
    "SVD": answers(by_svd, body=weighted),
    "angles within half a turn": answers(after=wrapped),
    "logarithm in space": answers(
        twist=lambda chain, T_sd, q: lie.log_se3(T_sd @ lie.inverse(chain.forward_kinematics(q)))
    ),
}
SLIPS = {
    "your answer is zero": answers(after=lambda q, step: 0 * q),
    "at the target the step δ is zero": answers(lambda J, V: J.T @ V, after=lambda q, step: step),
    "q + δ is q": answers(after=lambda q, step: -step),
    "you returned the step δ alone": answers(after=lambda q, step: step),
    "you returned degrees": answers(after=lambda q, step: np.degrees(q + step)),
    "you add a step in degrees": answers(after=lambda q, step: q + np.degrees(step)),
    "a step away from the target": answers(after=lambda q, step: q - step),
    "you multiply V_s by the transpose": answers(lambda J, V: J.T @ V),
    "this is the step of the body frame": answers(twist=body_twist, jacobian="body_jacobian"),
    "you pair the space Jacobian with the body twist": answers(twist=body_twist),
    "you pair the body Jacobian with the space twist": answers(jacobian="body_jacobian"),
    "you subtract logarithms": answers(twist=subtracted),
    "np.linalg.pinv does not": answers(lambda J, V: np.linalg.solve(J, V)),
    "your function returned None": answers(after=lambda q, step: None),
    "this is still the step of the space frame": answers(body=lambda J, V, T: np.linalg.pinv(J) @ V),
    "but the Jacobian is still in {s}": answers(
        body=lambda J, V, T: np.linalg.pinv(J) @ (lie.adjoint(lie.inverse(T)) @ V)
    ),
    "which leads from {b} to {s}": answers(
        body=lambda J, V, T: np.linalg.pinv(lie.adjoint(T) @ J) @ lie.adjoint(T) @ V
    ),
}
UNNAMED = {
    "damped": answers(lambda J, V: J.T @ np.linalg.solve(J @ J.T + 1e-3 * np.eye(6), V)),
    "a little off": answers(body=lambda J, V, T: carried(J, V, T) + 0.0123),
}
