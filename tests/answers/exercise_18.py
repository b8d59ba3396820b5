"""Keep a foot down."""

import numpy as np


def in_the_foot(configuration, foot, place):
    T = configuration.get_transform_frame_to_world(foot)
    return configuration.get_frame_jacobian(foot)[3:], T[:3, :3].T @ (place - T[:3, 3])


def in_the_world(configuration, foot, place):
    gap = configuration.get_transform_frame_to_world(foot)[:3, 3] - place
    return [-configuration.get_velocity_jacobian(foot), gap]


def mixed(configuration, foot, place):
    """Any three combinations of the three."""
    mix = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 0.5], [0.3, 0.0, 40.0]])
    A, b = in_the_foot(configuration, foot, place)
    return mix @ A, mix @ b


def frames_mixed(configuration, foot, place):
    return configuration.get_frame_jacobian(foot)[3:], place - configuration.get_transform_frame_to_world(foot)[:3, 3]


def angular(configuration, foot, place):
    _, b = in_the_foot(configuration, foot, place)
    return configuration.get_frame_jacobian(foot)[:3], b


def no_return(configuration, foot, place):
    return in_the_foot(configuration, foot, place)[0], np.zeros(3)


def halfway(configuration, foot, place):
    A, b = in_the_foot(configuration, foot, place)
    return A, b / 2


RIGHT = {f.__name__: {"foot_rows": f} for f in (in_the_foot, in_the_world, mixed)}
WRONG = {f.__name__: {"foot_rows": f} for f in (frames_mixed, angular, no_return, halfway)}
