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


def changed(row=lambda row, *_: row, bound=lambda h, *_: h):
    def wall_row(configuration, *given):
        G, h = in_the_frame(configuration, *given)
        return row(G, configuration, *given), bound(h, configuration, *given)

    return {"wall_row": wall_row}


SLIPS = {
    "the frame may go into the wall and not away": {"wall_row": turned_round},
    "it is a row of J_b, in the axes of the frame": changed(
        lambda G, c, frame, normal, *_: normal @ c.get_frame_jacobian(frame)[3:]
    ),
    "it is taken from the angular half of J_b": changed(
        lambda G, c, frame, normal, *_: normal @ c.get_frame_jacobian(frame)[:3]
    ),
    "γ is missing": {"wall_row": without_gain},
    "dt is missing": {"wall_row": without_dt},
    "your answer is half the right one": changed(bound=lambda h, *_: h / 2),
    "your answer is twice the right one": changed(bound=lambda h, *_: 2 * h),
    "the sign of the bound is flipped": changed(bound=lambda h, *_: -h),
    "and yours is zero there": {"wall_row": never_behind},
    "and yours has lost its sign": changed(bound=lambda h, *_: abs(h)),
    "it is w alone": changed(bound=lambda h, c, frame, normal, offset, gain, dt: gain * dt * offset),
    "[w-alone]": changed(bound=lambda h, c, frame, normal, offset, gain, dt: h if dt == 1 else gain * dt * offset),
    "your function returned None": {"wall_row": lambda *_: None},
    "must return two things": {"wall_row": lambda *given: in_the_frame(*given)[0]},
}
UNNAMED = {
    "a bound a little off": changed(bound=lambda h, *_: h + 0.0123),
    "a row a little off": changed(lambda G, *_: G + 0.0123),
}


def speeds(change):
    return {"approach_speed": change}


def by_root(distance, gain, braking):
    """Beyond the change, v² is that of a wall that is half of a/γ² nearer."""
    slow = braking / gain**2
    return gain * distance if distance <= slow else (braking * (2 * distance - slow)) ** 0.5


def by_plans(distance, gain, braking):
    """Brake until s is left, and follow γ s from there."""
    s = min(distance, braking / gain**2)
    return np.array(np.sign(distance) * np.sqrt((gain * s) ** 2 + 2 * braking * (distance - s)))


def beyond(change):
    """γ d near the wall, and something else where that asks for more than the brakes can do."""
    return speeds(
        lambda distance, gain, braking: (
            gain * distance if distance <= braking / gain**2 else change(distance, gain, braking)
        )
    )


RIGHT |= {"one root": speeds(by_root), "the best of all plans": speeds(by_plans)}
SLIPS |= {
    "that is γ d: far from the wall": speeds(lambda d, gain, a: gain * d),
    "that is √(2 a d), the speed of a hand that": speeds(lambda d, gain, a: np.sqrt(2 * a * max(d, 0.0))),
    "it is the smaller of γ d and √(2 a d)": speeds(lambda d, gain, a: min(gain * d, np.sqrt(2 * a * abs(d)))),
    "it leaps to √(2 a d)": beyond(lambda d, gain, a: np.sqrt(2 * a * d)),
    "a hand at rest at a/γ²": beyond(lambda d, gain, a: np.sqrt(2 * a * (d - a / gain**2))),
    "v² grows by 2 a each metre": beyond(lambda d, gain, a: np.sqrt(a**2 / gain**2 + a * (d - a / gain**2))),
    "it changes over at a/γ, which is a speed": speeds(
        lambda d, gain, a: gain * d if d <= a / gain else np.sqrt(a**2 + 2 * a * (d - a / gain))
    ),
    "the speed stays what it is": speeds(lambda d, gain, a: min(gain * d, a / gain)),
    "that is v², and a root is missing": beyond(lambda *given: by_root(*given) ** 2),
    "behind the wall d is negative, and leads back": speeds(lambda *given: max(by_root(*given), 0.0)),
    "the sign is flipped: towards the wall": speeds(lambda *given: -by_root(*given)),
}
UNNAMED["a speed a little off"] = speeds(lambda *given: 0.9 * by_root(*given))
