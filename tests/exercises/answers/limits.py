"""State a wall as a bound on the step."""

import numpy as np


def in_the_frame(configuration, frame, normal, offset, gain, dt):
    T = configuration.get_transform_frame_to_world(frame)
    row = (T[:3, :3].T @ normal) @ configuration.get_frame_jacobian(frame)[3:]
    return row, gain * dt * (offset - normal @ T[:3, 3])


def divided(configuration, *given):
    """The same inequality for rates."""
    row, bound = in_the_frame(configuration, *given)
    return row[None, :] / given[-1], np.array([bound / given[-1]])


def turned_round(configuration, *given):
    row, bound = in_the_frame(configuration, *given)
    return -row, bound


RIGHT = {f.__name__: {"wall_row": f} for f in (in_the_frame, divided)}


def changed(row=lambda row, *_: row, bound=lambda h, *_: h):
    def wall_row(configuration, *given):
        G, h = in_the_frame(configuration, *given)
        return row(G, configuration, *given), bound(h, configuration, *given)

    return {"wall_row": wall_row}


SLIPS = {
    "the frame may go into the wall and not away from it": {"wall_row": turned_round},
    "your answer is half the right one": changed(bound=lambda h, *_: h / 2),
    "your answer is twice the right one": changed(bound=lambda h, *_: 2 * h),
    "must return two things": {"wall_row": lambda *given: in_the_frame(*given)[0]},
}
UNNAMED = {
    "a bound a little off": changed(bound=lambda h, *_: h + 0.0123),
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
SLIPS |= {
    "that is γ d: far from the wall the hand brakes": speeds(lambda d, gain, a: gain * d),
}
UNNAMED["a speed a little off"] = speeds(lambda *given: 0.9 * by_root(*given))
