"""Configurations away from limits and singular ones, where rounding stays small."""

import numpy as np

from lessons_lib.robots import Chain


def regular(chain: Chain, rng: np.random.Generator, most: float = 30.0) -> np.ndarray:
    """Return a random configuration at least 0.3 within the limits, where the Jacobian's condition is below `most`."""
    while True:
        q = chain.random_configuration(rng)
        inside = (q > chain.limits[:, 0] + 0.3).all() and (q < chain.limits[:, 1] - 0.3).all()
        if inside and np.linalg.cond(chain.body_jacobian(q)) < most:
            return q
