"""The typical mistake: the nearest end is taken for granted, though it swaps where the rod is level."""

import numpy as np


def room(h, theta, half, radius):
    """Return the room of the end that is lower where theta is positive, wherever it is."""
    return np.array([h - half * np.sin(theta) - radius, 1.0, -half * np.cos(theta)])
