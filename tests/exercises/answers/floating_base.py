"""Write the equations of a contact."""

import numpy as np

from lessons_lib import lie
from lessons_lib.course import FEET


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


SLIPS = {
    "A is written in the foot's frame, and b in the world's": {"foot_rows": frames_mixed},
    "your rows are the first three of J_b": {"foot_rows": angular},
    "with a zero on the right": {"foot_rows": no_return},
    "it goes half of the way": {"foot_rows": halfway},
    "it goes twice the way": changed(b=lambda b, *_: 2 * b),
    "it goes the wrong way": changed(b=lambda b, *_: -b),
    "b is in mm": changed(b=lambda b, *_: 1000 * b),
    "b is turned into the foot's frame, and A is not": changed(A=lambda A, R: R @ A),
    "your function returned shape (18, 3)": changed(A=lambda A, R: A.T),
    "your function returned None": {"foot_rows": lambda *_: None},
    "must return two things": {"foot_rows": lambda *given: in_the_foot(*given)[0]},
}
UNNAMED = {"a little off": changed(b=lambda b, *_: b * (1.1, 0.9, 1.2))}


def feet(configuration):
    return np.vstack([configuration.get_velocity_jacobian(foot) for foot in FEET])


def leg_by_leg(configuration):
    """Each foot depends on the trunk and on the three joints of its own leg."""
    J_c = configuration.get_center_of_mass_jacobian()
    K = J_c[:, :6].copy()
    for i, foot in enumerate(FEET):
        J, own = configuration.get_velocity_jacobian(foot), slice(6 + 3 * i, 9 + 3 * i)
        K -= J_c[:, own] @ np.linalg.inv(J[:, own]) @ J[:, :6]
    return K


def from_free_motions(configuration):
    """Take what the feet leave free, six motions, and mix them so that the trunk moves by each entry of ξ."""
    motions = np.linalg.svd(feet(configuration))[2][12:].T
    return configuration.get_center_of_mass_jacobian() @ motions @ np.linalg.inv(motions[:6])


def all_equations(configuration):
    """Say in one system what the feet and the trunk do."""
    A = np.vstack([np.eye(6, 18), feet(configuration)])
    return configuration.get_center_of_mass_jacobian() @ np.linalg.solve(A, np.eye(18, 6))


def steered(change):
    return {"centre_by_trunk": change}


def rigid(configuration):
    return configuration.get_center_of_mass_jacobian()[:, :6]


def projected(configuration):
    A = feet(configuration)
    return (configuration.get_center_of_mass_jacobian() @ (np.eye(18) - np.linalg.pinv(A) @ A))[:, :6]


def pose_of(configuration):
    return configuration.get_transform_frame_to_world("trunk")


def in_space(configuration):
    return leg_by_leg(configuration) @ lie.adjoint(lie.inverse(pose_of(configuration)))


def in_trunk(configuration):
    return pose_of(configuration)[:3, :3].T @ leg_by_leg(configuration)


RIGHT |= {f.__name__: steered(f) for f in (leg_by_leg, from_free_motions, all_equations)}
SLIPS |= {
    "that is K for rigid legs": steered(rigid),
    "that is the part of the legs alone": steered(lambda c: leg_by_leg(c) - rigid(c)),
    "the legs follow the wrong way": steered(lambda c: 2 * rigid(c) - leg_by_leg(c)),
    "its columns are for (v, ω)": steered(lambda c: leg_by_leg(c)[:, [3, 4, 5, 0, 1, 2]]),
    "and not one in {s}": steered(in_space),
    "and not along the trunk's": steered(in_trunk),
    "there the trunk does not move by ξ": steered(projected),
    "that is the trunk's origin": steered(lambda c: np.hstack([np.zeros((3, 3)), pose_of(c)[:3, :3]])),
    "expected an array of shape (3, 6); your function returned shape (6, 3)": steered(lambda c: leg_by_leg(c).T),
}
UNNAMED["a matrix a little off"] = steered(lambda c: leg_by_leg(c) + 0.0123)
RIGHT |= {
    "stated 1": {"pushed_back": lambda M, m, x: x * M / (M + m) - x},
    "stated 2": {"pushed_back": lambda M, m, x: -x / (1 + M / m)},
}
SLIPS |= {
    "for x seen from the world": {"pushed_back": lambda M, m, x: -m * x / M},
    "the base moves against the load": {"pushed_back": lambda M, m, x: m * x / (M + m)},
    "this is how far the load moves": {"pushed_back": lambda M, m, x: -M * x / (M + m)},
}
UNNAMED["another formula"] = {"pushed_back": lambda M, m, x: -x * m}
