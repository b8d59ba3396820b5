"""Certificates of arms that move in a plane, or in one and along its normal: such an arm asked for a pose of its own.

Joints before the base that lead out of the plane, two hinges in it and a slide across it, make it an arm of six. Its
solutions beside are those of the arm itself: T = V P, where P is a motion of the plane and so is T, leaves V = T P⁻¹
one of the plane; and where two small turns about axes of the plane leave its normal as it is, both are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain, from_screws

_KEY = "certificates in the plane"


def widened(arm: Chain, target: Array) -> Chain | None:
    """Return the arm with joints before it, by which it can leave its plane; None where that proves nothing.

    The plane has to be one of {s}, and the target exactly in it, as the doubles are: then so is the nearest pose.
    """
    found: Any = arm.prepared.get(_KEY)
    if found is None:
        found = _made(arm)
        arm.prepare(_KEY, found)
    across, slides, whole = found
    if whole is None:
        return None
    row, home = target[across, :3], arm.home[across]
    in_it = np.count_nonzero(row) == 1 and (row == home[:3]).all() and (slides or target[across, 3] == home[3])
    column = target[:3, int(np.argmax(np.abs(row)))]
    return whole if in_it and np.count_nonzero(column) == 1 else None


def _made(arm: Chain) -> tuple[int, bool, Chain | None]:
    """Return across which axis of {s} the plane is, whether the arm slides along it, and the arm with joints before."""
    screws, nothing = arm.screws, (0, False, None)
    turning = np.array(arm.joint_types) == "revolute"
    if "helical" in arm.joint_types or not turning.any():
        return nothing
    across = int(np.argmax(np.abs(screws[:3, int(np.argmax(turning))])))
    others = np.delete(np.arange(3), across)
    along = ~turning & (screws[3 + others] == 0.0).all(axis=0)
    flat = turning & (screws[others] == 0.0).all(axis=0) | ~turning & (screws[3 + across] == 0.0)
    if not (flat | along).all() or np.count_nonzero(flat) < 3:
        return nothing
    out = np.eye(6)[:, [*others, *([] if along.any() else [3 + across])]]
    return across, bool(along.any()), from_screws(np.hstack([out, screws]), arm.home)
