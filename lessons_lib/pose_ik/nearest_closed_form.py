"""The solution nearest to a posture, for an arm whose axes allow a closed form."""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.closed_form import NOISE, solve_closed_form
from lessons_lib.all_solutions.decisions import ELBOW, FLAGS, MAX_SOLUTIONS, NEEDS_EXTENDED_PRECISION, SHOULDER, WRIST
from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.iteration import evaluate, scratch_size, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import is_inside, unwrap
from lessons_lib.pose_ik.layout import AT_DOF, CONVERGED, RESTARTS
from lessons_lib.pose_ik.search_rules import distance_between, is_converged, write_report


def report_nearest(
    target: Array,
    posture: Array,
    report: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    joints: Array,
    settings: Array,
    run: int,
    at: Integers,
) -> bool:
    """Write the report of the isolated solution nearest to a posture; return whether one is found."""
    # It fails if a joint is free in a solution, if rounding may hide one, or if an argument is invalid. Arguments from
    # `home_inverse` to `length` are those of `solve_closed_form`, the others those of `search.solve_one`.
    n = at[AT_DOF]
    if posture.shape[0] != n or target.shape != (4, 4) or not is_inside(posture, joints):
        return False
    Q, codes = np.empty((MAX_SOLUTIONS, n)), np.zeros(1 + MAX_SOLUTIONS + 4, dtype=np.int64)
    nearest, least = -1, math.inf
    count = solve_closed_form(target, home_inverse, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q, codes)
    if count <= 0 or codes[FLAGS] & (NEEDS_EXTENDED_PRECISION | 8 * (SHOULDER | ELBOW | WRIST)):
        return False
    for k in range(count):
        unwrap(Q[k], posture, joints)
        distance = distance_between(Q[k], posture)
        if distance < least:
            nearest, least = k, distance
    work = workspace(np.zeros(scratch_size(at)), run, at, settings)
    set_target(work, target)
    evaluate(work, Q[nearest])
    write_report(report, CONVERGED, 0, Q[nearest], posture, work[2])
    report[RESTARTS] = 0.0
    return is_converged(work[2], settings)
