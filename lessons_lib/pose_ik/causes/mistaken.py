"""Targets that were written in another unit, order or frame: named only where the mended one is solved.

Any pose has an inverse, and other readings like it, and some of them are solved by chance. So one of these is named
only where it is the only one that is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie import exp_se3, exp_so3, inverse, log_se3, log_so3
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.causes.explanation import Cause
from lessons_lib.pose_ik.causes.question import Question

FAR = 20.0
"""A point so many times as far as the arm reaches is thought to be in millimetres."""

GROSS = 0.25
"""What is left of the error of such a slip: a quarter of the arm's length, or so many rad; less has other causes."""


def mended(asked: Question, miss: float | None) -> Iterator[tuple[str, Array, bool]]:
    """Yield in which slip, what the target may have been meant to be, and whether any pose could be mended so."""
    T, home = asked.target, asked.arm.home
    if np.linalg.norm(T[:3, 3]) > FAR * max(arm_of(asked.arm).size, 1e-300):
        metres = T.copy()
        metres[:3, 3] /= 1000.0
        yield "millimetres for metres", metres, False
        return
    angle, distance = asked.misses(asked.q)
    near = angle < GROSS and distance < GROSS * asked.arm.length if miss is None else miss < GROSS * asked.arm.length
    if near:
        return
    turn = log_so3(T[:3, :3])
    size = float(np.linalg.norm(turn))
    if size > 1e-9:
        for degrees in range(-360, 361):
            if degrees and abs(np.remainder(degrees - size + np.pi, 2 * np.pi) - np.pi) < 1e-9:
                meant = T.copy()
                meant[:3, :3] = exp_so3(turn / size * np.radians(degrees))
                yield f"degrees for radians, {degrees}°", meant, False
    transposed = T.copy()
    transposed[:3, :3] = T[:3, :3].T
    yield "the rotation transposed", transposed, True
    yield "the inverse pose, T_ds for T_sd", inverse(T), True
    twist = log_se3(T)
    yield "a twist with (v, ω) for (ω, v)", exp_se3(np.concatenate([twist[3:], twist[:3]])), True
    yield "a pose seen from the tip at zero, T_bd for T_sd", home @ T, True
    yield "a pose of the base as the tip at zero sees it", T @ home, True


def mistaken(asked: Question, miss: float | None) -> list[Cause]:
    """Return the slips whose mended target is solved, and no other like it.

    Args:
        asked: What was asked.
        miss: By how much the point is out of reach, m, where it is.
    """
    if not asked.is_whole:
        return []
    sure: list[Cause] = []
    vague: list[Cause] = []
    for slip, meant, is_vague in mended(asked, miss):
        if np.abs(meant - asked.target).max() < 1e-9:
            continue
        solved = asked.tried(target=meant)
        if solved.converged:
            shown = f"with that mended it is solved in {solved.iterations} steps."
            cause = Cause(slip, False, shown, "See how the target is made.", solved.q)
            (vague if is_vague else sure).append(cause)
    return sure or (vague if len(vague) == 1 else [])
