"""The nearest of all answers to a posture, of an arm whose axes allow a closed form.

By hand: it is a choice.
Held by: tests/pose_ik/test_prefer.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.branches.decisions import DOUBTFUL, ELBOW, LEAVES, SEEN, SHOULDER, WRIST
from lessons_lib.pose_ik.branches.every import NOISE, every
from lessons_lib.pose_ik.compiled_loop import aim, evaluate, workspace
from lessons_lib.pose_ik.compiled_rules import distance_between, fill, score_of, write
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import AT_DOF, CONVERGED, LOWER, UPPER


def write_nearest(
    target: Array,
    back: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    joints: Array,
    settings: Array,
    posture: Array,
    report: Array,
    run: int,
    at: Integers,
) -> bool:
    """Write a report of the answer nearest to a posture, which becomes its start.

    Returns whether that is known; where not, something about the arguments may be wrong, too.

    The arguments up to the length are those of `every`, the others those of compiled_loop.py.
    """
    n = at[AT_DOF]
    for i in range(n):
        if not joints[i, LOWER] <= posture[i] <= joints[i, UPPER]:
            return False
    Q, codes, best, least = np.empty((LEAVES, n)), np.zeros(1 + LEAVES + 4, dtype=np.int64), -1, math.inf
    count = every(target, back, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q, codes)
    if count <= 0 or codes[SEEN] & (DOUBTFUL | 8 * (SHOULDER | ELBOW | WRIST)):
        return False
    for k in range(count):
        unwrap(Q[k], posture, joints)
        far = distance_between(Q[k], posture)
        if far < least:
            best, least = k, far
    work = workspace(run, at, settings)
    aim(work, target)
    evaluate(work, Q[best])
    fill(report, 0.0)
    write(report, CONVERGED, 0, Q[best], posture, work[2])
    return bool(score_of(work[2], settings) <= 1.0)
