"""Solve the stance of the quadruped for a trunk pose: joints, feet, and whether it would tip over."""

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


STEPS, FINE, SETTLE = 24, 32, 5
"""The number of parts in the trunk's path, of bisection pieces in a part, and of solver steps for each pose.

Each step takes a joint at most halfway to its limit, so five steps leave at least 3 % of the distance.
"""

STILL = 1e-6
"""The maximum position error of a foot after each part of the path, in m; the errors are usually far smaller."""

RATE = 20.0
"""The step rate, in Hz; a joint may move by up to 1 rad per step. This is not the robot's real speed."""

LIFT = 0.08
"""The height of a lifted foot, in m."""

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Stance:
    """A stance of the quadruped."""

    q: Array  # (19,)
    legs: tuple[str, ...]  # on the ground
    margin: float  # distance of the centre of mass inside the support polygon, m; negative outside
    slip: float  # largest distance of the feet on the ground from their initial positions, m
    short_of: tuple[float, float]  # error of the trunk pose: angle [rad] and distance [m]


def stand_at(pose: ArrayLike, lifted: str | None = None) -> Stance:
    """Move the trunk to a pose while the feet stay below their initial hips, and return the stance.

    The trunk moves in small steps from the rest stance and stops when the legs can no longer keep the feet in place;
    bisection finds the place.

    Args:
        pose: Trunk pose, shape (4, 4).
        lifted: Leg in `LEGS` whose foot is lifted by `LIFT`; None for none.

    Raises:
        ParameterError: The leg is unknown.
        TransformError: The pose is invalid.
    """
    if lifted is not None and lifted not in LEGS:
        raise ParameterError(f"lifted must be None or one of {', '.join(LEGS)}, got {lifted!r}")
    target = lie.check_transform(pose, "pose")
    configuration, begin = at_ease(), trunk_pose()
    places = dict(zip(LEGS, feet_of(configuration), strict=True))
    way = lie.log_se3(lie.inverse(begin) @ target)
    at, part, end = 0, FINE, STEPS * FINE
    while at < end and part > 0:
        s = (at + part) / end
        feet = [
            _make_foot_task(leg, place + (s * LIFT * UP if leg == lifted else 0.0)) for leg, place in places.items()
        ]
        arrived = _move_trunk(configuration, begin @ lie.exp_se3(s * way), feet)
        at += part if arrived else 0
        part = part if arrived and part == FINE else part // 2
    return _stance(configuration, target, {leg: place for leg, place in places.items() if leg != lifted})


def _make_foot_task(leg: str, place: Array) -> PointTask:
    task = PointTask(f"{leg}_foot", 1.0)
    task.set_target(place)
    return task


def _move_trunk(configuration: Configuration, pose: Array, feet: list[PointTask]) -> bool:
    """Move the trunk to a pose and the feet to their places; on failure restore the configuration and return False."""
    before, arrived = configuration.q, False
    with suppress(NoSolutionFound):
        follow(configuration, [pose] * SETTLE, feet, rate=RATE)
        arrived = all(np.linalg.norm(foot.compute_error(configuration)) < STILL for foot in feet)
    if not arrived:
        configuration.update(before)
    return arrived


def _stance(configuration: Configuration, target: Array, places: dict[str, Array]) -> Stance:
    """Return the stance on the legs whose feet belong at these places."""
    feet = [f"{leg}_foot" for leg in places]
    left = lie.log_se3(lie.inverse(configuration.get_transform_frame_to_world(TRUNK)) @ target)
    slip = float(np.linalg.norm(feet_of(configuration, feet) - list(places.values()), axis=1).max())
    short_of = (float(np.linalg.norm(left[:3])), float(np.linalg.norm(left[3:])))
    return Stance(configuration.q, tuple(places), margin_of(configuration, feet), slip, short_of)
