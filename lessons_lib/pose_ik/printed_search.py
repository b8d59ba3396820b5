"""The sequential search of a printed solver: one array holds its inputs and its state, and a call is bounded."""
# `scratch` holds the offsets of the kernels' rows (see lane_rows.places), RANDOM_STATE, SETTINGS_SIZE, settings, reach,
# joint ranges, target, first start, and the scratch array of a search.

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE, orthonormalize, pose_deviation
from lessons_lib.pose_ik.iteration import workspace
from lessons_lib.pose_ik.joint_ranges import into_limits
from lessons_lib.pose_ik.layout import AT_DOF, AT_ENTRIES, CONVERGED, LOWER, NEEDS_FALLBACK, RESUME, STATUS, UPPER
from lessons_lib.pose_ik.search import solve_row

RANDOM_STATE, SETTINGS_SIZE, SETTINGS_BEGIN = AT_ENTRIES, AT_ENTRIES + 2, AT_ENTRIES + 3


def solve_bounded(target: Array, q0: Array, scratch: Array, seed: int, report: Array, run: Any) -> bool:
    """Search for a pose until the evaluations of one call are used up; return whether the pose is reached."""
    # The rotation of `target`, shape (4, 4), is orthonormalized, and q0, shape (n,), clipped into the limits. `report`
    # has shape (5 + 2 n,). The seed RESUME resumes an interrupted search. `run` is the address of the kernels.
    n, at = q0.shape[0], np.empty(AT_ENTRIES, dtype=np.int64)
    for k in range(AT_ENTRIES):
        at[k] = int(scratch[k])
    report[STATUS] = report[STATUS] if seed == RESUME else NEEDS_FALLBACK
    if at[AT_DOF] != n:
        return False  # the array was not filled
    reach = SETTINGS_BEGIN + int(scratch[SETTINGS_SIZE])
    pose = reach + 4 + 5 * n
    settings, joints = scratch[SETTINGS_BEGIN:reach], scratch[reach + 4 : pose].reshape((n, 5))
    T, start = scratch[pose : pose + 16], scratch[pose + 16 : pose + 16 + n]
    if seed != RESUME:
        if not pose_deviation(target, 0) <= ORTHONORMALIZE_TOLERANCE:
            return False
        for k in range(16):
            T[k] = target[k // 4, k % 4]
        orthonormalize(T.reshape((16, 1)), 0, 0)
        for i in range(n):
            start[i] = into_limits(q0[i], joints[i, LOWER], joints[i, UPPER])
            if not abs(start[i]) < math.inf:
                return False
    work, state = workspace(scratch[pose + 16 + n :], run, at, settings), np.empty(2, dtype=np.int64)
    state[0], state[1] = int(scratch[RANDOM_STATE]), int(scratch[RANDOM_STATE + 1])
    no_trace, table = scratch[0:0].reshape((0, n + 8)), T.reshape((4, 4))
    solve_row(table, start, joints, scratch[reach : reach + 4], settings, seed, report, no_trace, work, state, 0.0)
    scratch[RANDOM_STATE], scratch[RANDOM_STATE + 1] = float(state[0]), float(state[1])
    return bool(report[STATUS] == CONVERGED)
