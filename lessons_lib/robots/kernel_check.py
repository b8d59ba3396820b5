"""Check a chain's kernels against the numeric product of exponentials, when they are generated and when loaded."""
# an error in derivation, printing or compilation would change the arm, and all reported errors would be measured on
# that wrong arm

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.errors import KinematicsError

if TYPE_CHECKING:
    from lessons_lib.arrays import Array
import math
from typing import TYPE_CHECKING, NamedTuple


def reference_products(screws: Array, home: Array, matrix: Array | None = None) -> Iterator[Product]:
    """Yield products of exponentials to compare with, each coordinate within π rad, or π m, of zero."""
    end = np.full((screws if matrix is None else matrix).shape[1], np.pi)
    return (product(screws, home, q, matrix) for q in sample_configurations(-end, end))


def check_text(text: str, screws: Array, home: Array, matrix: Array | None = None) -> None:
    """Run a module's pose_kernel, space_kernel and chain_kernel as plain Python, and check their results."""
    from lessons_lib.codegen.syntax import functions_of

    kernels = functions_of(text)
    for expected in reference_products(screws, home, matrix):
        for what, jacobian in (("pose_kernel", ""), ("space_kernel", "J_s"), ("chain_kernel", "J_b")):
            if what in kernels:
                outputs = {"T": np.empty((4, 4))} | ({jacobian: np.empty(expected.J_s.shape)} if jacobian else {})
                kernels[what](expected.q, *outputs.values())
                check_kernel(expected, **outputs, what=what)


def check_kernel(
    expected: Product, T: Array | None = None, J_s: Array | None = None, J_b: Array | None = None, what: str = "kernel"
) -> None:
    """Raise KinematicsError if results of a kernel differ from the product at the same q by more than rounding."""
    if T is not None:
        check_difference(expected, T[:3, :3] - expected.T[:3, :3], T[:3, 3] - expected.T[:3, 3], f"the pose of {what}")
    for name, actual, known in (("space", J_s, expected.J_s), ("body", J_b, expected.J_b)):
        if actual is not None:
            check_difference(expected, actual[:3] - known[:3], actual[3:] - known[3:], f"the {name} Jacobian of {what}")


def check_difference(expected: Product, angular: Array, linear: Array, what: str) -> None:
    """Raise KinematicsError if the angular or the linear difference exceeds the bound of `expected`."""
    angle, distance = float(np.abs(angular).max()), float(np.abs(linear).max())
    if not (angle <= expected.angle and distance <= expected.distance):
        raise KinematicsError(
            f"{what} differs from the product of exponentials by {angle:.2g} in angle and {distance:.2g} in length; "
            f"rounding explains at most {expected.angle:.2g} and {expected.distance:.2g}. The derived kinematics are "
            f"wrong, so the chain cannot be used. q = {np.round(expected.q, 6).tolist()}"
        )


# it shares nothing with the derivation: no SymPy, no generated code, no recursion over joint frames


_ROUNDING = 64 * 2.0**-53  # some dozens of operations for each joint, all rounding the same way
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class Product(NamedTuple):
    """Pose and Jacobians at one configuration, with rounding bounds for any other way of computing them."""

    q: Array  # (n,), rad or m
    T: Array  # T_sb, (4, 4)
    J_s: Array  # (6, n), rows (ω, v)
    J_b: Array  # (6, n)
    angle: float  # bound on the rounding of an entry of a rotation
    distance: float  # the same for a length, m


def sample_configurations(lower: Array, upper: Array, count: int = 2) -> Array:
    """Return distinct configurations between two others, shape (count, n), from multiples of the golden ratio."""
    n = len(lower)
    parts = np.mod(_GOLDEN * np.arange(1, n * count + 1), 1.0).reshape(count, n)
    return np.asarray(lower + parts * (upper - lower))


def product(screws: Array, home: Array, q: Array, matrix: Array | None = None) -> Product:
    """Return the product of a chain; a coupling A multiplies the Jacobians, its largest column sum the bounds."""
    if matrix is None:
        return uncoupled_product(screws, home, q)
    known, factor = uncoupled_product(screws, home, matrix @ q), max(1.0, float(np.abs(matrix).sum(axis=0).max()))
    return Product(q, known.T, known.J_s @ matrix, known.J_b @ matrix, known.angle * factor, known.distance * factor)


@np.errstate(over="ignore", invalid="ignore")
def uncoupled_product(screws: Array, home: Array, q: Array) -> Product:
    """Return T = e^[S_1]q_1 … e^[S_n]q_n M with its Jacobians and rounding bounds."""
    # Each joint rounds its rotation and its translation once, and a large angle is rounded as well. So the rotation is
    # off by at most some ε (n + Σ|q|), and a point by that times the length of the arm: the path over the points of the
    # axes that are nearest to the origin of {s}, plus all prismatic travel. Source: Lynch & Park, Modern Robotics
    # (2017), eqs. (4.14), (5.11), (5.18); the bound: Higham, Accuracy and Stability of Numerical Algorithms (2002),
    # §3.5.
    n, rotates = len(q), np.asarray(screws[:3].any(axis=0))
    unit = screws / np.where(rotates, np.linalg.norm(screws[:3], axis=0), np.linalg.norm(screws[3:], axis=0))
    omega, v = unit[:3].T, unit[3:].T
    feet, pitch = np.cross(omega, v), np.sum(omega * v, axis=1)
    rotations = _rotations(omega, q)
    slides = q[:, None] * np.where(rotates[:, None], pitch[:, None] * omega, v)
    shifts = feet - np.einsum("nij,nj->ni", rotations, feet) + slides
    R, p, J_s = np.eye(3), np.zeros(3), np.empty((6, n))
    for i in range(n):
        axis = R @ omega[i]
        J_s[:3, i], J_s[3:, i] = axis, _cross(p, axis) + R @ v[i]
        R, p = R @ rotations[i], R @ shifts[i] + p
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R @ home[:3, :3], R @ home[:3, 3] + p
    J_b = np.vstack([T[:3, :3].T @ J_s[:3], T[:3, :3].T @ (J_s[3:] - np.cross(T[:3, 3], J_s[:3].T).T)])
    stops = np.vstack([np.zeros(3), feet[rotates], home[:3, 3]])
    length = 1.0 + np.linalg.norm(np.diff(stops, axis=0), axis=1).sum() + np.linalg.norm(slides, axis=1).sum()
    angle = _ROUNDING * (n + float(np.abs(q[rotates]).sum()))
    return Product(q, T, J_s, J_b, angle, angle * float(length))


def _rotations(omega: Array, q: Array) -> Array:
    """Return I + sin q [ω] + (1 − cos q) [ω]² of each joint, shape (n, 3, 3)."""
    Omega = np.zeros((len(q), 3, 3))
    Omega[:, 2, 1], Omega[:, 0, 2], Omega[:, 1, 0] = omega.T
    Omega -= Omega.transpose(0, 2, 1).copy()
    versine = 2.0 * np.sin(0.5 * q) ** 2  # 1 − cos q, for a small q as well
    return np.asarray(np.eye(3) + np.sin(q)[:, None, None] * Omega + versine[:, None, None] * (Omega @ Omega))


def _cross(a: Array, b: Array) -> Array:
    """Return a × b of two vectors, ten times as fast as NumPy's."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
