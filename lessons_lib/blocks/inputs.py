"""Checks of the blocks' inputs: numbers from a port, and the robot with the frame that a block moves."""

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
    """Return whether all numbers of a pose are finite."""
    return bool(np.isfinite(floats(value, "a pose must be numbers of shape (4, 4)", TransformError)).all())


def read_vector(value: Any, length: int, where: str, error: type[ArgumentError] = ConfigurationError) -> Array:
    """Return finite numbers from a port, shape (length,), or raise `error` with the block and the port."""
    numbers = np.atleast_1d(floats(value, f"{where} must be {length} numbers", error))
    if numbers.shape != (length,):
        raise error(f"{where} must have shape ({length},), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise error(f"{where} must be finite, got {numbers.tolist()}")
    return numbers


def chain_of(robot: Any, frame: Any = None) -> Chain:
    """Return the chain of a chain, name or URDF; {b} becomes `frame`, a pose in its {b} or a link of the URDF."""
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
        raise ParameterError(
            f"frame must be a pose, shape (4, 4), got {frame!r}; links can be named for a .urdf file only"
        )
    return robot if frame is None else robot.with_tool(check_transform(frame, "frame"))


def check_same(robot: Chain, original: Chain, block: str) -> None:
    """Raise ParameterError if the robot of a block was replaced after its creation."""
    if robot is not original:
        raise ParameterError(
            f"the robot of {block} must not change, got {robot!r} instead of {original!r}; create another block"
        )
