import numpy as np

from lessons_lib.course import FEET


def in_the_foot(configuration, foot, place):
    T = configuration.get_transform_frame_to_world(foot)
    return configuration.get_frame_jacobian(foot)[3:], T[:3, :3].T @ (place - T[:3, 3])


def in_the_world(configuration, foot, place):
    gap = configuration.get_transform_frame_to_world(foot)[:3, 3] - place
    return [-configuration.get_velocity_jacobian(foot), gap]


RIGHT = {f.__name__: {"foot_rows": f} for f in (in_the_foot, in_the_world)}


SLIPS = {
    "must return two things": {"foot_rows": lambda *given: in_the_foot(*given)[0]},
}


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


def all_equations(configuration):
    """Say in one system what the feet and the trunk do."""
    A = np.vstack([np.eye(6, 18), feet(configuration)])
    return configuration.get_center_of_mass_jacobian() @ np.linalg.solve(A, np.eye(18, 6))


def answer(change):
    return {"centre_by_trunk": change}


RIGHT |= {f.__name__: answer(f) for f in (leg_by_leg, all_equations)}
