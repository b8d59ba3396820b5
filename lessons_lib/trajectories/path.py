"""The result of `trace`: a configuration and a report for each waypoint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, ReadOnly, floats
from lessons_lib.errors import TransformError
from lessons_lib.lazy import cached_property
from lessons_lib.lie.checks import check_target, first_invalid_pose
from lessons_lib.lie.poses import ROUNDED
from lessons_lib.other_libraries import no_attribute, suggest_arguments
from lessons_lib.pose_ik import Status, joint_ranges, layout
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain

AnyArray = TypeVar("AnyArray", bound=NDArray[Any])

STATUSES = np.array([*Status, None], dtype=np.object_)
"""Status of each code in a report; the last is that of a waypoint that was not tried."""


@dataclass(frozen=True, eq=False, repr=False)
class Path(ReadOnly):
    """The configurations of an arm that follows k waypoints; all arrays are read-only.

    If the trace stops early, each remaining waypoint has the status None, NaN in `q` and in its errors, and zero
    iterations.

    >>> from lessons_lib import robots, trajectories
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> trajectories.trace(arm, [arm.forward_kinematics(q)], q).reached.tolist()
    [True]

    Attributes:
        chain: The arm.
        start: Configuration before the first waypoint, shape (n,), rad or m.
        waypoints: T_sd of each, shape (k, 4, 4), position in m.
        reports: Solver report of each waypoint that was tried; pose_ik/layout.py describes a row.
        goes_on: Whether the arm continues past a waypoint that is not reached, from the least error near the arm.
    """

    chain: Chain
    start: Array
    waypoints: Array
    reports: Array = field(repr=False)
    goes_on: bool = field(repr=False)

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        # positional, in half the time of a keyword
        self.start.setflags(False)  # type: ignore[call-arg]
        self.waypoints.setflags(False)  # type: ignore[call-arg]
        self.reports.setflags(False)  # type: ignore[call-arg]

    @cached_property
    def q(self) -> Array:
        """Configuration for each waypoint, shape (k, n), rad or m, within the limits.

        If a waypoint is not `reached`, this is the configuration of least error; near the arm, if `goes_on`.
        """
        return self._column(slice(layout.JOINTS, layout.JOINTS + self.chain.dof), np.nan)

    @cached_property
    def status(self) -> NDArray[np.object_]:
        """Status of each waypoint, a `pose_ik.Status` or None, shape (k,)."""
        statuses: NDArray[np.object_] = STATUSES[self._column(layout.STATUS, len(Status)).astype(np.int64)]
        return _make_read_only(statuses)

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Whether the arm reaches each waypoint with its q, shape (k,)."""
        return _make_read_only(self._column(layout.STATUS, np.nan) == layout.CONVERGED)

    @cached_property
    def on_path(self) -> NDArray[np.bool_]:
        """Whether the arm moves to q of each waypoint, shape (k,): if tried, with `goes_on`; otherwise if reached."""
        return self.tried if self.goes_on else self.reached

    @cached_property
    def iterations(self) -> Integers:
        """Number of iterations from the reported start, shape (k,)."""
        return _make_read_only(self._column(layout.ITERATIONS, 0.0).astype(np.int64))

    @cached_property
    def restarts(self) -> Integers:
        """Number of restarts, shape (k,); after a restart the arm may jump to another posture."""
        return _make_read_only(self._column(layout.RESTARTS, 0.0).astype(np.int64))

    @cached_property
    def orientation_error(self) -> Array:
        """|ω_b| of q, shape (k,), rad."""
        return self._column(layout.ORIENTATION_ERROR, np.nan)

    @cached_property
    def position_error(self) -> Array:
        """|v_b| of q, shape (k,), m."""
        return self._column(layout.POSITION_ERROR, np.nan)

    if not TYPE_CHECKING:  # mypy knows the attributes
        __getattr__ = no_attribute

    def __len__(self) -> int:
        """Return k, the number of waypoints."""
        return len(self.waypoints)

    @property
    def complete(self) -> bool:
        """Whether every waypoint is reached."""
        return bool(self.reached.all())

    @cached_property
    def tried(self) -> NDArray[np.bool_]:
        """Whether each waypoint was tried, shape (k,)."""
        return _make_read_only(np.arange(len(self)) < len(self.reports))

    @property
    def configurations(self) -> Array:
        """Configurations that the arm passes, the start first, shape (1 + m, n), rad or m."""
        return np.vstack([self.start, self.q[self.on_path]])

    @property
    def moves(self) -> Array:
        """Largest joint change to each waypoint, shape (k,), rad or m; NaN if the arm does not go there."""
        moves = np.full(len(self), np.nan)
        moves[self.on_path] = np.abs(np.diff(self.configurations, axis=0)).max(axis=1)
        return moves

    def __str__(self) -> str:
        """Return a table of the waypoints, counted from 1, and a sentence for each kind of failure."""
        titles = ("waypoint", "status", "steps", "restarts", "|ω| [rad]", f"|v| [{self.chain.unit_in_words}]", "move")
        cells = [titles, *(self._row(i, move) for i, move in enumerate(self.moves))]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join([row[0].rjust(widths[0]), row[1].ljust(widths[1]), *map(str.rjust, row[2:], widths[2:])])
            for row in cells
        ]
        title = f"{self.chain.name}: {self._summary()}"
        return "\n".join([title, *(line.rstrip() for line in lines), *self._failures()])

    def _column(self, index: int | slice, otherwise: float) -> Array:
        """Return columns of the reports, read-only; `otherwise` for waypoints that were not tried."""
        columns = self.reports[:, index]
        filled = np.full((len(self), *columns.shape[1:]), otherwise)
        filled[: len(columns)] = columns
        return _make_read_only(filled)

    def _row(self, i: int, move: float) -> tuple[str, ...]:
        status = self.status[i]
        if status is None:
            return (str(i + 1), "not tried", *(["-"] * 5))
        errors = (f"{error[i]:.1e}" for error in (self.orientation_error, self.position_error))
        moved = "-" if np.isnan(move) else f"{move:.3f}"
        name = status.name.lower().replace("_", " ")
        return (str(i + 1), name, str(self.iterations[i]), str(self.restarts[i]), *errors, moved)

    def _summary(self) -> str:
        reached, tried = int(self.reached.sum()), int(self.tried.sum())
        rest = len(self) - tried
        return f"{reached} of {len(self)} waypoints reached" + (f", {rest} not tried" if rest else "")

    def _failures(self) -> list[str]:
        missed = dict.fromkeys(s for s, ok in zip(self.status, self.reached, strict=True) if s is not None and not ok)
        return [f"{status.name.lower().replace('_', ' ')}: {status.sentence}" for status in missed]


