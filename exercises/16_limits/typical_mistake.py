"""The typical mistake: γ d bounds a rate, and the row is one of displacements."""

import numpy as np


def wall_row(configuration, frame, normal, offset, gain, dt):
    """Return a row that is right for steps of one second only."""
    position = configuration.get_transform_frame_to_world(frame)[:3, 3]
    row = normal @ configuration.get_velocity_jacobian(frame)
    return row[None, :], np.array([gain * (offset - normal @ position)])
