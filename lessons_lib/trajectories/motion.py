"""Pose trajectories: interpolation between two poses, time scalings, and motions through waypoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, ReadOnly, check_count, floats, is_real, is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.trajectories.path import check_waypoints
from lessons_lib.trajectories.trajectory import read_finite, sample_times

Interpolation = Literal["screw", "decoupled"]
INTERPOLATIONS: tuple[Interpolation, ...] = get_args(Interpolation)

Scaling = Literal["linear", "cubic", "quintic", "trapezoidal"]
SCALINGS: tuple[Scaling, ...] = get_args(Scaling)

POLYNOMIALS = {"cubic": 1, "quintic": 2}
"""Number of derivatives that are zero at both ends."""

RAMP = 0.25
"""Default fraction of the duration that each ramp of the trapezoid takes."""


@suggest_arguments
def interpolate(start: ArrayLike, end: ArrayLike, s: ArrayLike, how: Interpolation = "screw") -> Array:
    """Interpolate between two poses: return the pose at the fraction s of the way.

    "screw": T(s) = T₀ exp(s log(T₀⁻¹ T₁)), a constant body twist: while the frame rotates, its origin moves along a
    helix. "decoupled": p(s) = p₀ + s (p₁ − p₀) and R(s) = R₀ exp(s log(R₀ᵀ R₁)): the origin moves straight.
    Without a rotation the two are equal. If the poses are half a revolution apart, the axis is that of `lie.log_so3`.

    >>> from lessons_lib import lie, trajectories
    >>> start, end = lie.exp_se3([0] * 6), lie.exp_se3([0, 0, 0, 0.4, 0, 0])
    >>> trajectories.interpolate(start, end, 0.5)[:3, 3].tolist()
    [0.2, 0.0, 0.0]

    Args:
        start: T₀, shape (4, 4), position in m.
        end: T₁, shape (4, 4), position in m.
        s: The fraction, 0 at the start and 1 at the end; a number, or shape (m,). It may lie outside [0, 1].
        how: "screw" or "decoupled".

    Returns:
        Shape (4, 4), or (m, 4, 4).

    Raises:
        TransformError: `start` or `end` is not a pose.
        ParameterError: s has another shape or is not finite, or `how` is unknown.

    Source: Lynch & Park (2017), §9.2.1.
    """
    T_0, T_1 = lie.check_transform(start, "start"), lie.check_transform(end, "end")
    fractions = read_finite(s)
    _check_interpolation(how)
    twist = lie.log_se3(lie.inverse(T_0) @ T_1)
    if how == "decoupled":
        twist[3:] = 0.0  # ω of the body twist alone rotates the frame in place
    poses = np.array([T_0 @ lie.exp_se3(fraction * twist) for fraction in fractions.flat]).reshape(-1, 4, 4)
    if how == "decoupled":
        poses[:, :3, 3] = T_0[:3, 3] + np.outer(fractions, T_1[:3, 3] - T_0[:3, 3])
    return poses if fractions.ndim else poses[0]


def _check_interpolation(how: object) -> None:
    if not isinstance(how, str) or how not in INTERPOLATIONS:
        raise ParameterError(f"how must be 'screw' or 'decoupled', got {how!r}")


@suggest_arguments
def time_scaling(tau: ArrayLike, kind: Scaling = "quintic", *, order: int = 0, ramp: float = RAMP) -> Array:
    """Return the time scaling s(τ) from 0 at τ = 0 to 1 at τ = 1, or a derivative; s is constant before and after.

    At both ends the velocity of "linear" jumps and the acceleration of "cubic" jumps; both are zero for "quintic". The
    velocity of "trapezoidal" rises linearly, stays constant, and falls linearly.

    >>> from lessons_lib import trajectories
    >>> trajectories.time_scaling([0, 0.25, 0.5, 1], "cubic").tolist()
    [0.0, 0.15625, 0.5, 1.0]

    Args:
        tau: Time over the duration, any shape.
        kind: "linear", "cubic", "quintic" or "trapezoidal".
        order: 0 for s, 1 for ds/dτ, 2 for d²s/dτ².
        ramp: Fraction of the duration that each ramp of the trapezoid takes, in (0, 1/2].

    Returns:
        The shape of τ.

    Raises:
        ParameterError: τ is not finite, `kind` or `order` is unknown, or `ramp` is out of range.

    Source: Lynch & Park (2017), §9.2.2; derived in `symbolic.time_scaling`.
    """
    times = floats(tau, "tau must be numbers, the time over the duration", ParameterError)
    if not np.isfinite(times).all():
        raise ParameterError(f"tau must be finite, got {times.tolist()}")
    if not isinstance(kind, str) or kind not in SCALINGS:
        raise ParameterError(f"time scaling must be one of {', '.join(SCALINGS)}, got {kind!r}")
    if not is_whole(order) or order not in (0, 1, 2):
        raise ParameterError(f"order must be 0 for s, 1 for its velocity or 2 for its acceleration, got {order!r}")
    if not is_real(ramp) or not 0.0 < ramp <= 0.5:
        raise ParameterError(f"ramp must be a fraction of the duration in (0, 0.5], got {ramp!r}")
    moving = (times >= 0.0) & (times <= 1.0)
    values = np.broadcast_to(_time_scaling_function(kind, order)(np.clip(times, 0.0, 1.0), float(ramp)), times.shape)
    return np.array(values if order == 0 else np.where(moving, values, 0.0), dtype=np.float64)


@cache
def _time_scaling_function(kind: str, order: int) -> Callable[[Array, float], Any]:
    """Return the derived formula as a NumPy function of τ and the ramp."""
    import sympy as sp

    from lessons_lib.symbolic import time_scaling as derived

    tau, ramp = sp.symbols("tau ramp", real=True)
    if kind == "linear":
        s: sp.Expr = tau
    else:
        s = derived.polynomial(tau, POLYNOMIALS[kind]) if kind in POLYNOMIALS else derived.trapezoid(tau, ramp)
    formula: Callable[[Array, float], Any] = sp.lambdify((tau, ramp), sp.diff(s, tau, order), "numpy")
    return formula


@dataclass(frozen=True, eq=False, repr=False)
class Motion(ReadOnly):
    """A motion from waypoint to waypoint, made by `through`. Call it with a time to get the pose.

    >>> from lessons_lib import lie, trajectories
    >>> poses = [lie.exp_se3([0, 0, 0, x, 0, 0]) for x in (0.0, 0.2, 0.4)]
    >>> trajectories.through(poses, seconds=2.0).duration
    4.0

    Attributes:
        waypoints: Shape (k, 4, 4), read-only.
        times: Time of each waypoint, the first 0, shape (k,), s, read-only.
        how: "screw" or "decoupled": see `interpolate`.
        scaling: Time scaling between two poses: see `time_scaling`.
        ramp: Fraction of each piece that a ramp of the trapezoidal scaling takes.
    """

    waypoints: Array
    times: Array
    how: Interpolation
    scaling: Scaling
    ramp: float

    @property
    def duration(self) -> float:
        """Time of the last pose, s."""
        return float(self.times[-1])

    def __call__(self, t: float) -> Array:
        """Return the pose at time t [s], shape (4, 4); the first before 0, the last after the end.

        Raises:
            ParameterError: t is not a finite number.
        """
        moment = read_finite(t, "t")
        if moment.ndim:
            raise ParameterError(f"t must be one number, in s, got shape {moment.shape}; use `at` for several")
        pose: Array = self.at(moment[None])[0]
        return pose

    def at(self, times: ArrayLike) -> Array:
        """Return the poses at many times [s], shape (m, 4, 4).

        Raises:
            ParameterError: The times are neither a number nor of shape (m,), or not finite.
        """
        moments = np.atleast_1d(read_finite(times, "times"))
        piece = np.clip(np.searchsorted(self.times, moments, side="right") - 1, 0, len(self.waypoints) - 2)
        begin, end = self.times[piece], self.times[piece + 1]
        s = time_scaling((moments - begin) / (end - begin), self.scaling, ramp=self.ramp)
        poses = np.empty((len(moments), 4, 4))
        for i in np.unique(piece):
            here = piece == i
            poses[here] = interpolate(self.waypoints[i], self.waypoints[i + 1], s[here], self.how)
        return poses

    def sampled(self, rate: float) -> tuple[Array, Array]:
        """Return sample times and poses at a rate [Hz], shapes (m,) and (m, 4, 4); the last sample is the end.

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        times = sample_times(self.duration, rate)
        return times, self.at(times)


