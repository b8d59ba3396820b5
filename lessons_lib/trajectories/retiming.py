"""When an arm may be where along its path: as fast as the limits of its joints allow, and at rest at both ends.

The configurations of a path are joined by a cubic spline q(s). Along it q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ², so that with
x = ṡ² and u = s̈ each limit is a straight line in (u, x). On a grid of places u is constant from each to the next,
where x grows by 2 u Δs. Backward from the end, the fastest x from which the arm can still stop is a linear program of
two unknowns at each place; forward from the start, the largest u that stays below is taken.
Source: Pham & Pham, A New Approach to Time-Optimal Path Parameterization (2018), with the limits kept at both ends of
each piece, their section IV-D.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.robots import Chain
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.trajectory import Trajectory, spline_through

PLACES = 200
"""Pieces of the grid, at least; at least PIECES of them between two configurations."""

PIECES = 4

STILL = 1e-9
"""Configurations nearer than this to the one before, rad or m, are the same place."""

NEARLY = 1e-3
"""A step this part of one beside it, or less, ends where it began: its direction is noise."""

UNEVEN = 0.25
"""A step this part of one beside it, or less, gets more of the spline than its length: see `_knots`."""

SLACK = 1e-9
"""Relative to a bound: how far rounding may pass it in the linear programs."""


def retime(
    path: Path | ArrayLike,
    chain: Chain | None = None,
    *,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> Trajectory:
    """Return the path in time: as fast as the limits of the joints allow, from rest to rest.

    The arm goes on a smooth curve through the configurations, without a stop at them. Between them the tip is not on
    the straight way, so a path that is to be kept has to be dense; see `path_between`. One that lies a thousandth of a
    step beside it from the one before, or less, is passed at that distance, lest the curve follow what noise tells of a
    direction; the first and the last are met.

    It is no call for a control loop. Up to some fifty waypoints take the same time, for the grid is never coarser; from
    there the time grows with their number, and one waypoint of the UR10 takes that of about a hundred solves. Each pair
    of limits is tried against all others: few joints make little difference, many grow to the cube of their number.

    Args:
        path: A `Path` that the arm goes to its end, with "go on" past waypoints that it only comes near; or
            configurations, shape (m, n), m ≥ 2, rad or m.
        chain: The arm, where `path` is not a `Path`.
        velocity: Bounds on the speed of each joint, shape (n,) or one for all, rad/s or m/s; those of the chain when
            left out.
        acceleration: The same for accelerations, rad/s² or m/s².

    Raises:
        ParameterError: The arm does not go to a waypoint, or does not move; no chain; an acceleration without a limit.
        ConfigurationError: A configuration, or the curve between two of them, is outside the limits.
        LimitsError: Limits of another shape, or not positive.
    """
    chain, q = _configurations(path, chain)
    rates = chain.with_limits(velocity=velocity, acceleration=acceleration)
    if not np.isfinite(rates.acceleration_limits).all():
        joint = chain.joint_names[int(np.flatnonzero(~np.isfinite(rates.acceleration_limits))[0])]
        raise ParameterError(
            f"joint {joint!r} of {chain.name} has no acceleration limit: give acceleration=…, in rad/s² or m/s², or "
            "make the chain with_limits(acceleration=…)"
        )
    moves = np.concatenate([[True], np.abs(np.diff(q, axis=0)).max(axis=1) > STILL])
    q = _without_noise(q[moves])
    if len(q) < 2:
        raise ParameterError("the arm does not move on this path: all of its configurations are the same")
    knots = _knots(q)
    count = max(PIECES, -(-PLACES // (len(knots) - 1)))
    inner = np.linspace(knots[:-1], knots[1:], count, endpoint=False, axis=1).ravel()
    places = np.append(inner, knots[-1])
    spline = spline_through(knots, q)
    _check_between(chain, spline(places), places, knots)
    first, second = spline(places, 1), spline(places, 2)
    squares = _fastest(places, first, second, rates.velocity_limits, rates.acceleration_limits)
    return _within(Trajectory.of(chain, knots, q, places, np.sqrt(squares)), rates)


def _configurations(path: Path | ArrayLike, chain: Chain | None) -> tuple[Chain, Array]:
    if isinstance(path, Path):
        missed = np.flatnonzero(~path.on_path)
        if missed.size:
            raise ParameterError(
                f"waypoint {missed[0] + 1} of the path is not reached; trace one that is, or retime parts"
            )
        return path.chain, path.configurations
    if not isinstance(chain, Chain):
        raise ParameterError(f"chain is {chain!r}; configurations alone do not tell the arm: retime(q, chain)")
    q = floats(path, f"path must be a Path, or configurations, shape (m, {chain.dof})", ConfigurationError)
    if q.ndim != 2 or q.shape[1] != chain.dof:
        raise ConfigurationError(f"configurations of {chain.name} must have shape (m, {chain.dof}), got {q.shape}")
    return chain, np.array([chain.check_within_limits(row) for row in q]).reshape(-1, chain.dof)


def _steps(q: Array) -> tuple[Array, Array]:
    """Return the length of each step, and that of the longer one beside it, both of shape (m − 1,)."""
    steps = np.linalg.norm(np.diff(q, axis=0), axis=1)
    beside = np.concatenate([[0.0], steps, [0.0]])
    return steps, np.maximum(beside[:-2], beside[2:])


def _without_noise(q: Array) -> Array:
    """Return the configurations without those that `NEARLY` says are no step of their own; both ends stay."""
    while len(q) > 2:
        steps, beside = _steps(q)
        i = int(np.argmin(steps - NEARLY * beside))
        if steps[i] > NEARLY * beside[i]:
            break
        q = np.delete(q, i + 1 if i + 2 < len(q) else i, axis=0)
    return q


def _knots(q: Array) -> Array:
    """Return where on the spline each configuration lies: as far apart as they are, where the steps are of a kind.

    A short step between long ones, across them, would turn the spline for the long ones, too: by its own direction,
    however short it is. So it gets up to the geometric mean of its length and theirs, as centripetal splines have it.

    Source: Lee, Choosing nodes in parametric curve interpolation (1989).
    """
    steps, beside = _steps(q)
    lengths = np.maximum(steps, np.sqrt(steps * UNEVEN * beside))
    return np.concatenate([[0.0], np.cumsum(lengths)])


def _check_between(chain: Chain, q: Array, places: Array, knots: Array) -> None:
    lower, upper = chain.limits.T
    outside = (q < lower - 1e-9) | (q > upper + 1e-9)
    if outside.any():
        place, joint = np.argwhere(outside)[0]
        after = int(np.searchsorted(knots, places[place]))
        raise ConfigurationError(
            f"between configurations {after} and {after + 1} the smooth curve takes joint {chain.joint_names[joint]!r} "
            f"of {chain.name} to {q[place, joint]:.6g}, outside its limits [{lower[joint]:.6g}, {upper[joint]:.6g}]; "
            "give more configurations there"
        )


def _fastest(places: Array, first: Array, second: Array, velocity: Array, acceleration: Array) -> Array:
    """Return x = ṡ² at each place, shape (m,), the largest that limits and the stop at the end allow."""
    steps, count = np.diff(places), len(places)
    with np.errstate(divide="ignore"):
        top = np.min((velocity / np.abs(first)) ** 2, axis=1)
    most = np.zeros(count)
    lines = [_lines(first, second, acceleration, steps, i) for i in range(count - 1)]
    for i in range(count - 2, -1, -1):
        most[i] = _largest_x(*_bounded(lines[i], top[i], most[i + 1], steps[i]))
    x = np.zeros(count)
    for i in range(count - 1):
        A, b = _bounded(lines[i], top[i], most[i + 1], steps[i])
        rising, room = A[:, 0] > 0.0, b - A[:, 1] * x[i]
        u = float(np.min(room[rising] / A[rising, 0]))
        x[i + 1] = min(max(x[i] + 2.0 * u * steps[i], 0.0), most[i + 1])
    return x


def _lines(first: Array, second: Array, acceleration: Array, steps: Array, i: int) -> tuple[Array, Array]:
    """Return A and b of A (u, x) ≤ b: the accelerations at both ends of a piece, x that of its first end."""
    after = first[i + 1] + 2.0 * steps[i] * second[i + 1]
    A = np.column_stack([np.concatenate([first[i], after]), np.concatenate([second[i], second[i + 1]])])
    return np.concatenate([A, -A]), np.tile(acceleration, 4)


def _bounded(lines: tuple[Array, Array], top: float, after: float, step: float) -> tuple[Array, Array]:
    """Return the lines with 0 ≤ x ≤ top and 0 ≤ x + 2 u Δs ≤ after."""
    A, b = lines
    ends = np.array([[0.0, 1.0], [0.0, -1.0], [2.0 * step, 1.0], [-2.0 * step, -1.0]])
    return np.concatenate([A, ends]), np.concatenate([b, [top if np.isfinite(top) else 1e12, 0.0, after, 0.0]])


def _largest_x(A: Array, b: Array) -> float:
    """Return the largest x with A (u, x) ≤ b for some u: at a corner, of which (0, 0) is one that is allowed."""
    i, j = _pairs(len(b))
    determinant = A[i, 0] * A[j, 1] - A[j, 0] * A[i, 1]
    crossing = np.abs(determinant) > 1e-12 * np.linalg.norm(A[i], axis=1) * np.linalg.norm(A[j], axis=1)
    i, j, determinant = i[crossing], j[crossing], determinant[crossing]
    u = (b[i] * A[j, 1] - b[j] * A[i, 1]) / determinant
    x = (A[i, 0] * b[j] - A[j, 0] * b[i]) / determinant
    allowed = (A @ np.stack([u, x]) <= b[:, None] + SLACK * (1.0 + np.abs(b[:, None]))).all(axis=0)
    return float(np.max(x[allowed], initial=0.0))


@lru_cache(maxsize=16)
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    i, j = np.triu_indices(count, 1)
    return i, j


def _within(trajectory: Trajectory, rates: Chain) -> Trajectory:
    """Return the trajectory, slowed down by what the grid has overlooked between its places."""
    parts = np.arange(8) / 8
    begin, end = trajectory.times[:-1, None], trajectory.times[1:, None]
    _, v, a = trajectory.at(np.append((begin + parts * (end - begin)).ravel(), trajectory.duration))
    fast = float(np.max(np.abs(v) / rates.velocity_limits))
    hard = float(np.max(np.abs(a) / rates.acceleration_limits))
    return trajectory.slowed(max(1.0, fast, np.sqrt(hard)))
