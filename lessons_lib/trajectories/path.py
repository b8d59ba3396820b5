"""What a trace brings back: a configuration for each waypoint, and an honest account of each."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from lessons_lib.robots import Chain

Array = NDArray[np.float64]

_TITLES = ("waypoint", "status", "steps", "restarts", "|ω| [rad]", "|v| [m]", "move")


@dataclass(frozen=True, eq=False)
class Path:
    """The configurations of an arm that follows waypoints, k of them; all arrays are read-only.

    A waypoint that was not tried, because the trace stopped before it, has the status None, NaN in `q` and in its
    errors, and zero steps.

    Attributes:
        chain: The arm.
        start: Where the arm stood before the first waypoint, shape (n,), rad or m.
        waypoints: T_sd of each, shape (k, 4, 4), position in m.
        q: The configuration found for each waypoint, shape (k, n), rad or m, within the limits. Where the waypoint
            was not reached, the best one that was seen: see `reached`.
        status: A `pose_ik.Status` or None for each, shape (k,).
        reached: Whether the arm reaches the waypoint with this q, shape (k,).
        on_path: Whether the arm goes there, shape (k,): with "go on" wherever it was tried, else where it was reached.
        iterations: Steps from the reported start, shape (k,).
        restarts: Further starts after the first, shape (k,). More than none: the arm may jump to another posture.
        orientation_error: |ω_b| of this q, shape (k,), rad.
        position_error: |v_b| of this q, shape (k,), m.
    """

    chain: Chain
    start: Array
    waypoints: Array
    q: Array
    status: NDArray[np.object_]
    reached: NDArray[np.bool_]
    on_path: NDArray[np.bool_]
    iterations: NDArray[np.int64]
    restarts: NDArray[np.int64]
    orientation_error: Array
    position_error: Array

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __len__(self) -> int:
        """Return k, the number of waypoints."""
        return len(self.waypoints)

    @property
    def complete(self) -> bool:
        """Whether every waypoint is reached."""
        return bool(self.reached.all())

    @property
    def tried(self) -> NDArray[np.bool_]:
        """Whether each waypoint was tried, shape (k,)."""
        return np.array([status is not None for status in self.status], dtype=np.bool_)

    @property
    def configurations(self) -> Array:
        """The configurations that the arm goes through, the start first, shape (1 + m, n), rad or m."""
        return np.vstack([self.start, self.q[self.on_path]])

    @property
    def moves(self) -> Array:
        """The largest change of a joint on the way to each waypoint, shape (k,), rad or m; NaN where it does not go."""
        moves = np.full(len(self), np.nan)
        moves[self.on_path] = np.abs(np.diff(self.configurations, axis=0)).max(axis=1)
        return moves

    def __str__(self) -> str:
        """Return the account as a table, with a sentence for each way in which a waypoint was missed."""
        cells = [_TITLES, *(self._row(place, move) for place, move in enumerate(self.moves))]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join([row[0].rjust(widths[0]), row[1].ljust(widths[1]), *map(str.rjust, row[2:], widths[2:])])
            for row in cells
        ]
        return "\n".join([f"{self.chain.name}: {self._summary()}", *(line.rstrip() for line in lines), *self._faults()])

    def _row(self, place: int, move: float) -> tuple[str, ...]:
        status = self.status[place]
        if status is None:
            return (str(place), "not tried", *(["-"] * 5))
        errors = (f"{error[place]:.1e}" for error in (self.orientation_error, self.position_error))
        went = "-" if np.isnan(move) else f"{move:.3f}"
        name = status.name.lower().replace("_", " ")
        return (str(place), name, str(self.iterations[place]), str(self.restarts[place]), *errors, went)

    def _summary(self) -> str:
        reached, tried = int(self.reached.sum()), int(self.tried.sum())
        rest = len(self) - tried
        return f"{reached} of {len(self)} waypoints reached" + (f", {rest} not tried" if rest else "")

    def _faults(self) -> list[str]:
        missed = dict.fromkeys(s for s, ok in zip(self.status, self.reached, strict=True) if s is not None and not ok)
        return [f"{status.name.lower().replace('_', ' ')}: {status.sentence}" for status in missed]
