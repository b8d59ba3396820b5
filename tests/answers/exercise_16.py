"""A virtual wall."""

import numpy as np


def in_the_frame(configuration, frame, normal, offset, gain, dt):
    T = configuration.get_transform_frame_to_world(frame)
    row = (T[:3, :3].T @ normal) @ configuration.get_frame_jacobian(frame)[3:]
    return row, gain * dt * (offset - normal @ T[:3, 3])


def divided(configuration, *given):
    """The same inequality for rates."""
    row, bound = in_the_frame(configuration, *given)
    return row[None, :] / given[-1], np.array([bound / given[-1]])


def as_a_list(configuration, *given):
    return list(divided(configuration, *given))


def turned_round(configuration, *given):
    row, bound = in_the_frame(configuration, *given)
    return -row, bound


def never_behind(configuration, *given):
    row, bound = in_the_frame(configuration, *given)
    return row, max(bound, 0.0)


def without_dt(configuration, frame, normal, offset, gain, dt):
    return in_the_frame(configuration, frame, normal, offset, gain, 1.0)


def without_gain(configuration, frame, normal, offset, gain, dt):
    return in_the_frame(configuration, frame, normal, offset, 1.0, dt)


RIGHT = {f.__name__: {"wall_row": f} for f in (in_the_frame, divided, as_a_list)}
WRONG = {f.__name__: {"wall_row": f} for f in (turned_round, never_behind, without_dt, without_gain)}
