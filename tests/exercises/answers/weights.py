import numpy as np


def by_rows(p, o, tool):
    """Each row of the far end's Jacobian, weighed."""
    x, y, z = tool
    end = np.array([[0, z, -y, 1, 0, 0], [-z, 0, x, 0, 1, 0], [y, -x, 0, 0, 0, 1]])
    turn = np.eye(6)[:3]
    return (p * end).T @ (p * end) + (o * turn).T @ (o * turn)


def by_inverse(J, V, W, damping):
    return np.linalg.inv(J.T @ W @ J + damping**2 * np.eye(J.shape[1])) @ J.T @ W @ V


RIGHT = {"rows": {"tool_weights": by_rows, "weighted_step": by_inverse}}
