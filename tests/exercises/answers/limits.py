import numpy as np


def in_the_frame(configuration, frame, normal, offset, gain, dt):
    T = configuration.get_transform_frame_to_world(frame)
    row = (T[:3, :3].T @ normal) @ configuration.get_frame_jacobian(frame)[3:]
    return row, gain * dt * (offset - normal @ T[:3, 3])


def as_rates(configuration, *given):
    """The same inequality for rates."""
    row, bound = in_the_frame(configuration, *given)
    return row[None, :] / given[-1], np.array([bound / given[-1]])


RIGHT = {f.__name__: {"wall_row": f} for f in (in_the_frame, as_rates)}


SLIPS = {
    "must return two things": {"wall_row": lambda *given: in_the_frame(*given)[0]},
}


def speeds(change):
    return {"approach_speed": change}


def by_root(distance, gain, braking):
    """Beyond the change, v² is that of a wall that is half of a/γ² nearer."""
    slow = braking / gain**2
    return gain * distance if distance <= slow else (braking * (2 * distance - slow)) ** 0.5


RIGHT |= {
    "one root": speeds(by_root),
}
