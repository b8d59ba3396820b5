"""The robot of a block: a chain or a robot's name, with the frame that the block is to move, and no other later on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lessons_lib import robots
from lessons_lib.blocks.ports import read_pose
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Chain

NAMES: dict[str, Callable[[], Chain]] = {
    "planar_2r": robots.planar_2r,
    "ur10": robots.ur10,
    "panda": robots.panda,
}


def chain_of(robot: Any, frame: Any = None) -> Chain:
    """Return the chain of a robot whose {b} is the frame that is meant.

    Args:
        robot: A chain, or the name of a robot of the course.
        frame: T_be, the end-effector frame in the chain's own {b}, shape (4, 4) or SE3, position in m; None for {b}.

    Raises:
        ParameterError: Neither a chain nor a known name.
        TransformError: `frame` is not a pose.
    """
    if isinstance(robot, str) and robot in NAMES:
        robot = NAMES[robot]()
    if not isinstance(robot, Chain):
        raise ParameterError(f"robot is {robot!r}; it is a chain, such as robots.ur10(), or one of {', '.join(NAMES)}")
    if frame is None:
        return robot
    home = robot.home @ read_pose(frame, "frame")
    return robots.from_screws(robot.screws, home, robot.limits, robot.name, robot.joint_names)


def check_same(now: Chain, begun_with: Chain, block: str) -> None:
    """Raise ParameterError when a block's robot is not the one that it was made with."""
    if now is not begun_with:
        raise ParameterError(
            f"the robot of {block} changed from {begun_with!r} to {now!r}; a block keeps its robot: make another block"
        )
