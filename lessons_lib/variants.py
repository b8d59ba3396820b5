"""Numbers of an exercise that are a student's own: drawn from the name in $LESSONS_STUDENT, the same at every start.

A class sets the name: the hub for each server, the grading for each hand-in. Without it they are the usual ones.
"""

import hashlib
import os

import numpy as np
from numpy.typing import ArrayLike, NDArray


def own(what: str, usual: ArrayLike, low: ArrayLike, high: ArrayLike, digits: int = 2) -> NDArray[np.float64]:
    """Return a student's own numbers, or the usual ones where no student is named.

    Args:
        what: What they are for, so that another question draws others.
        usual: The numbers without a name, of any shape.
        low: Least values, of that shape or a single number.
        high: Largest values, likewise.
        digits: Digits after the point.

    Returns:
        An array of the shape of `usual`, each number between its ends.
    """
    numbers, low, high = (np.asarray(given, dtype=np.float64) for given in (usual, low, high))
    name = os.environ.get("LESSONS_STUDENT")
    if not name:
        return numbers
    seed = int.from_bytes(hashlib.sha256(f"{name}\0{what}".encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).uniform(low, high, numbers.shape)
    return np.clip(np.round(drawn, digits), low, high)
