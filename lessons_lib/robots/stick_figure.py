"""The stick figure of a chain: links drawn between its screw axes."""
# Along each axis the drawing runs to the foot of the common normal with the next axis; between parallel axes it runs
# perpendicular to them. For Denavit-Hartenberg rows these segments are the a's and d's.

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.robots.chain import Chain

PARALLEL = 1e-9
"""Below this squared sine, axes are drawn as parallel: rounding would decide the position of their common normal."""


@dataclass(frozen=True)
class Skeleton:
    """The corners of a drawn arm at q = 0, each fixed to one link."""

    corners: Array  # points in {s} from the base to the tip, (m, 3), m
    carriers: NDArray[np.intp]  # for each corner, the number of joints that move it, (m,)
    joints: NDArray[np.intp]  # for each joint, the index of the corner that lies on it, (n,)

    @property
    def reach(self) -> float:
        """Length of the whole polyline at q = 0, m; no revolute joint moves the tip farther from the base than that."""
        return float(np.linalg.norm(np.diff(self.corners, axis=0), axis=1).sum())

    def at(self, chain: Chain, q: Array) -> Array:
        """Return the corners at configuration q, shape (m, 3), m, in {s}."""
        poses = prefixes(chain, q)[self.carriers]
        placed: Array = np.einsum("mij,mj->mi", poses[:, :3, :3], self.corners) + poses[:, :3, 3]
        return placed


def prefixes(chain: Chain, q: Array) -> Array:
    """Return I, e^[S_1]q_1, e^[S_1]q_1 e^[S_2]q_2, …, shape (n + 1, 4, 4), or (m + 1, 4, 4) of m coupled joints."""
    poses = np.empty((chain.uncoupled.dof + 1, 4, 4))
    poses[0] = np.eye(4)
    for i, angle in enumerate(q if chain.matrix is None else chain.matrix @ q):
        poses[i + 1] = poses[i] @ lie.exp_se3(chain.screws[:, i] * angle)
    return poses


def skeleton(chain: Chain, aside: Mapping[int, float] | None = None) -> Skeleton:
    """Return the stick figure of a chain; `aside` moves the corner of a joint along its axis, m."""
    chain = chain.uncoupled
    corners, carriers, joints = [np.zeros(3)], [0], []
    for i in range(chain.dof):
        arrival = _on_axis(chain.screws[:, i], corners[-1])
        if i > 0:
            leave, arrival = _common_normal(chain.screws[:, i - 1], chain.screws[:, i], corners[-1])
            _append(corners, carriers, leave, i)
        _append(corners, carriers, arrival, i)
        if aside and i in aside:
            _append(corners, carriers, arrival + aside[i] * chain.screws[:3, i], i)
        joints.append(len(corners) - 1)
        if chain.joint_types[i] == "prismatic":
            _append(corners, carriers, arrival, i + 1, always=True)
    _append(corners, carriers, _on_axis(chain.screws[:, -1], chain.home[:3, 3]), chain.dof)
    _append(corners, carriers, chain.home[:3, 3], chain.dof)
    return Skeleton(np.array(corners), np.array(carriers, dtype=np.intp), np.array(joints, dtype=np.intp))


def _append(corners: list[Array], carriers: list[int], point: Array, carrier: int, always: bool = False) -> None:
    """Add a corner, unless it coincides with the last one."""
    if always or not np.allclose(point, corners[-1], rtol=0.0, atol=1e-9):
        corners.append(np.array(point, dtype=np.float64))
        carriers.append(carrier)


def _on_axis(screw: Array, point: Array) -> Array:
    """Return the point of a joint's axis nearest to `point`; of a prismatic joint `point` itself."""
    omega, v = screw[:3], screw[3:]
    if not omega.any():
        return point
    foot: Array = np.cross(omega, v)  # the point of the axis nearest to the origin
    return foot + omega * float(omega @ (point - foot))


def _common_normal(first: Array, second: Array, point: Array) -> tuple[Array, Array]:
    """Return the feet of the common normal of two axes; for parallel axes the one through `point`."""
    a, b = first[:3], second[:3]
    squared_sine = 1.0 - float(a @ b) ** 2 if a.any() and b.any() else 0.0
    if squared_sine < PARALLEL:
        return point, _on_axis(second, point)
    p, r = np.cross(a, first[3:]), np.cross(b, second[3:])
    along_a, along_b, cosine = float(a @ (r - p)), float(b @ (r - p)), float(a @ b)
    s = (along_a - cosine * along_b) / squared_sine
    t = (cosine * along_a - along_b) / squared_sine
    return p + s * a, r + t * b
