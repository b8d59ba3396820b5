"""How many answers come together in one, where no closed form tells it: zeros counted on a circle around it.

Where the derivative has one direction that moves nothing, all other equations follow a step t along it, and what is
left is one function of t. Its zeros near 0 are the answers, complex ones among them: as often as the function goes
around zero, while t goes once around a circle. The circle is the least on which it stands out of rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lessons_lib.all_solutions.families import wrapped
from lessons_lib.all_solutions.sixteen import TOLD_APART
from lessons_lib.all_solutions.solutions import Solutions
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie import hat_se3
from lessons_lib.robots import Chain

NOT_TOLD = 0

ALONE = 1e-3
"""Above this least singular value of the derivative, in rad and lengths of the arm, an answer is one by itself."""

LEAST, LARGEST, WIDER = 1e-6, 0.05, 2.0
"""Radii of the circle, rad, and from one that is tried to the next."""

PLACES, STEPS = 48, 12
"""Places on a circle, and steps of Newton's method to each."""


def multiplicities(solutions: Solutions) -> Integers:
    """Return how many answers of six hinges come together in each; NOT_TOLD where that is not clear."""
    q = solutions.q
    apart = np.abs(wrapped(q[:, None] - q)).max(axis=2) + np.diag(np.full(len(q), np.inf))
    found = [
        multiplicity(solutions.arm, solutions.target, one, float(far.min())) for one, far in zip(q, apart, strict=True)
    ]
    return np.array(found, dtype=np.int64)


def multiplicity(arm: Chain, target: Array, q: Array, apart: float = np.inf) -> int:
    """Return how many answers come together in one, or NOT_TOLD.

    Args:
        arm: Of six hinges.
        target: T_sd, shape (4, 4).
        q: The answer, shape (6,), rad.
        apart: How far the next answer is, rad.
    """
    J = missed(arm, target, q[None].astype(complex))[1][0].real
    left, sizes, right = np.linalg.svd(J)
    if sizes[-1] > ALONE:
        return 1
    if sizes[-2] < ALONE:
        return NOT_TOLD
    around, radius = np.exp(2j * np.pi * np.arange(PLACES) / PLACES), LEAST
    while radius < min(LARGEST, 0.5 * apart):
        values = left_over(arm, target, q, left[:, -1], right[-1], radius * around)
        if np.abs(values).min() > TOLD_APART:
            turned = np.angle(np.roll(values, -1) / values)
            return round(float(turned.sum() / (2 * np.pi))) if np.abs(turned).max() < 1.0 else NOT_TOLD
        radius *= WIDER
    return NOT_TOLD


def left_over(
    arm: Chain, target: Array, q: Array, u: Array, v: Array, steps: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """Return what an arm misses along u, shape (k,), at q + step v and what is across v, where it misses nothing else.

    Args:
        arm: The arm.
        target: T_sd.
        q: Where steps begin.
        u: Unit vector of equations.
        v: Unit vector of joints.
        steps: Complex, shape (k,).
    """
    at = q + steps[:, None] * v
    for _ in range(STEPS):
        F, J = missed(arm, target, at)
        bordered = np.zeros((len(steps), 7, 7), dtype=complex)
        bordered[:, :6, :6], bordered[:, :6, 6], bordered[:, 6, :6] = J, u, v
        found = np.linalg.solve(bordered, np.concatenate([F, np.zeros((len(steps), 1))], axis=1)[..., None])[..., 0]
        at = at + found[:, :6]
    return np.asarray(missed(arm, target, at)[0] @ u)


def missed(
    arm: Chain, target: Array, q: NDArray[np.complex128]
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Return what arms miss a pose by, and how joints make up for it: rad and lengths of the arm, (k, 6), (k, 6, 6)."""
    T, columns = np.broadcast_to(np.eye(4, dtype=complex), (len(q), 4, 4)), []
    for screw, angle in zip(arm.screws.T, q.T, strict=True):
        A, angles = hat_se3(screw), angle[:, None, None]
        columns.append(T @ A @ np.linalg.inv(T))
        T = T + T @ (np.sin(angles) * A + (1.0 - np.cos(angles)) * (A @ A))
    T, unit = T @ arm.home, np.repeat([1.0, arm.length], 3)
    turn = 0.5 * np.cross(T[:, :3, :3], target[:3, :3], axisa=1, axisb=0, axisc=2).sum(axis=1)
    F = np.concatenate([turn, target[:3, 3] - T[:, :3, 3]], axis=1) / unit
    moving = np.stack(columns, axis=1)  # (k, 6, 4, 4)
    place = np.einsum("kjab,kb->kja", moving, T[:, :, 3])[..., :3]
    turning = np.stack([moving[..., 2, 1], moving[..., 0, 2], moving[..., 1, 0]], axis=-1)
    return F, np.swapaxes(np.concatenate([turning, place], axis=2) / unit, 1, 2)
