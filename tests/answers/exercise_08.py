"""One step of Newton's."""

import numpy as np

from lessons_lib import lie


def step_by(inverse):
    """A solution made of a way to solve J δ = V."""

    def newton_step(chain, T_sd, q):
        V_b = lie.log_se3(np.linalg.inv(chain.forward_kinematics(q)) @ T_sd)
        return q + inverse(chain.body_jacobian(q), V_b)

    return {"newton_step": newton_step}


def by_svd(J, V):
    U, s, Yt = np.linalg.svd(J, full_matrices=False)
    return Yt.T @ ((U.T @ V) / s)


def by_qr(J, V):
    Q, R = np.linalg.qr(J)
    return np.linalg.solve(R, Q.T @ V)


RIGHT = {
    "lstsq": step_by(lambda J, V: np.linalg.lstsq(J, V, rcond=None)[0]),
    "normal equations": step_by(lambda J, V: np.linalg.solve(J.T @ J, J.T @ V)),
    "SVD": step_by(by_svd),
    "QR": step_by(by_qr),
}
WRONG = {
    "transpose": step_by(lambda J, V: J.T @ V),
    "sign": step_by(lambda J, V: -np.linalg.pinv(J) @ V),
    "damped": step_by(lambda J, V: np.linalg.solve(J.T @ J + 1e-3 * np.eye(J.shape[1]), J.T @ V)),
}
