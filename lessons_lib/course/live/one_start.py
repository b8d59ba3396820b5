"""One start, as a live figure asks for it: by numbers, of which every iterate is wanted.

The page runs this text, printed as JavaScript, with the search that it calls.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.iteration import retrace
from lessons_lib.pose_ik.layout import (
    EVALUATIONS,
    MASK,
    MAX_ITERATIONS,
    METHOD,
    ORIENTATION,
    POSITION,
    ROOT_WEIGHT,
)


def run_once(
    target: Array,
    start: Array,
    joints: Array,
    clamped: bool,
    asked: Array,
    trace: Array,
    run: Any,
    at: Integers,
) -> tuple[int, int]:
    """Take the steps of one start, with a row of the trace for each iterate, and return its status and their number.

    Args:
        target: T_sd, shape (4, 4).
        start: Where to begin, shape (n,).
        joints: As `search.iterate` is given, shape (n, 3 or more).
        clamped: Whether the steps stop at the limits.
        asked: The kind of method, as layout.py has it, tolerances of orientation and position, rad and m, how many
            steps, six weights, and the numbers of the damping.
        trace: A row of n + 8 for each iterate that there may be.
        run: The kernels.
        at: Where they have their rows.
    """
    settings = np.zeros(ROOT_WEIGHT + asked.shape[0] - 4)
    settings[METHOD], settings[ORIENTATION], settings[POSITION] = asked[0], asked[1], asked[2]
    settings[MAX_ITERATIONS], settings[EVALUATIONS] = asked[3], math.inf
    for i in range(6):
        settings[MASK + i] = 1.0 if asked[4 + i] > 0.0 else 0.0
        settings[ROOT_WEIGHT + i] = math.sqrt(asked[4 + i])
    for i in range(10, asked.shape[0]):
        settings[ROOT_WEIGHT + i - 4] = asked[i]
    return retrace(start, target, joints, settings, clamped, trace, run, at)
