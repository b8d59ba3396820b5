"""One start of a solve, printed as JavaScript with the search, for a live figure that needs every iterate."""

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
    stopping: Array,
    trace: Array,
    run: Any,
    at: Integers,
) -> tuple[int, int]:
    """Run one start, write a trace row for each iterate, and return its status and the number of steps."""
    # `joints` as in `iteration.iterate`; `clamped`: the steps stop at the limits; `stopping`: kind of method as in
    # layout.py, tolerances of orientation and position (rad, m), number of steps, six weights, and the damping
    # parameters; `trace`: output, one row of n + 8 for each possible iterate; `at`: offsets of the kernels' rows
    settings = np.zeros(ROOT_WEIGHT + stopping.shape[0] - 4)
    settings[METHOD], settings[ORIENTATION], settings[POSITION] = stopping[0], stopping[1], stopping[2]
    settings[MAX_ITERATIONS], settings[EVALUATIONS] = stopping[3], math.inf
    for i in range(6):
        settings[MASK + i] = 1.0 if stopping[4 + i] > 0.0 else 0.0
        settings[ROOT_WEIGHT + i] = math.sqrt(stopping[4 + i])
    for i in range(10, stopping.shape[0]):
        settings[ROOT_WEIGHT + i - 4] = stopping[i]
    return retrace(start, target, joints, settings, clamped, trace, run, at)