@suggest_arguments
def through(
    waypoints: ArrayLike,
    seconds: float | ArrayLike = 1.0,
    *,
    how: Interpolation = "screw",
    scaling: Scaling = "quintic",
    ramp: float = RAMP,
) -> Motion:
    """Return the motion through waypoints. It rests at each of them, unless the scaling is "linear".

    >>> from lessons_lib import lie, trajectories
    >>> start, end = lie.exp_se3([0] * 6), lie.exp_se3([0, 0, 0, 0.4, 0, 0])
    >>> motion = trajectories.through([start, end], seconds=2.0)
    >>> motion.at([0, 1, 2])[:, 0, 3].round(6).tolist()
    [0.0, 0.2, 0.4]

    Args:
        waypoints: Poses, shape (k, 4, 4), k ≥ 2, position in m.
        seconds: Duration of each piece, s: one number for all, or k - 1 numbers.
        how: "screw" or "decoupled".
        scaling: "linear", "cubic", "quintic" or "trapezoidal".
        ramp: Fraction of each piece that a ramp of the trapezoidal scaling takes, in (0, 1/2].

    Raises:
        TransformError: A waypoint is not a pose.
        ParameterError: Fewer than two waypoints, a duration that is not positive and finite, or an unknown scaling.
    """
    poses = check_waypoints(waypoints)
    if len(poses) < 2:
        raise ParameterError(f"waypoints must be two or more poses, got {len(poses)}")
    _check_interpolation(how)
    time_scaling(0.0, scaling, ramp=ramp)  # checks the scaling and the ramp
    durations = floats(seconds, "seconds must be one number, or one for each piece", ParameterError)
    if durations.shape not in ((), (len(poses) - 1,)) or not (np.isfinite(durations) & (durations > 0.0)).all():
        raise ParameterError(f"seconds must be one positive number or {len(poses) - 1} of them, got {seconds!r}")
    times = np.concatenate([[0.0], np.cumsum(np.broadcast_to(durations, (len(poses) - 1,)))])
    return Motion(poses, times, how, scaling, float(ramp))


