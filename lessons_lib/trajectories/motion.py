"""A row of poses in time: where the tip shall be at any moment."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, check_count, floats
from lessons_lib.errors import ParameterError
from lessons_lib.trajectories.interpolation import MANNERS, Manner, check_parts, interpolate
from lessons_lib.trajectories.path import check_waypoints
from lessons_lib.trajectories.samples import even_times
from lessons_lib.trajectories.scaling import RAMP, SCALINGS, Scaling, time_scaling


@dataclass(frozen=True, eq=False, repr=False)
class Motion(ReadOnly):
    """From pose to pose, one after the other; make one with `through`. Calling it gives the pose at a time.

    Attributes:
        waypoints: Shape (k, 4, 4), read-only.
        times: When each is passed, the first at 0, shape (k,), s, read-only.
        how: "screw" or "decoupled": see `interpolate`.
        scaling: How the time between two poses is spent: see `time_scaling`.
        ramp: Of the trapezoidal scaling.
    """

    waypoints: Array
    times: Array
    how: Manner
    scaling: Scaling
    ramp: float

    @property
    def duration(self) -> float:
        """Time of the last pose, s."""
        return float(self.times[-1])

    def __call__(self, t: float) -> Array:
        """Return the pose at time t [s], shape (4, 4); before 0 it is the first and after the end the last.

        Raises:
            ParameterError: t is not a finite number.
        """
        moment = check_parts(t, "t")
        if moment.ndim:
            raise ParameterError(f"t must be one number, in s, got shape {moment.shape}; for many see `at`")
        pose: Array = self.at(moment[None])[0]
        return pose

    def at(self, times: ArrayLike) -> Array:
        """Return the poses at many times [s], shape (m, 4, 4).

        Raises:
            ParameterError: The times are neither a number nor of shape (m,), or not finite.
        """
        moments = np.atleast_1d(check_parts(times, "times"))
        piece = np.clip(np.searchsorted(self.times, moments, side="right") - 1, 0, len(self.waypoints) - 2)
        begin, end = self.times[piece], self.times[piece + 1]
        s = time_scaling((moments - begin) / (end - begin), self.scaling, ramp=self.ramp)
        poses = np.empty((len(moments), 4, 4))
        for i in np.unique(piece):
            here = piece == i
            poses[here] = interpolate(self.waypoints[i], self.waypoints[i + 1], s[here], self.how)
        return poses

    def sampled(self, rate: float) -> tuple[Array, Array]:
        """Return times and poses at a rate [Hz], from 0 to the end, which is the last, shapes (m,) and (m, 4, 4).

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        times = even_times(self.duration, rate)
        return times, self.at(times)


def through(
    waypoints: ArrayLike,
    seconds: float | ArrayLike = 1.0,
    *,
    how: Manner = "screw",
    scaling: Scaling = "quintic",
    ramp: float = RAMP,
) -> Motion:
    """Return the motion through the waypoints, at rest at each of them (unless the scaling is "linear").

    Args:
        waypoints: Poses, shape (k, 4, 4), k ≥ 2, position in m.
        seconds: From each to the next, s: one number, or k - 1 of them.
        how: "screw" or "decoupled".
        scaling: "linear", "cubic", "quintic" or "trapezoidal".
        ramp: Of the trapezoidal scaling, in (0, 1/2].

    Raises:
        TransformError: A waypoint is not a pose.
        ParameterError: Fewer than two, a time that is not positive and finite, or no such manner or scaling.
    """
    poses = check_waypoints(waypoints)
    if len(poses) < 2:
        raise ParameterError(f"{len(poses)} waypoint; a motion goes from one to another, so it needs two or more")
    if not all(isinstance(word, str) for word in (how, scaling)) or how not in MANNERS or scaling not in SCALINGS:
        raise ParameterError(f"how={how!r}, scaling={scaling!r}; valid are {MANNERS} and {SCALINGS}")
    time_scaling(0.0, scaling, ramp=ramp)  # refuses a ramp that is none
    lengths = floats(seconds, "seconds must be numbers, one or one for each piece", ParameterError)
    if lengths.shape not in ((), (len(poses) - 1,)) or not np.isfinite(lengths).all() or (lengths <= 0.0).any():
        raise ParameterError(f"seconds is {seconds!r}; give one positive number or {len(poses) - 1} of them")
    times = np.concatenate([[0.0], np.cumsum(np.broadcast_to(lengths, (len(poses) - 1,)))])
    return Motion(poses, times, how, scaling, float(ramp))


def path_between(waypoints: ArrayLike, pieces: int, how: Manner = "screw") -> Array:
    """Return the waypoints with further poses evenly between them, shape ((k - 1) pieces + 1, 4, 4).

    Args:
        waypoints: Poses, shape (k, 4, 4), position in m.
        pieces: Into how many equal parts each way between two waypoints is cut, 1 or more.
        how: "screw" or "decoupled".

    Raises:
        TransformError: A waypoint is not a pose.
        ParameterError: `pieces` is not a whole number from 1 to a million, or there is no such manner.
    """
    check_count("pieces", pieces, 1)
    poses = check_waypoints(waypoints)
    parts = np.arange(pieces) / pieces
    dense = [interpolate(first, second, parts, how) for first, second in pairwise(poses)]
    return np.concatenate([*dense, poses[-1:]])
