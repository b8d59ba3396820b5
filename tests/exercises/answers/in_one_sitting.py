"""Let the damping fall with the error, and bound the step."""

import numpy as np
import sympy as sp


def by_least_squares(V, J, c, weights):
    """The same step as the solution of one least-squares problem."""
    root = np.sqrt(np.asarray(weights))
    damping = np.sqrt(c * np.sum(root**2 * V**2) / 2)
    rows = np.vstack([root[:, None] * J, damping * np.eye(J.shape[1])])
    return np.linalg.lstsq(rows, np.concatenate([root * V, np.zeros(J.shape[1])]), rcond=None)[0]


def by_svd(V, J, c, weights):
    root = np.sqrt(np.asarray(weights))
    U, s, Yt = np.linalg.svd(root[:, None] * J, full_matrices=False)
    damping = c * (root * V) @ (root * V) / 2
    return (Yt.T @ (s / (s**2 + damping) * (U.T @ (root * V)))).tolist()


def step(damping, left=lambda W: W, right=lambda W: W, after=lambda delta: delta):
    """An answer made of a formula for λ², and of what stands in the place of W on both sides."""

    def fading_step(V, J, c, weights):
        W = np.diag(weights)
        square = J.T @ left(W) @ J + damping(V, W, c) * np.eye(J.shape[1])
        return after(np.linalg.solve(square, J.T @ right(W) @ V))

    return {"fading_step": fading_step}


def energy(V, W, c):
    return c * V @ W @ V / 2


def unweighted(V, W, c):
    return c * V @ V / 2


def ones(W):
    return np.eye(len(W))


def squared(W):
    return W @ W


def bound(formula):
    return {"longest_step": formula}


RIGHT = {
    "least squares": {"fading_step": by_least_squares},
    "SVD, and a list": {"fading_step": by_svd},
    "another form of the bound": bound(lambda c: sp.sqrt(2) / (2 * sp.sqrt(c))),
}
SLIPS = {
    "you add λ, and the equation has λ²": step(lambda V, W, c: np.sqrt(energy(V, W, c))),
    "you add λ⁴": step(lambda V, W, c: energy(V, W, c) ** 2),
    "the factor ½ of E is missing": step(lambda V, W, c: 2 * energy(V, W, c)),
    "holds the length of the error": step(lambda V, W, c: c * np.sqrt(V @ W @ V) / 2),
    "it grows while the error falls": step(lambda V, W, c: c / (V @ W @ V / 2)),
    "it does not depend on the error": step(lambda V, W, c: c),
    "the weights are missing in E": step(unweighted),
    "the weights are missing everywhere": step(unweighted, ones, ones),
    "the weights are missing on the right side": step(energy, right=ones),
    "the weights are missing in JᵀWJ": step(energy, left=ones),
    "your weights are squared": step(lambda V, W, c: energy(V, W @ W, c), squared, squared),
    "this is Newton's step": step(lambda V, W, c: 0.0),
    "the sign is flipped": step(energy, after=np.negative),
    "your answer is in degrees": step(energy, after=np.degrees),
    "your function returned None": step(energy, after=lambda delta: None),
    "the ½ of λ² is missing": bound(lambda c: 1 / (2 * sp.sqrt(c))),
    "it is twice the right one": bound(lambda c: sp.sqrt(2 / c)),
    "this is the square of the right one": bound(lambda c: 1 / (2 * c)),
    "so the bound falls with c": bound(lambda c: sp.sqrt(2 * c)),
}
UNNAMED = {
    "a tenth more": step(lambda V, W, c: 1.1 * energy(V, W, c)),
    "too long by a tenth": step(energy, after=lambda delta: 1.1 * delta),
    "no least bound": bound(lambda c: 1 / sp.sqrt(c)),
}
