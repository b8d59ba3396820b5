"""Chains from screw axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_word, floats
from lessons_lib.errors import ParameterError, ScrewError
from lessons_lib.lie import check_transform
from lessons_lib.robots.chain import MAX_LENGTH, Chain
from lessons_lib.robots.joint_limits import check_limits
from lessons_lib.robots.load_warnings import warn_about_degrees, warn_about_zero_width

UNIT_TOLERANCE = 1e-9
"""How far ‖ω‖ (or ‖v‖ of a translation) may be from 1: what is left of a unit axis that was typed with ten digits."""

PITCH = 1e-9
"""Below this ω·v [m per rad] a joint is revolute: a revolution brings the pose back, to some nanometres."""

ROUNDING = 1e-15
"""How far from 1 the computed length of a unit vector may be by rounding alone."""


def from_screws(
    screws: ArrayLike,
    home: ArrayLike,
    limits: ArrayLike | None = None,
    name: str = "chain",
    joint_names: Sequence[str] | None = None,
    length_unit: str | None = None,
) -> Chain:
    """Return the chain with the given screw axes.

    Args:
        screws: Shape (6, n), columns (ω, v) in {s} at q = 0. Revolute: ‖ω‖ = 1. Prismatic: ω = 0 and ‖v‖ = 1.
            Helical: ‖ω‖ = 1, and ω·v is the pitch in m per rad.
            As few as ten digits will do; such a screw is scaled to unit length.
        home: M, pose of {b} in {s} at q = 0, shape (4, 4).
        limits: Shape (n, 2), rows (lower, upper) in rad or m, ±inf where there is none; None for no limits at all.
            Equal bounds hold the joint there, and a warning says so; `Chain.with_limits` holds it without a warning.
            A limit of a revolute joint that looks like degrees causes a warning, too.
        name: Name of the robot.
        joint_names: n names; "joint 1", "joint 2", … when left out.
        length_unit: Unit of all lengths, such as "m" or "mm", for texts; "length units" if left out.

    Raises:
        ScrewError: Wrong shape, not finite, an axis that is not normalised, or a length beyond MAX_LENGTH.
        TransformError: `home` is not a pose, or as far away.
        LimitsError: Wrong shape, NaN, or lower > upper.
        ParameterError: name or length_unit is no string.
    """
    if length_unit is not None and (not isinstance(length_unit, str) or not length_unit):
        raise ParameterError(f"length_unit must be a word such as 'm' or 'mm', or None; got {length_unit!r}")
    check_word("name", name)
    axes = _check_screws(screws)
    n = axes.shape[1]
    names = _check_names(joint_names, n)
    types = tuple(joint_type(axis) for axis in axes.T)
    M = check_transform(home, "home")
    unknown = np.full(n, np.inf)
    chain = Chain(name, axes, M, check_limits(limits, names), names, types, unknown, unknown.copy(), length_unit)
    warn_about_zero_width(name, names, chain.limits, chain.joint_units, "use with_limits(position=…) of the chain")
    warn_about_degrees(name, names, chain.limits, (kind == "revolute" for kind in types))
    return chain


def joint_type(screw: Array) -> str:
    """Return "prismatic", "revolute" or "helical", shape (6,) of the screw: which of them, a pitch above PITCH says."""
    if not screw[:3].any():
        return "prismatic"
    return "helical" if abs(float(screw[:3] @ screw[3:])) > PITCH else "revolute"


def _check_names(joint_names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    if joint_names is None:
        return tuple(f"joint {i + 1}" for i in range(n))
    if isinstance(joint_names, str) or not isinstance(joint_names, Sequence):
        raise ScrewError(f"joint_names must be {n} names, got {joint_names!r}")
    if len(joint_names) != n:
        raise ScrewError(f"{n} screws need {n} joint names, got {len(joint_names)}: {tuple(joint_names)}")
    if not all(isinstance(name, str) for name in joint_names) or len(set(joint_names)) < n:
        raise ScrewError(f"joint_names must be {n} different words, got {tuple(joint_names)}")
    return tuple(joint_names)


@np.errstate(over="ignore")  # of the square of a length that is refused
def _check_screws(screws: ArrayLike) -> Array:
    axes = floats(screws, "screws must be numbers of shape (6, n)", ScrewError) + 0.0  # no −0.0
    if axes.ndim != 2 or axes.shape[0] != 6 or axes.shape[1] == 0:
        raise ScrewError(f"screws must have shape (6, n), n ≥ 1, a column (ω, v) for each joint; got {axes.shape}")
    if not np.isfinite(axes).all():
        raise ScrewError(f"screws must be finite, got {axes.tolist()}")
    if np.abs(axes).max() > MAX_LENGTH:
        raise ScrewError(f"lengths in screws must be at most {MAX_LENGTH:g}, got {np.abs(axes).max():g}")
    for i, axis in enumerate(axes.T):
        omega, v = float(np.linalg.norm(axis[:3])), float(np.linalg.norm(axis[3:]))
        rotates = bool(axis[:3].any())  # not ‖ω‖ > 0: the square of 1e-200 is zero
        if rotates and abs(omega - 1.0) > UNIT_TOLERANCE:
            raise ScrewError(f"screw {i + 1} is not normalised: ‖ω‖ = {omega:.9g}, it must be 1 (0 if prismatic)")
        if not rotates and abs(v - 1.0) > UNIT_TOLERANCE:
            raise ScrewError(f"screw {i + 1} is not normalised: ω = 0 and ‖v‖ = {v:.9g}, it must be 1")
        length = omega if rotates else v
        if abs(length - 1.0) > ROUNDING:
            axis /= length  # a rotation about a longer axis would stretch all that it carries
    return axes
