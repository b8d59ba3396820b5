import numpy as np


def as_rates(configuration, frame, normal, offset, gain, dt):
    """The same inequality for rates, in the axes of the frame."""
    T = configuration.get_transform_frame_to_world(frame)
    row = (T[:3, :3].T @ normal) @ configuration.get_frame_jacobian(frame)[3:]
    return row[None, :] / dt, np.array([gain * (offset - normal @ T[:3, 3])])


def use_at_most_the_distance(*given):
    """Cap γ dt at 1."""
    row, bound = as_rates(*given)
    return row, bound * min(1, 1 / (given[4] * given[5]))


def by_root(distance, gain, braking):
    """Beyond the change, v² is that of a wall that is half of a/γ² nearer."""
    slow = braking / gain**2
    return gain * distance if distance <= slow else (braking * (2 * distance - slow)) ** 0.5


def use_the_angular_half(configuration, frame, normal, *given):
    """Take the first three rows of J_b, which give zero on the planar arm."""
    return normal @ configuration.get_frame_jacobian(frame)[:3], as_rates(configuration, frame, normal, *given)[1]


RIGHT = {
    "as rates": {"wall_row": as_rates},
    "scaled by a millionth": {"wall_row": lambda *given: tuple(1e-6 * part for part in as_rates(*given))},
    "one root": {"approach_speed": by_root},
}
SLIPS = {
    "γ is missing from the bound": {"wall_row": lambda *given: (as_rates(*given)[0], as_rates(*given)[1] / given[4])},
    "or the row is twice the right one": {"wall_row": lambda *given: (2 * as_rates(*given)[0], as_rates(*given)[1])},
    "your γ dt is at most 1": {"wall_row": use_at_most_the_distance},
    "the rows of v come after those of ω": {"wall_row": use_the_angular_half},
    "your G is zero": {"wall_row": lambda *given: (0 * as_rates(*given)[0], as_rates(*given)[1])},
    "must return two values": {"wall_row": lambda *given: as_rates(*given)[0]},
}
UNNAMED = {
    "a positive normal": {"wall_row": lambda at, frame, n, *given: as_rates(at, frame, np.abs(n), *given)},
    "the hand in place of the frame": {
        "wall_row": lambda at, _, *given: as_rates(at, ["tip", "tool0"][at.model.nv > 2], *given)
    },
}
