"""How the quadruped stands with its trunk somewhere else: its joints, its feet, and whether it would fall."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib import lie
from lessons_lib.differential_ik import Configuration, NoSolutionFound
from lessons_lib.errors import ParameterError
from lessons_lib.studies.point_task import PointTask
from lessons_lib.studies.standing import LEGS, TRUNK, feet_down, follow, margin_of, quadruped, standing, trunk_pose

Array = NDArray[np.float64]

STEPS, SETTLE = 24, 3
"""Into how many parts the way of the trunk is cut, and how many steps of the loop each part gets."""

STILL = 1e-6
"""How far a foot may be from its place once a part of the way is done, m; three steps leave far less."""

RATE = 20.0
"""Steps a second, Hz: a joint may turn by one radian in a step, which is not the robot's pace but a picture's."""

LIFT = 0.08
"""How high a lifted foot is, m."""


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
    configuration = Configuration(quadruped(), standing())
    down = feet_down(configuration)
    begin = trunk_pose()
    way = lie.log_se3(lie.inverse(begin) @ target)
    for s in np.arange(1, STEPS + 1) / STEPS:
        before, tasks = configuration.q, [_at(task, s if task.frame == f"{lifted}_foot" else 0.0) for task in down]
        try:
            follow(configuration, [begin @ lie.exp_se3(s * way)] * SETTLE, tasks, rate=RATE)
            held = max(np.linalg.norm(task.compute_error(configuration)) for task in tasks) < STILL
        except NoSolutionFound:
            held = False
        if not held:
            configuration.update(before)
            break
    return _stance(configuration, target, down, lifted)


def _at(task: PointTask, part: float) -> PointTask:
    """Return the task with its point higher by a part of `LIFT`."""
    higher = PointTask(task.frame)
    higher.set_target(task.target + part * np.array([0.0, 0.0, LIFT]))
    return higher


def _stance(configuration: Configuration, target: Array, down: Sequence[PointTask], lifted: str | None) -> Stance:
    legs = tuple(leg for leg in LEGS if leg != lifted)
    feet = [f"{leg}_foot" for leg in legs]
    held = [task for task in down if task.frame in feet]
    left = lie.log_se3(lie.inverse(configuration.get_transform_frame_to_world(TRUNK)) @ target)
    slip = max(float(np.linalg.norm(task.compute_error(configuration))) for task in held)
    short_of = (float(np.linalg.norm(left[:3])), float(np.linalg.norm(left[3:])))
    return Stance(configuration.q, legs, margin_of(configuration, feet), slip, short_of)
