"""Inputs of the blocks, checked: numbers from a port, and the robot with the frame that a block moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ArgumentError, ConfigurationError, ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.robots import Chain


def is_finite(value: Any) -> bool:
    """Return whether a pose contains finite numbers only."""
    return bool(np.isfinite(floats(value, "a pose must be numbers of shape (4, 4)", TransformError)).all())


def read_vector(value: Any, length: int, where: str, error: type[ArgumentError] = ConfigurationError) -> Array:
    """Return finite numbers from a port, shape (length,), or raise `error`, which names the block and the port."""
    numbers = np.atleast_1d(floats(value, f"{where} must be {length} numbers", error))
    if numbers.shape != (length,):
        raise error(f"{where} must have shape ({length},), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise error(f"{where} must be finite, got {numbers.tolist()}")
    return numbers


def chain_of(robot: Any, frame: Any = None) -> Chain:
    """Return the chain of a robot whose {b} is the frame that the block moves.

    The robot is a chain, the name of a robot of the course, or the path of a URDF file. The frame is T_be, shape
    (4, 4) or SE3, in m, in the chain's own {b}; for a URDF file also the name of a link, and None is its only last one.
    """
    if isinstance(robot, Path) or (isinstance(robot, str) and robot.endswith(".urdf")):
        named = isinstance(frame, str)
        robot, frame = robots.from_urdf(robot, tip=frame if named else None), None if named else frame
    elif isinstance(robot, str) and robot in robots.ROBOTS:
        robot = robots.ROBOTS[robot]()
    if not isinstance(robot, Chain):
        names = ", ".join(robots.ROBOTS)
        raise ParameterError(
            f"robot must be a chain, such as robots.ur10(), a .urdf file, or one of {names}, got {robot!r}"
        )
    if isinstance(frame, str):
        raise ParameterError(f"frame must be a pose, shape (4, 4), got {frame!r}: only a URDF file names links")
    return robot if frame is None else robot.with_tool(check_transform(frame, "frame"))


def check_same(now: Chain, begun_with: Chain, block: str) -> None:
    """Raise ParameterError if the robot of a block is not the one that it was made with."""
    if now is not begun_with:
        raise ParameterError(
            f"the robot of {block} changed from {begun_with!r} to {now!r}; a block keeps its robot: make another block"
        )
