"""Two hands that share a waist reach for a box: the smallest body whose tasks conflict."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.course.point_task import PointTask
from lessons_lib.differential_ik import Configuration, PostureTask, Task, arguments, solve_ik
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots import Tree, load_urdf, urdf_file

HANDS = ("left_hand", "right_hand")
"""The frames of the hands."""

LIMBS = (
    ("left_shoulder", "left_forearm", "left_wrist", "left_hand"),
    ("right_shoulder", "right_forearm", "right_wrist", "right_hand"),
    ("left_shoulder", "torso", "right_shoulder"),
)
"""The frames along both arms and across the shoulders, for drawing."""

READY = {"shoulder_pitch": -0.5, "elbow": -1.3, "wrist_pitch": 0.2}
"""The angles of both arms before they reach out, in rad; all other joints are at zero."""

BOX = (0.6, 0.0, 1.1)
"""The centre of the box, in m; both hands can reach its sides."""

WIDTH = 0.2
"""The distance between the hands at the box, in m."""

MOST_STEPS = 500
"""The maximum number of steps of `settle`."""

AT_REST = 1e-10
"""A step in which no joint moves farther than this, in rad, is the last."""


@cache
def body() -> Tree:
    """Return the torso with two arms, whose waist both hands share: 1 + 7 + 7 joints."""
    return load_urdf(urdf_file("two_arms"))


def ready() -> Array:
    """Return the initial configuration, shape (15,), rad."""
    q = np.zeros(body().nq)
    for name, angle in READY.items():
        for side in ("left", "right"):
            q[body().joint_names.index(f"{side}_{name}")] = angle
    return q


def sides(centre: ArrayLike = BOX) -> Array:
    """Return the target positions of the left and the right hand on a box, shape (2, 3), m."""
    middle = arguments.vector(centre, "centre", 3, ConfigurationError)
    ends: Array = middle + np.array([[0.0, 0.5 * WIDTH, 0.0], [0.0, -0.5 * WIDTH, 0.0]])
    return ends


def hand_tasks(centre: ArrayLike = BOX, costs: Sequence[float] = (1.0, 1.0), **settings: Any) -> list[PointTask]:
    """Return one task for each hand, left and right, with its cost in [cost]/m; settings as in `PointTask`."""
    tasks = [PointTask(hand, cost, **settings) for hand, cost in zip(HANDS, costs, strict=True)]
    for task, point in zip(tasks, sides(centre), strict=True):
        task.set_target(point)
    return tasks


def posture_task(cost: float, gain: float = 1.0) -> PostureTask:
    """Return the task that keeps every joint as it is in `ready`, with its cost in [cost]/rad."""
    task = PostureTask(cost, gain=gain)
    task.set_target(ready())
    return task


def settle(
    tasks: Sequence[Task], constraints: Sequence[Task] = (), steps: int = MOST_STEPS
) -> tuple[Configuration, int]:
    """Step from the ready posture until the body rests; return the configuration, (15,), rad, and the steps taken."""
    # a step lasts one second, so that the velocity limits allow large steps
    at = Configuration(body(), ready())
    for step in range(steps):
        v = solve_ik(at, tasks, 1.0, constraints=constraints)
        at.integrate_inplace(v, 1.0)
        if np.abs(v).max() < AT_REST:
            return at, step + 1
    return at, steps
