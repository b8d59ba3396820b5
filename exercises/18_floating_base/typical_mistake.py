"""The typical mistake: A is in the axes of the foot, but b is in those of the world."""

import numpy as np


def foot_rows(configuration, foot, place):
    """Return the velocity of the origin in the foot's frame, and the gap in the world's."""
    p = configuration.get_transform_frame_to_world(foot)[:3, 3]
    return configuration.get_frame_jacobian(foot)[3:], np.asarray(place) - p