@suggest_arguments
def path_between(waypoints: ArrayLike, pieces: int, how: Interpolation = "screw") -> Array:
    """Return the waypoints with evenly spaced poses between them, shape ((k - 1) pieces + 1, 4, 4).

    >>> from lessons_lib import lie, trajectories
    >>> start, end = lie.exp_se3([0] * 6), lie.exp_se3([0, 0, 0, 0.4, 0, 0])
    >>> trajectories.path_between([start, end], pieces=4)[:, 0, 3].round(6).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4]

    Args:
        waypoints: Poses, shape (k, 4, 4), position in m.
        pieces: Number of equal parts between two waypoints, 1 or more.
        how: "screw" or "decoupled".

    Raises:
        TransformError: A waypoint is not a pose.
        ParameterError: `pieces` is not a whole number from 1 to a billion, or `how` is unknown.
    """
    if np.ndim(pieces) == 2:
        raise ParameterError("pieces must be a whole number, got a pose; put the poses in a list: [T_0, T_1]")
    check_count("pieces", pieces, 1)
    poses = check_waypoints(waypoints)
    fractions = np.arange(pieces) / pieces
    dense = [interpolate(first, second, fractions, how) for first, second in pairwise(poses)]
    return np.concatenate([*dense, poses[-1:]])
