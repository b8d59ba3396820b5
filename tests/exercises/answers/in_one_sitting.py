import numpy as np
import sympy as sp


def by_least_squares(V, J, c, weights):
    """The same step as the solution of one least-squares problem."""
    root = np.sqrt(np.asarray(weights))
    damping = np.sqrt(c * np.sum(root**2 * V**2) / 2)
    rows = np.vstack([root[:, None] * J, damping * np.eye(J.shape[1])])
    return np.linalg.lstsq(rows, np.concatenate([root * V, np.zeros(J.shape[1])]), rcond=None)[0]


def with_damping(damping):
    return {"fading_step": lambda V, J, c, w: np.linalg.solve((J.T * w) @ J + damping(V, c, w), J.T @ (w * V))}


RIGHT = {
    "least squares": {"fading_step": by_least_squares},
    "another form of the bound": {"longest_step": lambda c: sp.sqrt(2) / (2 * sp.sqrt(c))},
    "the bound with decimals": {"longest_step": lambda c: 1 / (2 * c) ** 0.5},
}
SLIPS = {
    "c is missing": with_damping(lambda V, c, w: V @ (w * V) / 2 * np.eye(6)),
    "the weights are squared in E": with_damping(lambda V, c, w: c * np.sum((w * V) ** 2) / 2 * np.eye(6)),
    "your E is an array": with_damping(lambda V, c, w: c * (V * w * V / 2) * np.eye(6)),
    "λ² is added to every entry": with_damping(lambda V, c, w: c * V @ (w * V) / 2),
    "the ½ of λ² is missing": {"longest_step": lambda c: 1 / (2 * sp.sqrt(c))},
    "your answer is twice the right one": {"longest_step": lambda c: sp.sqrt(2 / c)},
}
UNNAMED = {
    "no least bound": {"longest_step": lambda c: 1 / sp.sqrt(c)},
    "at least 1e-8": with_damping(lambda V, c, w: max(c * V @ (w * V) / 2, 1e-8) * np.eye(6)),
    "Newton's step near the target": with_damping(lambda V, c, w: c * V @ (w * V) / 2 * (V @ V > 1e-4) * np.eye(6)),
}
