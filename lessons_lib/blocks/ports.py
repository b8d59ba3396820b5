"""What arrives at a port, read and checked: the message names block and port."""

from __future__ import annotations

from typing import Any

import numpy as np
from spatialmath import SE3

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ArgumentError, ConfigurationError, TransformError
from lessons_lib.lie import check_transform


def read_pose(value: Any, where: str) -> Array:
    """Return a pose from a port, shape (4, 4).

    Args:
        value: Shape (4, 4), or an SE3 of spatialmath.
        where: Block and port, for the message.

    Raises:
        TransformError: It is not a pose.
    """
    return check_transform(as_matrix(value), where)


def as_matrix(value: Any) -> Any:
    """Return the matrix of a spatialmath SE3, and anything else as it is."""
    return value.A if isinstance(value, SE3) else value


def is_finite(value: Any) -> bool:
    """Return whether a pose holds finite numbers only, whatever else may be wrong with it."""
    return bool(np.isfinite(floats(as_matrix(value), "a pose must be numbers of shape (4, 4)", TransformError)).all())


def read_vector(value: Any, length: int, where: str, error: type[ArgumentError] = ConfigurationError) -> Array:
    """Return finite numbers from a port, shape (length,).

    Args:
        value: Numbers; one joint may send a bare number.
        length: How many.
        where: Block and port, for the message.
        error: What is raised.

    Raises:
        ArgumentError: As `error`; another shape, or not finite.
    """
    numbers = np.atleast_1d(floats(value, f"{where} must be {length} numbers", error))
    if numbers.shape != (length,):
        raise error(f"{where} must have shape ({length},), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise error(f"{where} must be finite, got {numbers.tolist()}")
    return numbers
