"""Axes of an arm with their radii, and the bound K on the second derivative of the residual."""
# The second derivative by joints i ≤ j, counted from the base, is wᵢ × (wⱼ × rₖ) for the tip's columns and wᵢ × uⱼ for
# its position. The angular part has a norm of at most 1, since |[a][b]|² = |a|²|b|² + (a · b)² (Frobenius); the linear
# part at most the distance of the tip from axis j (claims 20.3 and 20.4). K is the root of the sum of all squares.

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, INPUT_ERROR, U, distance_to_rotation
from lessons_lib.certificates.kantorovich import LARGEST_BALL
from lessons_lib.certificates.residual import AXIS, JOINT_RADIUS, PITCH, PRISMATIC, ROW, STEP
from lessons_lib.robots import Chain, Coupling, from_screws

_KEY, _PLANAR = "certificates", "certificates in the plane"


@dataclass(frozen=True, eq=False)
class ScaledArm:
    """An arm in units of its length; `joints`, `home`, `A` and others as in `coupled_residual`."""

    joints: Array
    home: Array
    e_home: float
    units: Array  # of the coordinates, shape (n,)
    length: float  # of the arm, in its unit
    fixed: float | None  # K, if it does not depend on q
    A: Array
    A_norm: float

    def second_derivative_bound(self, q: Array) -> float:
        """Return K for all joint values within LARGEST_BALL of those of q."""
        theta = self.A @ q if len(self.A) else q
        return second_bound(self.joints, self.home, theta) if self.fixed is None else self.fixed

    def arguments(self, q: Array) -> tuple[Any, ...]:
        return self.joints, self.home, self.e_home, self.A, self.A_norm, self.second_derivative_bound(q)


def scale_arm(arm: Chain) -> ScaledArm:
    prepared: Any = arm.prepared.get(_KEY)
    if prepared is None:
        prepared = _scale(arm)
        arm.prepare(_KEY, prepared)
    scaled: ScaledArm = prepared
    return scaled


def _scale(arm: Chain) -> ScaledArm:
    length, free = arm.length, arm.uncoupled
    home = scale_pose(arm.home, length)
    joints, point, off = np.zeros((free.dof, ROW)), np.zeros(3), 0.0
    for row, screw, kind in zip(joints, free.screws.T, free.joint_types, strict=True):
        omega, v = screw[:3], screw[3:] / length
        row[PRISMATIC] = kind == "prismatic"
        if kind == "prismatic":
            row[AXIS : AXIS + 3] = screw[3:]  # its value is in arm lengths
            continue
        center = np.cross(omega, v)  # the axis's point nearest to the origin of {s}
        row[AXIS : AXIS + 3], row[STEP : STEP + 3], point = omega, center - point, center
        row[PITCH] = omega @ v if kind == "helical" else 0.0
        along_an_axis = bool((omega == np.round(omega)).all())
        far = float(np.abs(center).max()) + abs(row[PITCH]) + off
        unit = max(INPUT_ERROR, 2.0 * abs(math.hypot(*omega) - 1.0))
        row[JOINT_RADIUS] = 2.0 * U * far if along_an_axis else unit * (2.0 + 4.0 * far)
        off = float(np.abs(center).max())
    home[:3, 3] -= point
    e_home = distance_to_rotation(home) + 2.0 * U * (off + float(np.abs(home[:3, 3]).max()))
    units, joint_units = (
        np.array([length if kind == "prismatic" else 1.0 for kind in one.joint_types]) for one in (arm, free)
    )
    moves_along = joints[:, PRISMATIC].any() or joints[:, PITCH].any()
    fixed = None if moves_along else second_bound(joints, home, np.zeros(free.dof))
    A = np.empty((0, 0)) if arm.matrix is None else arm.matrix * units / joint_units[:, None]
    return ScaledArm(joints, home, e_home, units, length, fixed, A, bound_norm(A))


def bound_norm(A: Array) -> float:
    """Return a bound on the largest singular value of A, √(|A|₁ |A|∞) or |A|_F; 1 for no coupling."""
    if not len(A):
        return 1.0
    sizes = np.abs(A)
    holder = float(sizes.sum(axis=0).max()) * float(sizes.sum(axis=1).max())
    return math.sqrt(min(holder, float((A * A).sum()))) * INFLATION


