"""Coordinates of a coupled arm from the angles of its joints, which are known up to whole revolutions: θ = A q + 2π k.

Joints and coordinates fall into groups that share none; each group is solved by itself.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.robots import Chain
from lessons_lib.robots.coupling import row_ranges

REVOLUTIONS = 4
"""Of a joint, most, to either side."""

MOST = 20_000
"""Combinations of revolutions of a group; with more of them, joints of the group make one revolution at most."""

FITS = 1e-9
"""Largest difference, rad or m, between the joints' angles and those that the coordinates give them."""

FULL = 2.0 * np.pi


def coordinates(arm: Chain, joints: Array, near: Array, limits: Array) -> tuple[Array | None, bool]:
    """Return the q within limits, nearest to another one, that turns the joints to given angles up to revolutions.

    Args:
        arm: Its joints are coupled.
        joints: θ, counted from q = 0, shape (m,), rad or m.
        near: Shape (n,).
        limits: Shape (n, 2).

    Returns:
        q, shape (n,), or None if there is none, and whether that is undecided: by rounding, or because the limits allow
        more revolutions than are tried.
    """
    A, q, undecided = arm.matrix, np.empty(arm.dof), False
    assert A is not None
    periods = np.where(np.array(arm.uncoupled.joint_types) == "revolute", FULL, 0.0)
    for rows, columns in groups(A):
        block, bounds = A[np.ix_(rows, columns)], limits[columns]
        turns, all_tried = _revolutions(row_ranges(block, bounds), joints[rows], periods[rows])
        angles = joints[rows] + turns
        found = angles @ np.linalg.pinv(block).T
        fits = (np.abs(found @ block.T - angles) < FITS * (1.0 + np.abs(angles))).all(axis=1)
        outside = np.maximum(bounds[:, 0] - found, found - bounds[:, 1]).max(axis=1, initial=-np.inf)
        undecided |= bool((fits & (np.abs(outside) < FITS)).any())
        allowed = found[fits & (outside <= FITS)]
        if not len(allowed):
            return None, undecided or not all_tried
        nearest = allowed[np.argmin(np.linalg.norm(allowed - near[columns], axis=1))]
        q[columns] = np.clip(nearest, *bounds.T)
    return q, undecided


def _revolutions(reached: Array, angles: Array, periods: Array) -> tuple[Array, bool]:
    """Return the revolutions that joints may add within their range, a combination a row, and whether these are all."""
    most = REVOLUTIONS
    while True:
        choices = []
        for (low, high), angle, period in zip(reached, angles, periods, strict=True):
            turns = period * np.arange(-most, most + 1) if period else np.zeros(1)
            choices.append(turns[(angle + turns >= low - FITS) & (angle + turns <= high + FITS)])
        if most == 1 or np.prod([len(one) for one in choices], dtype=float) <= MOST:
            beyond = np.maximum(angles - reached[:, 0], reached[:, 1] - angles) >= (most + 1) * periods
            return np.array(list(product(*choices))).reshape(-1, len(angles)), not (beyond & (periods > 0.0)).any()
        most = 1


def groups(A: Array) -> list[tuple[Integers, Integers]]:
    """Return the rows and columns of A that belong together, group by group; a row of zeros is a group of its own."""
    found: list[tuple[set[int], set[int]]] = []
    for i, row in enumerate(A):
        rows, columns = {i}, set(np.flatnonzero(row).tolist())
        for other in [one for one in found if one[1] & columns]:
            rows, columns = rows | other[0], columns | other[1]
            found.remove(other)
        found.append((rows, columns))
    return [(np.array(sorted(rows)), np.array(sorted(columns), dtype=np.int64)) for rows, columns in found]
