"""Check a chain's kernels against the numeric product of exponentials, when they are generated and when loaded."""
# an error in derivation, printing or compilation would change the arm, and all reported errors would be measured on
# that wrong arm

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.errors import KinematicsError
from lessons_lib.robots.exponentials import Product, product, sample_configurations

if TYPE_CHECKING:
    from lessons_lib.arrays import Array


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
                found = {"T": np.empty((4, 4))} | ({jacobian: np.empty(expected.J_s.shape)} if jacobian else {})
                kernels[what](expected.q, *found.values())
                check_kernel(expected, **found, what=what)


def check_kernel(
    expected: Product, T: Array | None = None, J_s: Array | None = None, J_b: Array | None = None, what: str = "kernel"
) -> None:
    """Raise KinematicsError if results of a kernel differ from the product at the same q by more than rounding."""
    if T is not None:
        check_difference(expected, T[:3, :3] - expected.T[:3, :3], T[:3, 3] - expected.T[:3, 3], f"the pose of {what}")
    for name, found, known in (("space", J_s, expected.J_s), ("body", J_b, expected.J_b)):
        if found is not None:
            check_difference(expected, found[:3] - known[:3], found[3:] - known[3:], f"the {name} Jacobian of {what}")


def check_difference(expected: Product, angular: Array, linear: Array, what: str) -> None:
    """Raise KinematicsError if the angular or the linear difference exceeds the bound of `expected`."""
    angle, distance = float(np.abs(angular).max()), float(np.abs(linear).max())
    if not (angle <= expected.angle and distance <= expected.distance):
        raise KinematicsError(
            f"{what} differs from the product of exponentials by {angle:.2g} in angle and {distance:.2g} in length; "
            f"rounding explains at most {expected.angle:.2g} and {expected.distance:.2g}. The derived kinematics are "
            f"wrong, so the chain cannot be used. q = {np.round(expected.q, 6).tolist()}"
        )
