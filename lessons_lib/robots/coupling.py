"""Coupled joints: m joints that n coordinates move, θ = A q + b."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import CouplingError, LimitsError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.joint_limits import check_limits

PITCH = 1e-9
"""Below this ω·v [m per rad] a joint is revolute: a revolution changes the pose by some nanometres at most."""

RANK_TOLERANCE = 1e-9
"""Singular values below this fraction of the largest one count as zero."""

MAX_ENTRY = 1e6
"""Largest entry of A or b; larger joint angles would be lost in rounding."""

ROUNDING = 1e-12
"""Relative excess of a joint's range over its limits that rounding explains."""


@suggest_arguments
@dataclass(frozen=True, eq=False, init=False)
class Coupling(ReadOnly):
    """An affine map θ = A q + b from n coordinates to the m joints of a chain, m ≥ n.

    It describes joints that move together: mimic joints of a URDF, a parallelogram that keeps a link level, a
    differential wrist. `q` then holds the coordinates of the motors, or of the leading joints.

    A chain's limits are one interval for each coordinate. The limits of a joint that follows one coordinate narrow that
    interval exactly. A joint that follows several, such as θ = (q_1 + q_2)/2, has limits that are not a box in q: they
    are accepted only if they hold everywhere within the intervals of the coordinates.

    >>> from lessons_lib import robots
    >>> screws, home = robots.planar_2r().screws, robots.planar_2r().home
    >>> gear = robots.Coupling([[1.0], [-0.5]])  # the second joint moves back by half the angle
    >>> robots.from_screws(screws, home, coupling=gear).joint_values([0.4]).tolist()
    [0.4, -0.2]

    Attributes:
        matrix: A, shape (m, n), with linearly independent columns, read-only.
        offset: b, shape (m,), rad or m, read-only; zeros by default.
        limits: Lower and upper bound of each joint θ, shape (m, 2), ±inf for no limit, read-only; none by default.

    Raises:
        CouplingError: A wrong shape, a value that is not finite or beyond `MAX_ENTRY`, or rank A < n.
        LimitsError: As in `from_screws`.
    """

    matrix: Array
    offset: Array
    limits: Array

    def __init__(self, matrix: ArrayLike, offset: ArrayLike | None = None, limits: ArrayLike | None = None) -> None:
        """Check and store the map."""
        A = floats(matrix, "the matrix of a coupling must be numbers of shape (m, n)", CouplingError) + 0.0
        if A.ndim != 2 or not A.shape[0] >= A.shape[1] >= 1:
            raise CouplingError(
                f"the matrix of a coupling must have shape (m, n), a row for each joint and a column for each "
                f"coordinate, m ≥ n ≥ 1; got {A.shape}"
            )
        m, n = A.shape
        b = floats(np.zeros(m) if offset is None else offset, f"the offset must be {m} numbers", CouplingError) + 0.0
        if b.shape != (m,):
            raise CouplingError(f"the offset of a coupling must have shape ({m},), one for each joint; got {b.shape}")
        for what, value in (("matrix", A), ("offset", b)):
            if not (np.abs(value) <= MAX_ENTRY).all():
                raise CouplingError(
                    f"the {what} of a coupling must be finite numbers of at most {MAX_ENTRY:g}, got {value.tolist()}"
                )
        _, singular, V = np.linalg.svd(A)
        if not singular[-1] > RANK_TOLERANCE * singular[0]:
            raise CouplingError(
                f"the matrix of a coupling must have rank {n}, one for each coordinate; moving q along "
                f"{np.round(V[-1], 6).tolist()} moves no joint. Leave out a coordinate"
            )
        for name, value in (("matrix", A), ("offset", b), ("limits", check_limits(limits, default_names(m)))):
            object.__setattr__(self, name, value)
        super().__post_init__()

    def narrow(self, limits: Array, names: Sequence[str]) -> Array:
        """Return limits of the coordinates, shape (n, 2), within which every joint is within its own.

        Raises:
            LimitsError: A joint that several coordinates move can leave its limits, or no value of a coordinate is
                within the limits of all joints that follow it.
        """
        lower, upper = limits.T.copy()
        single = np.count_nonzero(self.matrix, axis=1) == 1
        for i in np.flatnonzero(single).tolist():
            j = int(np.flatnonzero(self.matrix[i])[0])
            ends = np.sort((self.limits[i] - self.offset[i]) / self.matrix[i, j])
            lower[j], upper[j] = max(lower[j], ends[0]), min(upper[j], ends[1])
        for j in np.flatnonzero(lower > upper).tolist():
            raise LimitsError(
                f"limits of {names[j]!r}: the joints that follow it allow no common value; they need "
                f"{lower[j]:g} ≤ q ≤ {upper[j]:g}"
            )
        box = np.column_stack([lower, upper])
        for i in np.flatnonzero(~single).tolist():
            reached, (low, high) = row_ranges(self.matrix, box)[i] + self.offset[i], self.limits[i]
            slack = ROUNDING * (1.0 + np.abs(reached))
            if reached[0] < low - slack[0] or reached[1] > high + slack[1]:
                moving = ", ".join(repr(names[j]) for j in np.flatnonzero(self.matrix[i]).tolist())
                raise LimitsError(
                    f"limits of joint {i + 1} are [{low:g}, {high:g}], but within the limits of the coordinates it "
                    f"reaches [{reached[0]:g}, {reached[1]:g}]. A chain limits each coordinate by itself, and this "
                    f"joint moves with {moving}: give these coordinates narrower limits, or this joint none (±inf)"
                )
        return box

    def rates(self, speeds: Array) -> Array:
        """Return bounds on the speeds of coordinates, shape (n,), from those of the joints, shape (m,)."""
        with np.errstate(divide="ignore"):
            return np.asarray((speeds[:, None] / np.abs(self.matrix)).min(axis=0))

    def from_zero(self) -> Coupling:
        """Return the coupling with each joint's value counted from its value at q = 0."""
        return Coupling(self.matrix, limits=self.limits - self.offset[:, None])

    def in_units(self, joints: Array, coordinates: Array) -> Coupling:
        """Return the coupling with each joint and each coordinate in another unit, given in the present one."""
        scaled = self.limits / joints[:, None]
        return Coupling(self.matrix * coordinates / joints[:, None], self.offset / joints, scaled)


