"""Angles between joint axes that no motion changes: what the normal matrix of a Jacobian knows beforehand.

A turn about an axis leaves that axis where it is. So the angle between the axes of joints i and j is the same in every
configuration as soon as each joint between them keeps one of the two: neighbours always, and an arm's parallel joints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lessons_lib.arrays import Array

_ROUNDING = 1e-12
"""Below this, two unit axes that were rounded on their way here count as parallel, or as perpendicular."""


def axis_products(screws: Array) -> dict[tuple[int, int], float]:
    """Return the products ω_iᵀω_j, i ≥ j, that are the same at every q.

    Args:
        screws: Screw axes (ω, v) in one frame at q = 0, |ω| = 1, or ω = 0 for a prismatic joint, shape (6, n).
    """
    axes = np.asarray(screws, dtype=np.float64)[:3].T
    found = {}
    for i in range(len(axes)):
        for j in range(i + 1):
            if not axes[i].any() or not axes[j].any() or _never_changes(axes, j, i):
                found[i, j] = _exact(float(axes[i] @ axes[j]))
    return found


def _never_changes(axes: Array, first: int, last: int) -> bool:
    """Return whether the joints after `first` keep its axis up to some joint, and from there on keep that of `last`."""
    kept = first
    while kept + 1 < last and _keeps(axes[kept + 1], axes[first]):
        kept += 1
    return all(_keeps(axes[k], axes[last]) for k in range(kept + 1, last))


def _keeps(rotated: Array, axis: Array) -> bool:
    """Return whether a turn about one axis, or none, leaves another where it is."""
    return bool(np.abs(np.cross(rotated, axis)).max() <= _ROUNDING)


def _exact(product: float) -> float:
    """Return a product free of the rounding that hides 0, 1 and −1."""
    nearest = float(round(product))
    return nearest + 0.0 if abs(product - nearest) <= _ROUNDING else product