def _make_read_only(array: AnyArray) -> AnyArray:
    array.setflags(write=False)
    return array


def check_waypoints(waypoints: ArrayLike | Iterable[ArrayLike]) -> Array:
    """Return waypoints as poses, shape (k, 4, 4), k ≥ 1; raise TransformError naming the first that is not one."""
    listed = waypoints if isinstance(waypoints, np.ndarray) else _as_list(waypoints)
    if isinstance(listed, np.ndarray) and listed.ndim != 3 and listed.size:
        one = "; put a single pose in a list: [T]" if listed.shape == (4, 4) else ""
        raise TransformError(f"waypoints must be poses, shape (k, 4, 4), got an array of shape {listed.shape}{one}")
    if not len(listed):
        raise TransformError("waypoints must be at least one pose, shape (k, 4, 4) with k ≥ 1, got none")
    try:
        poses = floats(listed, "waypoints must be poses, numbers of shape (k, 4, 4)", TransformError)  # type: ignore[arg-type]
    except TransformError:
        poses = np.empty(0)  # rows of different shapes, for example; the message below names the first
    if poses.shape[1:] == (4, 4) and first_invalid_pose(poses, ROUNDED) == len(poses):
        return poses
    rounded = [check_target(waypoint, f"waypoint {i}") for i, waypoint in enumerate(listed, start=1)]
    return np.array(rounded)


def _as_list(waypoints: ArrayLike | Iterable[ArrayLike]) -> list[ArrayLike]:
    try:
        return list(waypoints)  # type: ignore[arg-type]
    except TypeError as cause:
        raise TransformError(f"waypoints must be poses, shape (k, 4, 4), got {waypoints!r}") from cause


@suggest_arguments
def unwrap(chain: Chain, q: ArrayLike, beside: ArrayLike) -> Array:
    """Add whole revolutions to q, so that each revolute joint is as near as possible to a reference.

    The pose does not change, except for rounding. Joints stay within their limits; prismatic joints and screws with a
    pitch do not change.

    >>> from lessons_lib import robots, trajectories
    >>> trajectories.unwrap(robots.ur10(), [3, 0, 0, 0, 0, 0], beside=[-3, 0, 0, 0, 0, 0]).round(4).tolist()
    [-3.2832, 0.0, 0.0, 0.0, 0.0, 0.0]

    Args:
        chain: The arm.
        q: Configuration within the limits, shape (n,), rad or m.
        beside: Reference configuration, shape (n,), rad or m.

    Raises:
        ConfigurationError: A configuration has another shape or is not finite, or q lies outside the limits.
    """
    check_chain(chain)
    unwrapped, near = chain.check_within_limits(q), chain.check_configuration(beside)
    joint_ranges.unwrap(unwrapped, near, arm_of(chain).joints)
    return unwrapped
