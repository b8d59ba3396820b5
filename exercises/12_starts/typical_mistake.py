"""The typical mistake: the samples are compared by their positions alone."""

import numpy as np


def best_start(chain, target, q_0, k, rng):
    """Return the configuration whose tip is nearest to the target."""
    best = q_0
    for _ in range(k):
        q = chain.random_configuration(rng)
        tips = [chain.forward_kinematics(candidate)[:3, 3] for candidate in (q, best)]
        if np.linalg.norm(tips[0] - target[:3, 3]) < np.linalg.norm(tips[1] - target[:3, 3]):
            best = q
    return best
