"""A weighted step."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def stacked(J, V, w, damping):
    root, n = np.sqrt(w), J.shape[1]
    A = np.vstack([root[:, None] * J, damping * np.eye(n)])
    return np.linalg.lstsq(A, np.append(root * V, np.zeros(n)), rcond=None)[0]


def by_svd(J, V, w, damping):
    root = np.sqrt(np.asarray(w))
    U, s, Yt = np.linalg.svd(np.diag(root) @ J, full_matrices=False)
    return Yt.T @ (s / (s**2 + damping**2) * (U.T @ (root * V)))


def cholesky(J, V, w, damping):
    W = np.diag(w)
    return cho_solve(cho_factor(J.T @ W @ J + damping**2 * np.eye(J.shape[1])), J.T @ W @ V)


def outer(J, V, w, damping):
    W = np.diag(np.sqrt(w))
    return J.T @ W @ np.linalg.solve(W @ J @ J.T @ W + damping**2 * np.eye(6), W @ V)


def swapped(J, V, w, damping):
    return stacked(J, V, np.roll(w, 3), damping)


def one_sided(J, V, w, damping):
    return np.linalg.solve(J.T @ J + damping**2 * np.eye(J.shape[1]), J.T @ (w * V))


def plain(J, V, w, damping):
    return stacked(J, V, w, np.sqrt(damping))


NAME = "weighted_step"
RIGHT = {"stacked": {NAME: stacked}, "SVD": {NAME: by_svd}, "Cholesky": {NAME: cholesky}, "JJᵀ": {NAME: outer}}
WRONG = {
    "weights as (v, ω)": {NAME: swapped},
    "W beside V alone": {NAME: one_sided},
    "λ for λ²": {NAME: plain},
    "squared weights": {NAME: lambda J, V, w, damping: stacked(J, V, w**2, damping)},
}
