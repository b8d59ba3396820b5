"""The compiled search: start after start until one of them solves the pose, then the report.

See compiled_steps.py for how this text is compiled; search.py is the same in readable form.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.compiled_loop import Arrays, copy, follow, reached, workspace
from lessons_lib.pose_ik.compiled_steps import look
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, turn_back
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    ITERATIONS,
    JOINTS,
    JUDGED,
    NEAREST,
    ORIENTATION_ERROR,
    OUTSIDE_LIMITS,
    POSITION,
    POSITION_ERROR,
    RESTARTS,
    ROOT_WEIGHT,
    SAMPLES,
    STALLED,
    STARTS,
    STATUS,
    UNREACHABLE,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF

Array = NDArray[np.float64]


def solve_rows(
    targets: Array,
    starts: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: NDArray[np.int64],
    reports: Array,
) -> None:
    """Solve each row: start after start until one solves the pose; report that, or else the best iterate seen."""
    work, best, start, state = workspace(), np.empty(1 + DOF), np.empty(DOF), np.empty(2, dtype=np.int64)
    no_trace = np.empty((0, DOF + 8))
    for row in range(targets.shape[0]):
        target, q0, report = targets[row], starts[row], reports[row]
        plant(seeds[row], state)
        copy(q0, start)
        best[0] = math.inf
        unreachable = beyond_reach(target, reach, settings)
        attempts = 1 if unreachable else int(settings[STARTS])
        nearest, outside = math.inf, False
        for attempt in range(attempts):
            if attempt > 0:
                random_configuration(state, joints, start)
            elif settings[SAMPLES] > 0.0:
                draw_start(target, q0, joints, settings, state, work, start)
            score = best[0]
            status, iterations = follow(start, target, joints, settings, work, best, no_trace)
            if status == CONVERGED:
                status = settle(start, target, joints, settings, work)
            outside = outside or status == OUTSIDE_LIMITS
            distance = distance_between(work[3], q0) if status == CONVERGED else math.inf
            if distance < nearest or (math.isinf(nearest) and (attempt == 0 or best[0] < score)):
                nearest = distance
                write(report, status, iterations, work[3], start, work[5])
            if status == CONVERGED and settings[NEAREST] == 0.0:
                attempts = attempt + 1
                break
        report[RESTARTS] = attempts - 1
        if math.isinf(nearest):
            report_best(target, work, best, report)
            if unreachable:
                report[STATUS] = UNREACHABLE
            elif outside:
                report[STATUS] = OUTSIDE_LIMITS


def retrace(start: Array, target: Array, joints: Array, settings: Array, trace: Array) -> None:
    """Take the steps of one start again and write every iterate down."""
    best = np.empty(1 + DOF)
    best[0] = math.inf
    follow(start, target, joints, settings, workspace(), best, trace)


def settle(start: Array, target: Array, joints: Array, settings: Array, work: Arrays) -> int:
    """Bring the solution in work[0] into the limits, write it to work[3], and return whether it still is one."""
    q, _, _, turned, _, V, _, _, _, _, _, J, _, T, R, _, _ = work
    inside = turn_back(q, start, joints, turned)
    clip(turned, joints)
    look(turned, target, T, R, J, V)
    if reached(V, settings):
        return CONVERGED
    return STALLED if inside else OUTSIDE_LIMITS


def draw_start(
    target: Array, q0: Array, joints: Array, settings: Array, state: NDArray[np.int64], work: Arrays, start: Array
) -> None:
    """Write the configuration of lowest weighted error among q0 and the random samples."""
    _, ahead, _, _, _, V, _, _, _, _, _, J, _, T, R, _, _ = work
    lowest = math.inf
    copy(q0, ahead)
    for _sample in range(1 + int(settings[SAMPLES])):
        look(ahead, target, T, R, J, V)
        error = weighted_error(V, settings)
        if error < lowest:
            lowest = error
            copy(ahead, start)
        random_configuration(state, joints, ahead)


def weighted_error(V: Array, settings: Array) -> float:
    """Return ½ VᵀWV of a body twist, whatever the frame of the method."""
    total = 0.0
    for row in range(6):
        total += (settings[ROOT_WEIGHT + row] * V[row]) ** 2
    return 0.5 * total


def beyond_reach(target: Array, reach: Array, settings: Array) -> bool:
    """Return whether the target lies farther from the arm's root than the arm can ever stretch."""
    square = 0.0
    for row in range(3):
        if settings[JUDGED + 3 + row] == 0.0:
            return False
        square += (target[row, 3] - reach[1 + row]) ** 2
    return bool(math.sqrt(square) > reach[0] + settings[POSITION])


def distance_between(first: Array, second: Array) -> float:
    """Return |first - second|."""
    total = 0.0
    for i in range(DOF):
        total += (first[i] - second[i]) ** 2
    return math.sqrt(total)


def write(report: Array, status: int, iterations: int, q: Array, start: Array, V: Array) -> None:
    """Write a report, all but the number of restarts."""
    report[STATUS], report[ITERATIONS] = status, iterations
    report[ORIENTATION_ERROR] = math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
    report[POSITION_ERROR] = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
    for i in range(DOF):
        report[JOINTS + i] = q[i]
        report[JOINTS + DOF + i] = start[i]


def report_best(target: Array, work: Arrays, best: Array, report: Array) -> None:
    """Put the best iterate into the report, with the errors that belong to it."""
    _, start, _, turned, _, V, _, _, _, _, _, J, _, T, R, _, _ = work
    for i in range(DOF):
        start[i] = report[JOINTS + DOF + i]
        turned[i] = start[i] if math.isinf(best[0]) else best[1 + i]
    look(turned, target, T, R, J, V)
    write(report, int(report[STATUS]), int(report[ITERATIONS]), turned, start, V)
