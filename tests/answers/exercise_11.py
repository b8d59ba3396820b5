"""A step of bounded length."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def method_of(solved, rule=lambda V, r: np.linalg.norm(V) / (2 * r)):
    """A solution made of a way to find the minimum, and of a rule for λ."""

    @dataclass(frozen=True)
    class BoundedStep:
        longest: float = 1.0

        def step(self, jacobian, error):
            return solved(jacobian, error, rule(error, self.longest))

    return {"BoundedStep": BoundedStep}


def lesson(J, V, damping):
    """Equation (11.2) as it stands there."""
    return np.linalg.solve(J.T @ J + damping**2 * np.eye(J.shape[1]), J.T @ V)


def outer(J, V, damping):
    return J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(6)) @ V


def stack(J, V, damping):
    n = J.shape[1]
    return np.vstack([J, damping * np.eye(n)]), np.concatenate([V, np.zeros(n)])


def stacked(J, V, damping):
    return np.linalg.lstsq(*stack(J, V, damping), rcond=None)[0]


def pinv_of_the_stack(J, V, damping):
    A, b = stack(J, V, damping)
    return np.linalg.pinv(A) @ b


def by_qr(J, V, damping):
    A, b = stack(J, V, damping)
    Q, R = np.linalg.qr(A)
    return np.linalg.solve(R, Q.T @ b)


def filter_factors(J, V, damping):
    U, s, Yt = np.linalg.svd(J, full_matrices=False)
    return Yt.T @ (s / (s**2 + damping**2) * (U.T @ V))


def cholesky(J, V, damping):
    return cho_solve(cho_factor(J.T @ J + damping**2 * np.eye(J.shape[1])), J.T @ V)


RIGHT = {
    "equation (11.2)": method_of(lesson),
    "JJᵀ, inverted": method_of(outer),
    "stacked": method_of(stacked),
    "pinv of the stack": method_of(pinv_of_the_stack),
    "QR of the stack": method_of(by_qr),
    "filter factors": method_of(filter_factors),
    "Cholesky": method_of(cholesky),
}
WRONG = {
    "λ for λ²": method_of(lambda J, V, damping: lesson(J, V, np.sqrt(damping))),
    "‖V‖/r": method_of(lesson, rule=lambda V, r: np.linalg.norm(V) / r),
    "a fixed λ": method_of(lesson, rule=lambda V, r: 0.125),
    "Newton, cut to r": method_of(
        lambda J, V, r: np.linalg.pinv(J) @ V * min(1.0, r / np.linalg.norm(np.linalg.pinv(J) @ V)), rule=lambda V, r: r
    ),
    "sign": method_of(lambda J, V, damping: -lesson(J, V, damping)),
}
