"""Let the damping fall with the error, and bound the step."""

import numpy as np
import sympy as sp


def by_least_squares(V, J, c, weights):
    """The same step as the solution of one least-squares problem."""
    root = np.sqrt(np.asarray(weights))
    damping = np.sqrt(c * np.sum(root**2 * V**2) / 2)
    rows = np.vstack([root[:, None] * J, damping * np.eye(J.shape[1])])
    return np.linalg.lstsq(rows, np.concatenate([root * V, np.zeros(J.shape[1])]), rcond=None)[0]


def step(damping, left=lambda W: W, right=lambda W: W, after=lambda delta: delta):
    """An answer made of a formula for λ², and of what stands in the place of W on both sides."""

    def fading_step(V, J, c, weights):
        W = np.diag(weights)
        square = J.T @ left(W) @ J + damping(V, W, c) * np.eye(J.shape[1])
        return after(np.linalg.solve(square, J.T @ right(W) @ V))

    return {"fading_step": fading_step}


def energy(V, W, c):
    return c * V @ W @ V / 2


def bound(formula):
    return {"longest_step": formula}


RIGHT = {
    "least squares": {"fading_step": by_least_squares},
    "another form of the bound": bound(lambda c: sp.sqrt(2) / (2 * sp.sqrt(c))),
}
SLIPS = {
    "you add λ, and the equation has λ²": step(lambda V, W, c: np.sqrt(energy(V, W, c))),
    "the sign is flipped": step(energy, after=np.negative),
    "your answer is in degrees": step(energy, after=np.degrees),
    "the ½ of λ² is missing": bound(lambda c: 1 / (2 * sp.sqrt(c))),
    "it is twice the right one": bound(lambda c: sp.sqrt(2 / c)),
}
UNNAMED = {
    "a tenth more": step(lambda V, W, c: 1.1 * energy(V, W, c)),
    "no least bound": bound(lambda c: 1 / sp.sqrt(c)),
}
