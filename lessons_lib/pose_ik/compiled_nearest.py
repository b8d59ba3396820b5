"""The nearest of all answers to a posture, of an arm whose axes allow a closed form.

By hand: it is a choice.
Held by: tests/pose_ik/test_prefer.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.branches.decisions import DOUBTFUL, ELBOW, LEAVES, SEEN, SHOULDER, WRIST
from lessons_lib.pose_ik.branches.every import NOISE, every
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import AT_DOF, AT_END, AT_ERROR, AT_Q, AT_TARGET, CONVERGED, EVALUATE, LOWER, UPPER
from lessons_lib.pose_ik.search_rules import copy, distance_between, fill, score_of, write


def write_nearest(
    target: Array,
    posture: Array,
    report: Array,
    back: Array,
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
    """Write a report of the answer nearest to a posture, which becomes its start.

    Returns whether that is known; where not, something about the arguments may be wrong, too.

    The arguments from `back` to the length are those of `every`, the others those of search.py.
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
    w = np.zeros(at[AT_END])
    copy(Q[best], w[at[AT_Q] : at[AT_Q] + n])
    for i in range(12):
        w[at[AT_TARGET] + i] = target[i // 4, i % 4]
    call_at(run, w, EVALUATE)
    error = w[at[AT_ERROR] : at[AT_ERROR] + 6]
    fill(report, 0.0)
    write(report, CONVERGED, 0, Q[best], posture, error)
    return bool(score_of(error, settings) <= 1.0)
