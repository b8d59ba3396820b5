"""The typical mistake: always the same end is taken as the nearest one."""

import numpy as np


def clearance(h, theta, half, radius):
    """Return the clearance of the end that is lower for positive theta."""
    return np.array([h - half * np.sin(theta) - radius, 1.0, -half * np.cos(theta)])
