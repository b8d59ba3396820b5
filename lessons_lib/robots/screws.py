"""Chains from screw axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_string, floats
from lessons_lib.errors import CouplingError, ParameterError, ScrewError
from lessons_lib.lie import adjoint, check_transform, exp_se3
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.chain import MAX_LENGTH, Chain
from lessons_lib.robots.coupling import Coupling, coordinate_types, default_names, joint_type
from lessons_lib.robots.joint_limits import check_limits
from lessons_lib.robots.load_warnings import warn_about_degrees, warn_about_millimetres, warn_about_zero_width

UNIT_TOLERANCE = 1e-9
"""Largest error of ‖ω‖ (or ‖v‖ of a translation) for a unit axis: one typed with ten digits."""

ROUNDING = 1e-15
"""Largest rounding error of the computed length of a unit vector."""


@suggest_arguments
def from_screws(
    screws: ArrayLike,
    home: ArrayLike,
    limits: ArrayLike | None = None,
    name: str = "chain",
    joint_names: Sequence[str] | None = None,
    length_unit: str | None = None,
    coupling: Coupling | None = None,
) -> Chain:
    """Return the chain with the given screw axes.

    >>> from lessons_lib import robots
    >>> home = [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    >>> robots.from_screws([[0, 0], [0, 0], [1, 1], [0, 0], [0, -1], [0, 0]], home, name="two links")
    Chain('two links', 2 joints: RR)

    Args:
        screws: Shape (6, n), columns (ω, v) in {s} at q = 0; with a coupling (6, m), at θ = 0. Revolute: ‖ω‖ = 1.
            Prismatic: ω = 0 and ‖v‖ = 1. Helical: ‖ω‖ = 1, and ω·v is the pitch in m per rad. Axes given to ten digits
            or more are normalised.
        home: M, pose of {b} in {s} at q = 0, with a coupling at θ = 0, shape (4, 4).
        limits: Shape (n, 2), rows (lower, upper) in rad or m, ±inf for no limit; None for no limits at all. Equal
            bounds lock the joint with a warning; `Chain.with_limits` locks it silently. Limits of a revolute joint
            that look like degrees cause a warning.
        name: Name of the robot.
        joint_names: n names; "joint 1", "joint 2", … by default.
        length_unit: Unit of all lengths, such as "m" or "mm", for texts; "length units" by default.
        coupling: How n coordinates move the m joints; limits and joint_names are then those of the coordinates, and the
            coupling has the limits of the joints.

    Raises:
        ScrewError: Wrong shape, not finite, an axis that is not normalised, or a length beyond MAX_LENGTH.
        TransformError: `home` is not a pose, or its position is beyond MAX_LENGTH.
        LimitsError: Wrong shape, NaN, or lower > upper; or coupled joints could leave their limits.
        CouplingError: The coupling does not have one row for each screw.
        ParameterError: name or length_unit is not a string, or coupling is not a `Coupling`.
    """
    if length_unit is not None and (not isinstance(length_unit, str) or not length_unit):
        raise ParameterError(f"length_unit must be a word such as 'm' or 'mm', or None; got {length_unit!r}")
    check_string("name", name)
    axes = _check_screws(screws)
    types, M = tuple(joint_type(axis) for axis in axes.T), check_transform(home, "home")
    if coupling is not None:
        axes, M = _shift_to_zero(axes, M, check_coupling(coupling, axes.shape[1]).offset)
        types = coordinate_types(types, coupling.matrix)
    n = len(types)
    names = _check_names(joint_names, n, "screws" if coupling is None else "coordinates")
    unknown, bounds = np.full(n, np.inf), check_limits(limits, names)
    bounds = bounds if coupling is None else coupling.narrow(bounds, names)
    chain = Chain(name, axes, M, bounds, names, types, unknown, unknown.copy(), length_unit, coupling=coupling)
    warn_about_zero_width(name, names, chain.limits, chain.joint_units, "use with_limits(position=…) of the chain")
    warn_about_degrees(name, names, chain.limits, (kind == "revolute" for kind in types))
    if length_unit == "m":
        warn_about_millimetres(name, chain.length)
    return chain


def check_coupling(coupling: object, joints: int) -> Coupling:
    """Return the coupling, or raise CouplingError unless it has `joints` rows."""
    if not isinstance(coupling, Coupling):
        raise ParameterError(f"coupling must be a robots.Coupling(matrix, offset, limits), got {coupling!r}")
    if len(coupling.matrix) != joints:
        raise CouplingError(
            f"the matrix of the coupling must have {joints} rows, one for each joint, got shape {coupling.matrix.shape}"
        )
    return coupling


def _shift_to_zero(screws: Array, home: Array, offset: Array) -> tuple[Array, Array]:
    """Return screws and home for joints counted from their offsets: e^[S_1](θ_1 + b_1) … M with b = 0."""
    T, moved = np.eye(4), screws.copy()
    for i, value in enumerate(offset):
        moved[:, i] = adjoint(T) @ screws[:, i]
        T = T @ exp_se3(screws[:, i] * value)
    return moved, T @ home


def _check_names(joint_names: Sequence[str] | None, n: int, what: str) -> tuple[str, ...]:
    if joint_names is None:
        return default_names(n)
    if isinstance(joint_names, str) or not isinstance(joint_names, Sequence):
        raise ScrewError(f"joint_names must be {n} names, got {joint_names!r}")
    if len(joint_names) != n:
        raise ScrewError(f"{n} {what} need {n} joint names, got {len(joint_names)}: {tuple(joint_names)}")
    if not all(isinstance(name, str) for name in joint_names) or len(set(joint_names)) < n:
        raise ScrewError(f"joint_names must be {n} different words, got {tuple(joint_names)}")
    return tuple(joint_names)


@np.errstate(over="ignore")  # the square of a length that is refused below
def _check_screws(screws: ArrayLike) -> Array:
    axes = floats(screws, "screws must be numbers of shape (6, n)", ScrewError) + 0.0  # no −0.0
    if axes.ndim != 2 or axes.shape[0] != 6 or axes.shape[1] == 0:
        rows = "; pass the transpose of rows (ω, v)" if axes.ndim == 2 and axes.shape[1] == 6 else ""
        raise ScrewError(
            f"screws must have shape (6, n), n ≥ 1, a column (ω, v) for each joint; got {axes.shape}{rows}"
        )
    if not np.isfinite(axes).all():
        raise ScrewError(f"screws must be finite, got {axes.tolist()}")
    if np.abs(axes).max() > MAX_LENGTH:
        raise ScrewError(f"lengths in screws must be at most {MAX_LENGTH:g}, got {np.abs(axes).max():g}")
    for i, axis in enumerate(axes.T):
        omega, v = float(np.linalg.norm(axis[:3])), float(np.linalg.norm(axis[3:]))
        rotates = bool(axis[:3].any())  # not ‖ω‖ > 0: the square of 1e-200 is zero
        if rotates and abs(omega - 1.0) > UNIT_TOLERANCE:
            raise ScrewError(f"screw {i + 1} must have ‖ω‖ = 1 (0 if prismatic), got {omega:.9g}; normalise it")
        if not rotates and abs(v - 1.0) > UNIT_TOLERANCE:
            raise ScrewError(f"screw {i + 1} must have ‖v‖ = 1 because ω = 0, got {v:.9g}; normalise it")
        length = omega if rotates else v
        if abs(length - 1.0) > ROUNDING:
            axis /= length  # the exponential of a longer axis is not a rotation
    return axes
