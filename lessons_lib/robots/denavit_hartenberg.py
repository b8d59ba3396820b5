"""Chains from Denavit-Hartenberg tables, standard and modified (Craig), converted to screws."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConventionError
from lessons_lib.lie import check_transform
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.coupling import Coupling
from lessons_lib.robots.load_warnings import warn_about_angles
from lessons_lib.robots.screws import from_screws

CONVENTIONS = ("standard", "modified")
JOINT_TYPES = ("revolute", "prismatic", "fixed")


@suggest_arguments
def from_dh(
    rows: ArrayLike,
    convention: Literal["standard", "modified"] = "standard",
    tool: ArrayLike | None = None,
    limits: ArrayLike | None = None,
    name: str = "chain",
    joint_types: Sequence[str] | None = None,
    joint_names: Sequence[str] | None = None,
    length_unit: str | None = None,
    coupling: Coupling | None = None,
) -> Chain:
    """Return the chain of a Denavit-Hartenberg table.

    "standard": A_i = Rot(z, θ) Trans(z, d) Trans(x, a) Rot(x, α): the joint moves *before* the row's link.
    "modified" (Craig): A_i = Rot(x, α) Trans(x, a) Rot(z, θ) Trans(z, d): the joint moves *after* α and a.
    The same numbers describe another robot under the other convention. A "fixed" row is a constant transformation
    before, between or after the joints, without a joint of its own.

    >>> from lessons_lib import robots
    >>> arm = robots.from_dh([(0, 1.5707963267948966, 0.3), (0.4, 0, 0), (0.3, 0, 0)], limits=[[-2.5, 2.5]] * 3)
    >>> arm.forward_kinematics([0, 0, 0])[:3, 3].round(6).tolist()
    [0.7, 0.0, 0.3]

    Args:
        rows: Shape (n, 3) or (n, 4), rows (a, α, d) or (a, α, d, θ), m and rad; θ is the joint's offset. The joint
            variable is added to θ (revolute) or d (prismatic). A warning names α or θ beyond one revolution, which may
            be in degrees.
        convention: "standard" or "modified".
        tool: Pose of {b} in the last frame, shape (4, 4); the identity by default.
        limits: As in `from_screws`, without the fixed rows.
        name: Name of the robot.
        joint_types: For each row "revolute", "prismatic" or "fixed"; all revolute by default.
        joint_names: Names of the joints, without the fixed rows.
        length_unit: As in `from_screws`.
        coupling: As in `from_screws`, with a row for each joint.

    Raises:
        ConventionError: Unknown convention or joint type, or rows that are not (n, 3) or (n, 4) finite numbers, or
            all rows are fixed.
        TransformError: `tool` is not a pose.
        LimitsError: As in `from_screws`.
        CouplingError: As in `from_screws`.

    Source: Craig, Introduction to Robotics, §3.4 (modified); Siciliano et al., Robotics (2009), §2.8.2 (standard).
    """
    table = _check_rows(rows)
    if not isinstance(convention, str) or convention not in CONVENTIONS:
        raise ConventionError(f"unknown DH convention {convention!r}; valid are {' and '.join(map(repr, CONVENTIONS))}")
    types = ("revolute",) * len(table) if joint_types is None else joint_types
    known = isinstance(types, Sequence) and all(kind in JOINT_TYPES for kind in types)
    if not known or len(types) != len(table):
        raise ConventionError(
            f"joint_types must be 'revolute', 'prismatic' or 'fixed' for each of the {len(table)} rows, got {types!r}"
        )
    if all(kind == "fixed" for kind in types):
        raise ConventionError(f"at least one row must be revolute or prismatic, got {len(table)} fixed rows")
    T, axes = np.eye(4), []
    with np.errstate(over="ignore", invalid="ignore"):  # `from_screws` refuses what is not finite
        for (a, alpha, d, theta), joint_type in zip(table, types, strict=True):
            about_x = _along(0, a) @ _about(0, alpha)  # a and α commute: both belong to the x axis
            about_z = _about(2, theta) @ _along(2, d)
            axis = T if convention == "standard" else T @ about_x
            if joint_type != "fixed":
                axes.append(_screw_along_z(axis, joint_type))
            T = T @ (about_z @ about_x if convention == "standard" else about_x @ about_z)
        home = T if tool is None else T @ check_transform(tool, "tool")
    symbols = [f"{symbol} in row {row}" for row in range(1, len(table) + 1) for symbol in ("α", "θ")]
    warn_about_angles(name, symbols, table[:, [1, 3]])
    return from_screws(np.column_stack(axes), home, limits, name, joint_names, length_unit, coupling)


def _check_rows(rows: ArrayLike) -> Array:
    if isinstance(rows, str | PathLike):
        raise ConventionError(f"DH rows must be numbers, got {rows!r}; robots.load_dh reads them from a file")
    table = floats(rows, "DH rows must be numbers (a, α, d) or (a, α, d, θ)", ConventionError)
    if table.ndim != 2 or table.shape[1] not in (3, 4) or len(table) == 0:
        raise ConventionError(f"DH rows must have shape (n, 3) or (n, 4), (a, α, d) or (a, α, d, θ); got {table.shape}")
    if not np.isfinite(table).all():
        raise ConventionError(f"DH rows must be finite, got {table.tolist()}")
    return np.column_stack([table, np.zeros(len(table))]) if table.shape[1] == 3 else table


def _screw_along_z(T: Array, joint_type: str) -> Array:
    """Return the screw of the z axis of T, (z, −z × p) or (0, z)."""
    z, p = T[:3, 2], T[:3, 3]
    if joint_type == "prismatic":
        return np.concatenate([np.zeros(3), z])
    return np.concatenate([z, np.cross(p, z)])


def _along(axis: int, length: float) -> Array:
    T = np.eye(4)
    T[axis, 3] = length
    return T


def _about(axis: int, angle: float) -> Array:
    """Return a rotation about a coordinate axis, exact at multiples of 90° (cos(π/2) would leave 6e-17)."""
    cosine, sine = (round(x) if abs(x - round(x)) < 1e-15 else x for x in (np.cos(angle), np.sin(angle)))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = np.eye(4)
    T[i, i] = T[j, j] = cosine
    T[i, j], T[j, i] = -sine, sine
    return T
