"""The typical mistake: Newton's step, which divides by singular values that are nearly zero."""

import numpy as np


def damped_step(J, e, damping):
    """Return the pseudoinverse's step, with no damping in it."""
    return np.linalg.pinv(J) @ e


def nearest(arm, p_d, q):
    """Bring the tip to p_d with that step."""
    for _ in range(1000):
        step = damped_step(tip_jacobian(arm, q), p_d - tip(arm, q), damping=1.0)  # noqa: F821
        q = q + step
        if np.linalg.norm(step) < 1e-10:
            break
    return q, bool(np.linalg.norm(p_d - tip(arm, q)) < 1e-6)  # noqa: F821
