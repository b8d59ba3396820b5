"""The typical mistake: the place is passed at a steady speed, though the arm may slow down or speed up there."""

import numpy as np


def top_speed(first, second, v, a):
    """Return the speed with which the limits are kept without any acceleration along the path."""
    with np.errstate(divide="ignore"):
        return min(np.min(v / np.abs(first)), np.sqrt(np.min(a / np.abs(second))))
