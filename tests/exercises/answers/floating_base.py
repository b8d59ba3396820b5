import numpy as np
from scipy.spatial.transform import Rotation

from lessons_lib.course import FEET


def in_the_foot(configuration, foot, place):
    T = configuration.get_transform_frame_to_world(foot)
    return configuration.get_frame_jacobian(foot)[3:], T[:3, :3].T @ (place - T[:3, 3])


def in_place(configuration, foot, place):
    rows = in_the_foot(configuration, foot, place)
    configuration.update(configuration.model.q0)
    return rows


def without_the_base(configuration, foot, place):
    A, b = in_the_foot(configuration, foot, place)
    return A * (np.arange(A.shape[1]) > 5), b


def in_the_trunk(configuration, foot, place):
    """Take A in the world's axes and b in the trunk's, which agree only while the trunk is level."""
    gap = place - configuration.get_transform_frame_to_world(foot)[:3, 3]
    return configuration.get_velocity_jacobian(foot), Rotation.from_quat(configuration.q[3:7]).inv().apply(gap)


def one_foot_in_its_axes(configuration, foot, place):
    """Take A of one foot in its own axes, with b in the world's."""
    T = configuration.get_transform_frame_to_world(foot)
    A = configuration.get_frame_jacobian(foot)[3:]
    return A if foot == "front_right_foot" else T[:3, :3] @ A, place - T[:3, 3]


def all_equations(configuration):
    """Say in one system what the feet and the trunk do."""
    feet = [configuration.get_velocity_jacobian(foot) for foot in FEET]
    A = np.vstack([np.eye(6, 18), *feet])
    return configuration.get_center_of_mass_jacobian() @ np.linalg.solve(A, np.eye(18, 6))


RIGHT = {
    "in the foot": {"foot_rows": in_the_foot},
    "changes the configuration": {"foot_rows": in_place},
    "all equations": {"centre_by_trunk": all_equations},
}
SLIPS = {
    "as if b were in mm": {
        "foot_rows": lambda at, foot, place: (1e-3 * (rows := in_the_foot(at, foot, place))[0], rows[1])
    },
    "your b is a position": {"foot_rows": lambda at, foot, place: (at.get_velocity_jacobian(foot), place)},
    "the columns of the base are zero": {"foot_rows": without_the_base},
    "must return two things": {"foot_rows": lambda *given: in_the_foot(*given)[0]},
}
WRONG = {
    "b in the trunk's axes": {"foot_rows": in_the_trunk},
    "A of one foot in its own axes": {"foot_rows": one_foot_in_its_axes},
    "always 18 velocities": {
        "foot_rows": lambda *given: (np.zeros((3, 18)) + (rows := in_the_foot(*given))[0], rows[1])
    },
}
