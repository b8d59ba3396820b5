"""The robot of a block: a chain, a name or a URDF file, with the frame that the block is to move; no other later on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lessons_lib import robots
from lessons_lib.errors import ParameterError
from lessons_lib.lie import check_transform
from lessons_lib.robots import Chain


def chain_of(robot: Any, frame: Any = None) -> Chain:
    """Return the chain of a robot whose {b} is the frame that is meant.

    Args:
        robot: A chain, the name of a robot of the course, or the path of a URDF file.
        frame: T_be, the end-effector frame in the chain's own {b}, shape (4, 4) or SE3, position in m; of a URDF file
            also the name of a link. None for {b}, which of a URDF file is its only last link.

    Raises:
        ParameterError: Neither a chain nor a known name, or the name of a link without a URDF file.
        TransformError: `frame` is not a pose.
        UrdfError: The file holds no such robot, or has no such link (FrameNotFound).
    """
    if isinstance(robot, Path) or (isinstance(robot, str) and robot.endswith(".urdf")):
        named = isinstance(frame, str)
        robot, frame = robots.from_urdf(robot, tip=frame if named else None), None if named else frame
    elif isinstance(robot, str) and robot in robots.ROBOTS:
        robot = robots.ROBOTS[robot]()
    if not isinstance(robot, Chain):
        names = ", ".join(robots.ROBOTS)
        raise ParameterError(
            f"robot is {robot!r}; it is a chain, such as robots.ur10(), a .urdf file, or one of {names}"
        )
    if isinstance(frame, str):
        raise ParameterError(f"frame is {frame!r}; links have names in a URDF file, here give a pose, shape (4, 4)")
    return robot if frame is None else robot.with_tool(check_transform(frame, "frame"))


def check_same(now: Chain, begun_with: Chain, block: str) -> None:
    """Raise ParameterError when a block's robot is not the one that it was made with."""
    if now is not begun_with:
        raise ParameterError(
            f"the robot of {block} changed from {begun_with!r} to {now!r}; a block keeps its robot: make another block"
        )
