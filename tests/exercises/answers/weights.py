"""Build the weights of a tool."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lessons_lib import lie


def by_rows(p, o, tool):
    """Each row of the far end's Jacobian, weighed."""
    x, y, z = tool
    end = np.array([[0, z, -y, 1, 0, 0], [-z, 0, x, 0, 1, 0], [y, -x, 0, 0, 0, 1]])
    turn = np.eye(6)[:3]
    return (p * end).T @ (p * end) + (o * turn).T @ (o * turn)


def by_adjoint(p, o, tool):
    """In the frame of the torch's end, where W is diagonal."""
    T = np.eye(4)
    T[:3, 3] = tool
    Ad = lie.adjoint(lie.inverse(T))
    return Ad.T @ np.diag([o**2] * 3 + [p**2] * 3) @ Ad


def solved(J, V, W, damping):
    return np.linalg.inv(J.T @ W @ J + damping**2 * np.eye(J.shape[1])) @ J.T @ W @ V


def cholesky(J, V, W, damping):
    return cho_solve(cho_factor(J.T @ W @ J + damping**2 * np.eye(J.shape[1])), J.T @ W @ V)


def stacked(J, V, W, damping):
    values, vectors = np.linalg.eigh(W)
    root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    A = np.vstack([root @ J, damping * np.eye(J.shape[1])])
    return np.linalg.lstsq(A, np.append(root @ V, np.zeros(J.shape[1])), rcond=None)[0]


def answers(weights=by_rows, step=solved):
    return {"tool_weights": weights, "weighted_step": step}


def alone(J, V, W, damping):
    return np.linalg.solve(J.T @ J + damping**2 * np.eye(J.shape[1]), J.T @ W @ V)


def every_entry(J, V, W, damping):
    return np.linalg.solve(J.T @ W @ J + damping**2, J.T @ W @ V)


RIGHT = {
    "rows": answers(),
    "adjoint": answers(by_adjoint, cholesky),
    "stacked": answers(step=stacked),
    "lists": answers(lambda *given: by_rows(*given).tolist()),
}
SLIPS = {
    "its blocks are in Pink's order": answers(lambda p, o, tool: np.roll(by_rows(p, o, tool), (3, 3), (0, 1))),
    "the costs are not squared": answers(lambda p, o, tool: by_rows(np.sqrt(p), np.sqrt(o), tool)),
    "the position's cost is not squared": answers(lambda p, o, tool: by_rows(np.sqrt(p), o, tool)),
    "the costs are exchanged": answers(lambda p, o, tool: by_rows(o, p, tool)),
    "the tool is missing": answers(lambda p, o, tool: by_rows(p, o, 0 * tool)),
    "the lever is on the diagonal only": answers(lambda p, o, tool: np.diag(np.diag(by_rows(p, o, tool)))),
    "‖p_t‖² multiplies all of ω": answers(lambda p, o, tool: np.diag([o**2 + p**2 * tool @ tool] * 3 + [p**2] * 3)),
    "the tool points the other way": answers(lambda p, o, tool: by_rows(p, o, -tool)),
    "this is W for κ_o = 0": answers(lambda p, o, tool: by_rows(p, 0, tool)),
    "the lever is not multiplied by κ_p": answers(
        lambda p, o, tool: by_rows(p, o, tool) + (1 - p**2) * np.pad(by_rows(1, 0, tool)[:3, :3], (0, 3))
    ),
    "your answer is half the right one": answers(lambda p, o, tool: by_rows(p, o, tool) / 2),
    "W is missing beside J": answers(step=alone),
    "W is missing altogether": answers(step=lambda J, V, W, damping: solved(J, V, np.eye(6), damping)),
    "the diagonal holds λ and not λ²": answers(step=lambda J, V, W, damping: solved(J, V, W, np.sqrt(damping))),
    "W is squared": answers(step=lambda J, V, W, damping: solved(J, V, W @ W, damping)),
    "only the diagonal of W": answers(step=lambda J, V, W, damping: solved(J, V, np.diag(np.diag(W)), damping)),
    "λ² is added to every entry": answers(step=every_entry),
    "the sign is flipped": answers(step=lambda *given: -solved(*given)),
    "your function returned None": answers(lambda *_: None),
    "your function returned shape (6,)": answers(lambda p, o, tool: np.diag(by_rows(p, o, tool))),
}
UNNAMED = {
    "a little off": answers(lambda p, o, tool: by_rows(p, o, tool) + 0.0123),
    "a step a little off": answers(step=lambda *given: solved(*given) + 0.0123),
}
