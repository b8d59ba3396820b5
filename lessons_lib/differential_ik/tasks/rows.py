"""Which rows of a frame's Jacobian are meant."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.differential_ik import arguments
from lessons_lib.errors import ParameterError

MASKS = {
    "orientation": (True, True, True, False, False, False),
    "position": (False, False, False, True, True, True),
    "planar_xy": (False, False, False, True, True, False),
}
"""Rows of the Jacobian, (ω, v), that a named mask selects."""


def rows_of(mask: str | ArrayLike | None) -> NDArray[np.bool_]:
    """Return which of the six rows a mask leaves, shape (6,).

    Raises:
        ParameterError: It has no such name, or is not six ones and zeros.
    """
    if mask is None:
        return np.ones(6, dtype=bool)
    if isinstance(mask, str):
        if mask not in MASKS:
            raise ParameterError(
                f"unknown mask {mask!r}; valid are {', '.join(map(repr, MASKS))}, or six ones and zeros"
            )
        return np.array(MASKS[mask])
    given = arguments.vector(mask, "mask", 6)
    if not np.isin(given, (0.0, 1.0)).all() or not given.any():
        raise ParameterError(f"mask must be six ones and zeros, not all zero, got {given.tolist()}")
    return np.asarray(given == 1.0)
