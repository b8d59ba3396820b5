"""The typical mistake: Newton's step, which divides by singular values that are nearly zero."""

import numpy as np


def nearest(arm, p_d, q):
    """Bring the tip to p_d with the pseudoinverse."""
    for _ in range(500):
        J, e = tip_jacobian(arm, q), p_d - tip(arm, q)  # noqa: F821
        step = np.linalg.pinv(J) @ e
        q = q + step
        if np.linalg.norm(step) < 1e-10:
            break
    return q, bool(np.linalg.norm(p_d - tip(arm, q)) < 1e-6)  # noqa: F821
