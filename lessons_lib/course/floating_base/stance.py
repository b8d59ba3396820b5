"""How the quadruped stands with its trunk somewhere else: its joints, its feet, and whether it would fall."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.course.floating_base.standing import TRUNK, at_ease, feet_of, follow, margin_of, trunk_pose
from lessons_lib.course.point_task import PointTask
from lessons_lib.course.quadruped_parts import LEGS
from lessons_lib.differential_ik import Configuration, NoSolutionFound
from lessons_lib.errors import ParameterError

__all__ = [
    "stand_at",
]


STEPS, SETTLE = 24, 3
"""Into how many parts the way of the trunk is cut, and how many steps of the loop each part gets."""

STILL = 1e-6
"""How far a foot may be from its place once a part of the way is done, m; three steps leave far less."""

RATE = 20.0
"""Steps a second, Hz: a joint may turn by one radian in a step, which is not the robot's pace but a picture's."""

LIFT = 0.08
"""How high a lifted foot is, m."""

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Stance:
    """Where the quadruped stands, and how well.

    Attributes:
        q: Configuration, shape (19,).
        legs: Which legs stand on the ground.
        margin: How far inside the polygon of these feet the centre of mass is, m; negative outside.
        slip: How far the feet on the ground are from where they stood, m.
        short_of: How far the trunk is from where it should be: an angle [rad] and a distance [m].
    """

    q: Array
    legs: tuple[str, ...]
    margin: float
    slip: float
    short_of: tuple[float, float]


def stand_at(pose: ArrayLike, lifted: str | None = None) -> Stance:
    """Return how the quadruped stands with its trunk led to a pose and its feet below where its hips were.

    It is led there in small steps from where it stands at ease; where the legs can no longer keep the feet in their
    places, it stops.

    Args:
        pose: Of the trunk, shape (4, 4).
        lifted: A leg whose foot is lifted by `LIFT`, one of `LEGS`; none when left out.

    Raises:
        ParameterError: There is no such leg.
        TransformError: The pose is not one.
    """
    if lifted is not None and lifted not in LEGS:
        raise ParameterError(f"lifted is {lifted!r}; valid are None, {', '.join(LEGS)}")
    target = lie.check_transform(pose, "pose")
    configuration, begin = at_ease(), trunk_pose()
    places = dict(zip(LEGS, feet_of(configuration), strict=True))
    way = lie.log_se3(lie.inverse(begin) @ target)
    for s in np.arange(1, STEPS + 1) / STEPS:
        feet = [_held(leg, place + (s * LIFT * UP if leg == lifted else 0.0)) for leg, place in places.items()]
        if not _go(configuration, begin @ lie.exp_se3(s * way), feet):
            break
    return _stance(configuration, target, {leg: place for leg, place in places.items() if leg != lifted})


def _held(leg: str, place: Array) -> PointTask:
    task = PointTask(f"{leg}_foot", 1.0)
    task.set_target(place)
    return task


def _go(configuration: Configuration, pose: Array, feet: list[PointTask]) -> bool:
    """Lead the trunk to a pose and the feet to their places; return whether they are there, and else undo it."""
    before, arrived = configuration.q, False
    with suppress(NoSolutionFound):
        follow(configuration, [pose] * SETTLE, feet, rate=RATE)
        arrived = all(np.linalg.norm(foot.compute_error(configuration)) < STILL for foot in feet)
    if not arrived:
        configuration.update(before)
    return arrived


def _stance(configuration: Configuration, target: Array, places: dict[str, Array]) -> Stance:
    """Return how the quadruped stands on the legs whose feet belong at these places."""
    feet = [f"{leg}_foot" for leg in places]
    left = lie.log_se3(lie.inverse(configuration.get_transform_frame_to_world(TRUNK)) @ target)
    slip = float(np.linalg.norm(feet_of(configuration, feet) - list(places.values()), axis=1).max())
    short_of = (float(np.linalg.norm(left[:3])), float(np.linalg.norm(left[3:])))
    return Stance(configuration.q, tuple(places), margin_of(configuration, feet), slip, short_of)
