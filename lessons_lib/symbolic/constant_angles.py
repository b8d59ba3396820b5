"""Angles between joint axes that are the same in every configuration: known entries of a Jacobian's normal matrix."""
# A rotation leaves its own axis fixed. The angle between the axes of joints i and j is therefore constant if each joint
# between them leaves one of the two fixed: for all neighbours, and for parallel joints.

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lessons_lib.arrays import Array

_ROUNDING = 1e-12
"""Rounding error of products of unit axes below which they count as parallel or perpendicular."""


def axis_products(screws: Array) -> dict[tuple[int, int], float]:
    """Return the constant products ω_iᵀω_j, i ≥ j, of screw axes in one frame at q = 0; ω = 0 if prismatic."""
    axes = np.asarray(screws, dtype=np.float64)[:3].T
    products = {}
    for i in range(len(axes)):
        for j in range(i + 1):
            if not axes[i].any() or not axes[j].any() or _never_changes(axes, j, i):
                products[i, j] = _exact(float(axes[i] @ axes[j]))
    return products


def _never_changes(axes: Array, first: int, last: int) -> bool:
    """Return whether the joints between `first` and `last` leave the axis of `first` fixed, then that of `last`."""
    last_parallel = first
    while last_parallel + 1 < last and _leaves_fixed(axes[last_parallel + 1], axes[first]):
        last_parallel += 1
    return all(_leaves_fixed(axes[k], axes[last]) for k in range(last_parallel + 1, last))


def _leaves_fixed(rotated: Array, axis: Array) -> bool:
    """Return whether a rotation about one axis leaves another fixed."""
    return bool(np.abs(np.cross(rotated, axis)).max() <= _ROUNDING)


def _exact(product: float) -> float:
    """Return a product with rounding removed near 0, 1 and −1."""
    nearest = float(round(product))
    return nearest + 0.0 if abs(product - nearest) <= _ROUNDING else product