def default_names(count: int) -> tuple[str, ...]:
    """Return "joint 1", "joint 2" and so on."""
    return tuple(f"joint {i + 1}" for i in range(count))


def row_ranges(matrix: Array, limits: Array) -> Array:
    """Return the range of each row of A q for q within limits, shape (m, 2)."""
    with np.errstate(invalid="ignore"):
        ends = np.sort(np.where(matrix[:, :, None] == 0.0, 0.0, matrix[:, :, None] * limits[None]), axis=2)
    return np.asarray(ends.sum(axis=1))


def joint_type(screw: Array) -> str:
    """Return "prismatic", "revolute" or "helical" (pitch above PITCH) for a screw, shape (6,)."""
    if not screw[:3].any():
        return "prismatic"
    return "helical" if abs(float(screw[:3] @ screw[3:])) > PITCH else "revolute"


def coordinate_types(kinds: Sequence[str], matrix: Array) -> tuple[str, ...]:
    """Return the type of each coordinate, from those of the joints that it moves."""
    # "revolute" if one revolution of it turns each of its joints by whole revolutions; "prismatic" if its leading joint
    # is: the first that it moves one to one, else its first. Otherwise "coupled".
    types = []
    for column in matrix.T:
        moved, equal = (np.flatnonzero(one).tolist() for one in (column, np.abs(column) == 1.0))
        leader = kinds[(equal or moved)[0]]
        whole = bool((column == np.round(column)).all())
        if leader == "prismatic" or moved == equal[:1]:
            types.append(leader)
        else:
            types.append("revolute" if whole and {kinds[i] for i in moved} == {"revolute"} else "coupled")
    return tuple(types)


def leader_types(types: Sequence[str], rotates: Iterable[bool]) -> tuple[str, ...]:
    """Return the types of coordinates that count in the unit of their leading joint, rotating or not."""
    pairs = zip(types, rotates, strict=True)
    return tuple("prismatic" if not one else "coupled" if kind == "prismatic" else kind for kind, one in pairs)
