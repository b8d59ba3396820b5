"""A chain's kernels against the product of exponentials: compared when they are made, and again when they are loaded.

What decides whether a pose is reached is derived, reduced, printed and compiled. A slip in any of that would give an
arm that is not there, with every error it reports measured on that same arm. So nothing made of the derivation is used
before it has agreed, at some configurations, with numbers that come from somewhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.errors import KinematicsError
from lessons_lib.robots.exponentials import Product, product, sample_configurations

if TYPE_CHECKING:
    from lessons_lib.arrays import Array


def reference_products(screws: Array, home: Array, matrix: Array | None = None) -> Iterator[Product]:
    """Yield the products of exponentials that kernels are held to, each coordinate within π rad, or π m, of zero."""
    end = np.full((screws if matrix is None else matrix).shape[1], np.pi)
    return (product(screws, home, q, matrix) for q in sample_configurations(-end, end))


def check_text(text: str, screws: Array, home: Array, matrix: Array | None = None) -> None:
    """Run as plain Python what a module's text has of pose_kernel, space_kernel and chain_kernel.

    Raises:
        KinematicsError: One of them is not the product of exponentials.
    """
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
    """Compare what a kernel gave with what is known.

    Args:
        expected: The product of exponentials at the same configuration.
        T: T_sb, shape (4, 4) or its upper three rows.
        J_s: Space Jacobian, shape (6, n).
        J_b: Body Jacobian, shape (6, n).
        what: The kernel's name.

    Raises:
        KinematicsError: One of them is farther off than rounding explains, or not a number.
    """
    if T is not None:
        check_difference(expected, T[:3, :3] - expected.T[:3, :3], T[:3, 3] - expected.T[:3, 3], f"the pose of {what}")
    for name, found, known in (("space", J_s, expected.J_s), ("body", J_b, expected.J_b)):
        if found is not None:
            check_difference(expected, found[:3] - known[:3], found[3:] - known[3:], f"the {name} Jacobian of {what}")


def check_difference(expected: Product, angular: Array, linear: Array, what: str) -> None:
    """Refuse differences beyond rounding.

    Raises:
        KinematicsError: An angular difference is above `expected.angle`, a linear one above `expected.distance`.
    """
    angle, distance = float(np.abs(angular).max()), float(np.abs(linear).max())
    if not (angle <= expected.angle and distance <= expected.distance):
        raise KinematicsError(
            f"{what} differs from the product of exponentials by {angle:.2g} in angle and {distance:.2g} in length; "
            f"rounding explains at most {expected.angle:.2g} and {expected.distance:.2g}. The chain is not used: its "
            f"derived kinematics are wrong. q = {np.round(expected.q, 6).tolist()}"
        )
