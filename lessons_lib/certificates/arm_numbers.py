"""What a certificate is told of an arm: its axes with their radii, and how much its derivative can change.

The second derivative of a chain by joints i ≤ j, counted from the base, is wᵢ × (wⱼ × rₖ) of the tip's columns and
wᵢ × uⱼ of its position. For its angular part that makes at most 1, since |[a][b]|² = |a|²|b|² + (a · b)² in the
Frobenius norm; for the linear one at most what joint j can move the tip by, its distance from axis j at the farthest
(claims 21.3 and 21.4). K is the root of the sum of all these squares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.kantorovich import FARTHEST
from lessons_lib.certificates.residual import (
    AXIS,
    LOOSE,
    PITCH,
    ROW,
    SLIDES,
    STEP,
    WIDER,
    U,
    distance_to_rotation,
)
from lessons_lib.robots import Chain, from_screws

ROUNDED = 4e-16
"""How far a direction that is not along an axis of {s} may be from the exact arm's."""

_KEY, _IN_PLANE = "certificates", "certificates in the plane"


@dataclass(frozen=True, eq=False)
class ArmNumbers:
    """An arm in units of its own length.

    Attributes:
        joints: See `residual.residual`.
        home: Pose of the tip at q = 0, shape (4, 4).
        loose: By how much its rotation may be off.
        units: What a joint's value is divided by, shape (n,).
        length: Of the arm, m.
        fixed: K, where no joint moves along its axis.
    """

    joints: Array
    home: Array
    loose: float
    units: Array
    length: float
    fixed: float | None

    def second(self, q: Array) -> float:
        """Return K, for all configurations that are at most FARTHEST from q, in these units."""
        return second_bound(self.joints, self.home, q) if self.fixed is None else self.fixed


def arm_numbers(arm: Chain) -> ArmNumbers:
    """Return the numbers of an arm, worked out once."""
    found: Any = arm.prepared.get(_KEY)
    if found is None:
        found = _worked_out(arm)
        arm.prepare(_KEY, found)
    made: ArmNumbers = found
    return made


def _worked_out(arm: Chain) -> ArmNumbers:
    length = arm.length
    home = arm.home.copy()
    home[:3, 3] /= length
    joints, point, off = np.zeros((arm.dof, ROW)), np.zeros(3), 0.0
    for row, screw, kind in zip(joints, arm.screws.T, arm.joint_types, strict=True):
        omega, v = screw[:3], screw[3:] / length
        row[SLIDES] = kind == "prismatic"
        if kind == "prismatic":
            row[AXIS : AXIS + 3] = screw[3:]  # its value is measured in lengths, too
            continue
        center = np.cross(omega, v)  # the point of the axis that is nearest to the origin of {s}
        row[AXIS : AXIS + 3], row[STEP : STEP + 3], point = omega, center - point, center
        row[PITCH] = omega @ v if kind == "helical" else 0.0
        along_an_axis = bool((omega == np.round(omega)).all())
        far = float(np.abs(center).max()) + abs(row[PITCH]) + off
        unit = max(ROUNDED, 2.0 * abs(math.hypot(*omega) - 1.0))
        row[LOOSE] = 2.0 * U * far if along_an_axis else unit * (2.0 + 4.0 * far)
        off = float(np.abs(center).max())
    home[:3, 3] -= point
    loose = distance_to_rotation(home) + 2.0 * U * (off + float(np.abs(home[:3, 3]).max()))
    units = np.array([length if kind == "prismatic" else 1.0 for kind in arm.joint_types])
    moves_along = joints[:, SLIDES].any() or joints[:, PITCH].any()
    fixed = None if moves_along else second_bound(joints, home, np.zeros(arm.dof))
    return ArmNumbers(joints, home, loose, units, length, fixed)


def second_bound(joints: Array, home: Array, q: Array) -> float:
    """Return K, see the head of this file.

    From the tip inward, each axis is given the point that is nearest to the point after. A rigid link keeps the
    distance between its two points, so the tip is never farther from the first than the sum of these distances.

    Args:
        joints: See `residual.residual`.
        home: See `residual.residual`.
        q: Where slides and helical joints may be, give or take FARTHEST.
    """
    n = len(joints)
    centers = np.cumsum(joints[:, STEP : STEP + 3], axis=0)
    reach, point, moved = 0.0, centers[-1] + home[:3, 3], np.zeros(n)
    for j in reversed(range(n)):
        axis, along = joints[j, AXIS : AXIS + 3], abs(float(q[j])) + FARTHEST
        if joints[j, SLIDES]:
            moved[j] = np.linalg.norm(axis)
            reach += moved[j] * along
            continue
        nearest = centers[j] + axis * float(axis @ (point - centers[j]))
        reach += float(np.linalg.norm(point - nearest))
        moved[j] = math.hypot(reach, joints[j, PITCH])
        reach, point = reach + abs(joints[j, PITCH]) * along, nearest
    turns = joints[:, SLIDES] == 0.0
    square = 0.0
    for j in range(n):
        pairs = 2 * int(turns[: j + 1].sum()) - int(turns[j])  # (i, j) and (j, i), and (j, j) once
        square += pairs * (moved[j] ** 2 + float(turns[j]))
    return math.sqrt(square) * WIDER


def widened(arm: Chain, target: Array) -> Chain | None:
    """Return an arm that moves in a plane, or along its normal too, as one of six joints; None where it proves nothing.

    Joints before the base lead out of the plane, two hinges in it and a slide across it. The solutions of that arm
    beside are those of the arm itself: T = V P, where P is a motion of the plane and so is T, leaves V = T P⁻¹ one of
    the plane; and where two small turns about axes of the plane leave its normal as it is, both are zero. The plane has
    to be one of {s}, and the target exactly in it, as the doubles are: then so is the nearest pose.
    """
    found: Any = arm.prepared.get(_IN_PLANE)
    if found is None:
        found = _widened(arm)
        arm.prepare(_IN_PLANE, found)
    across, slides, whole = found
    if whole is None:
        return None
    row, home = target[across, :3], arm.home[across]
    in_it = np.count_nonzero(row) == 1 and (row == home[:3]).all() and (slides or target[across, 3] == home[3])
    column = target[:3, int(np.argmax(np.abs(row)))]
    return whole if in_it and np.count_nonzero(column) == 1 else None


def _widened(arm: Chain) -> tuple[int, bool, Chain | None]:
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
