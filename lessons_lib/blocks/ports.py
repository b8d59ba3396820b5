"""What arrives at a port, read and checked: the message names block and port."""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ArgumentError, ConfigurationError, TransformError


def is_finite(value: Any) -> bool:
    """Return whether a pose holds finite numbers only, whatever else may be wrong with it."""
    return bool(np.isfinite(floats(value, "a pose must be numbers of shape (4, 4)", TransformError)).all())


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