def scale_pose(T: Array, length: float) -> Array:
    scaled = T.copy()
    scaled[:3, 3] /= length
    return scaled


def second_bound(joints: Array, home: Array, q: Array) -> float:
    """Return K for all configurations within LARGEST_BALL of q."""
    # From the tip to the base, each axis gets its point nearest to the previous point. Rigid links keep the distances
    # between these points, so the tip is never farther from an axis than their sum.
    n = len(joints)
    centers = np.cumsum(joints[:, STEP : STEP + 3], axis=0)
    reach, point, levers = 0.0, centers[-1] + home[:3, 3], np.zeros(n)
    for j in reversed(range(n)):
        axis, along = joints[j, AXIS : AXIS + 3], abs(float(q[j])) + LARGEST_BALL
        if joints[j, PRISMATIC]:
            levers[j] = np.linalg.norm(axis)
            reach += levers[j] * along
            continue
        nearest = centers[j] + axis * float(axis @ (point - centers[j]))
        reach += float(np.linalg.norm(point - nearest))
        levers[j] = math.hypot(reach, joints[j, PITCH])
        reach, point = reach + abs(joints[j, PITCH]) * along, nearest
    turns = joints[:, PRISMATIC] == 0.0
    square = 0.0
    for j in range(n):
        pairs = 2 * int(turns[: j + 1].sum()) - int(turns[j])  # (i, j) and (j, i); (j, j) once
        square += pairs * (levers[j] ** 2 + float(turns[j]))
    return math.sqrt(square) * INFLATION


def extend_planar_arm(arm: Chain, target: Array) -> Chain | None:
    """Extend a planar arm to six joints; return None if that proves nothing about this target."""
    # Two revolute joints before the base and a prismatic one lead out of the plane. A solution of the extended arm near
    # q is one of the arm: if T = V P, with motions T and P of the plane, V = T P⁻¹ is a motion of the plane, and two
    # small rotations about axes in the plane that keep its normal are zero. The plane must be parallel to one of {s},
    # and the target exactly in it, as doubles; then so is the nearest pose.
    six: Any = arm.prepared.get(_PLANAR)
    if six is None:
        six = _extend(arm)
        arm.prepare(_PLANAR, six)
    normal, slides, extended = six
    if extended is None:
        return None
    row, home = target[normal, :3], arm.home[normal]
    in_plane = np.count_nonzero(row) == 1 and (row == home[:3]).all() and (slides or target[normal, 3] == home[3])
    column = target[:3, int(np.argmax(np.abs(row)))]
    return extended if in_plane and np.count_nonzero(column) == 1 else None


def _extend(arm: Chain) -> tuple[int, bool, Chain | None]:
    """Return the axis of {s} normal to the plane, whether the arm moves along it, and the extended arm."""
    screws, nothing, types = arm.screws, (0, False, None), arm.uncoupled.joint_types
    turning = np.array(types) == "revolute"
    if "helical" in types or not turning.any() or arm.dof < 3:
        return nothing
    normal = int(np.argmax(np.abs(screws[:3, int(np.argmax(turning))])))
    others = np.delete(np.arange(3), normal)
    along = ~turning & (screws[3 + others] == 0.0).all(axis=0)
    flat = turning & (screws[others] == 0.0).all(axis=0) | ~turning & (screws[3 + normal] == 0.0)
    if not (flat | along).all() or np.count_nonzero(flat) < 3:
        return nothing
    before = np.eye(6)[:, [*others, *([] if along.any() else [3 + normal])]]
    coupling = None if arm.matrix is None else Coupling(_block_diagonal(np.eye(before.shape[1]), arm.matrix))
    return normal, bool(along.any()), from_screws(np.hstack([before, screws]), arm.home, coupling=coupling)


def _block_diagonal(first: Array, second: Array) -> Array:
    blocks = np.zeros(np.add(first.shape, second.shape))
    blocks[: len(first), : len(first)], blocks[len(first) :, len(first) :] = first, second
    return blocks
