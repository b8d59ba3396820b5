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


def changed(A=lambda A, *_: A, b=lambda b, *_: b):
    def foot_rows(configuration, foot, place):
        rows, gap = in_the_foot(configuration, foot, place)
        R = configuration.get_transform_frame_to_world(foot)[:3, :3]
        return A(rows, R), b(gap, R, place)

    return {"foot_rows": foot_rows}


def in_place(configuration, foot, place):
    answer = in_the_foot(configuration, foot, place)
    place *= 0
    return answer


SLIPS = {
    "A is written in the foot's frame, and b in the world's": {"foot_rows": frames_mixed},
    "your rows are the first three of J_b": {"foot_rows": angular},
    "with a zero on the right": {"foot_rows": no_return},
    "it goes half of the way": {"foot_rows": halfway},
    "it goes twice the way": changed(b=lambda b, *_: 2 * b),
    "it goes the wrong way": changed(b=lambda b, *_: -b),
    "b is in mm": changed(b=lambda b, *_: 1000 * b),
    "b is turned into the foot's frame, and A": changed(A=lambda A, R: R @ A),
    "it looks like the transpose": changed(A=lambda A, R: A.T),
    "your function returns None": {"foot_rows": lambda *_: None},
    "changes an array that it is given": {"foot_rows": in_place},
    "must return two things": {"foot_rows": lambda *given: in_the_foot(*given)[0]},
}
UNNAMED = {"a little off": changed(b=lambda b, *_: b * (1.1, 0.9, 1.2))}
