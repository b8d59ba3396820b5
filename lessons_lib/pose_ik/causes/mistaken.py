"""Targets that were written in another unit, order or frame: named only where the mended one is solved."""

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


def mended(asked: Question, miss: float | None) -> Iterator[tuple[str, Array]]:
    """Yield what the target may have been meant to be, and in which slip."""
    T, home = asked.target, asked.arm.home
    if np.linalg.norm(T[:3, 3]) > FAR * max(arm_of(asked.arm).size, 1e-300):
        metres = T.copy()
        metres[:3, 3] /= 1000.0
        yield "millimetres for metres", metres
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
                yield f"degrees for radians, {degrees}°", meant
    transposed = T.copy()
    transposed[:3, :3] = T[:3, :3].T
    yield "the rotation transposed", transposed
    yield "the inverse pose, T_ds for T_sd", inverse(T)
    twist = log_se3(T)
    yield "a twist with (v, ω) for (ω, v)", exp_se3(np.concatenate([twist[3:], twist[:3]]))
    yield "a pose seen from the tip at zero, T_bd for T_sd", home @ T
    yield "a pose of the base as the tip at zero sees it", T @ home


def mistaken(asked: Question, miss: float | None) -> list[Cause]:
    """Return the slips whose mended target is solved.

    Args:
        asked: What was asked.
        miss: By how much the point is out of reach, m, where it is.
    """
    if not asked.is_whole:
        return []
    found = []
    for slip, meant in mended(asked, miss):
        if np.abs(meant - asked.target).max() < 1e-9:
            continue
        solved = asked.tried(target=meant)
        if solved.converged:
            shown = f"with that mended it is solved in {solved.iterations} steps."
            found.append(Cause(slip, False, shown, "See how the target is made.", solved.q))
    return found
