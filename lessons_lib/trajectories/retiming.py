"""When an arm may be where along its path: as fast as the limits of its joints allow, and at rest at both ends.

The configurations of a path are joined by a cubic spline q(s). Along it q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ², so that with
x = ṡ² and u = s̈ each limit is a straight line in (u, x). On a grid of places u is constant from each to the next,
where x grows by 2 u Δs. Backward from the end, the fastest x from which the arm can still stop is a linear program of
two unknowns at each place; forward from the start, the largest u that stays below is taken (`fastest`).
Source: Pham & Pham, A New Approach to Time-Optimal Path Parameterization (2018). They keep the limits at the places;
here they are kept on all of each piece (`symbolic.path_timing`), and the motion's certificate proves it of the numbers.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.robots import Chain
from lessons_lib.trajectories import timing_derivations
from lessons_lib.trajectories.certificate import Slopes, ranges, slopes
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.trajectory import Trajectory, spline_through

PLACES = 200
"""Pieces of the grid, at least; at least PIECES of them between two configurations."""

PIECES = 4

STILL = 1e-9
"""Configurations nearer than this to the one before, rad or m, are the same place."""

NEARLY = 1e-3
"""A step this part of one beside it, or less, ends where it began: its direction is noise."""

SHORT = 5e-3
"""A step this part of one beside it, or less, but more than NEARLY, bends the curve: a warning says so."""

UNEVEN = 0.25
"""A step this part of one beside it, or less, gets more of the spline than its length: see `_knots`."""

CLOSE = 1.0 - 1e-12
"""How near to the limits the motion is planned: what rounding adds shall not slow all of it down."""

OUTSIDE = 1e-9
"""How far the curve may pass a limit of position, rad or m: a joint that stands at one is rounded, too."""


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
    direction; the first and the last are met. A step that is longer than that, but at most five thousandths of the one
    beside it, bends the curve to its direction, so that it swings out by more than the step: a warning names the two.

    No joint passes a limit of speed or acceleration at any time, also between samples: the `certificate` of the motion
    proves it. On its grid it is as fast as the limits allow, but for what is lost where a piece is bounded as a whole.

    It is no call for a control loop. Up to some fifty waypoints take the same time, for the grid is never coarser; from
    there the time grows with their number.

    Args:
        path: A `Path` that the arm goes to its end, with "go on" past waypoints that it only comes near; or
            configurations, shape (m, n), m ≥ 2, rad or m.
        chain: The arm, where `path` is not a `Path`.
        velocity: Bounds on the speed of each joint, shape (n,) or one for all, rad/s or m/s; those of the chain when
            left out.
        acceleration: The same for accelerations, rad/s² or m/s².

    Warns:
        UserWarning: A step is at most five thousandths of the one beside it.

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
    _warn_of_short_steps(q)
    knots = _knots(q)
    spline = spline_through(knots, q)
    _check_between(chain, spline)
    places = _places(knots)
    squares = squared_speeds(slopes(spline, places), rates.velocity_limits, rates.acceleration_limits)
    limits = rates.velocity_limits.copy(), rates.acceleration_limits.copy()
    motion = Trajectory.of(chain, knots, q, places, np.sqrt(squares), *limits)
    while not motion.certificate.holds:  # by rounding alone: once, if ever
        motion = motion.slowed(max(motion.certificate.excess, 1.0) * (1.0 + 1e-15))
    return motion


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
    if q.ndim != 2 or q.shape[1] != chain.dof or not len(q):
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


def _warn_of_short_steps(q: Array) -> None:
    """Warn of a step that is short beside its neighbour, yet too long to be left out as noise."""
    steps, beside = _steps(q)
    for i in np.flatnonzero(steps <= SHORT * beside)[:1]:
        warnings.warn(
            f"configurations near {np.round(q[i], 4).tolist()} are {steps[i]:.2g} apart, beside a step of "
            f"{beside[i]:.2g}: the curve bends to the direction of the short step; leave one of the two out unless "
            "that is meant",
            stacklevel=3,
        )


def _knots(q: Array) -> Array:
    """Return where on the spline each configuration lies: as far apart as they are, where the steps are of a kind.

    A short step between long ones, across them, would turn the spline for the long ones, too: by its own direction,
    however short it is. So it gets up to the geometric mean of its length and theirs, as centripetal splines have it.

    Source: Lee, Choosing nodes in parametric curve interpolation (1989).
    """
    steps, beside = _steps(q)
    lengths = np.maximum(steps, np.sqrt(steps * UNEVEN * beside))
    return np.concatenate([[0.0], np.cumsum(lengths)])


def _places(knots: Array) -> Array:
    """Return the grid: evenly between two knots, the more the farther they are apart."""
    lengths = np.diff(knots)
    least = max(PIECES, -(-PLACES // len(lengths)))
    counts = np.maximum(least, np.ceil(PLACES * lengths / knots[-1] - 1e-9)).astype(np.int64)
    ends = zip(knots[:-1], knots[1:], counts, strict=True)
    inner = [np.linspace(begin, end, count, endpoint=False) for begin, end, count in ends]
    return np.append(np.concatenate(inner), knots[-1])


def _check_between(chain: Chain, spline: Any) -> None:
    (lower, upper), (lowest, highest) = chain.limits.T, ranges(spline)
    outside = (lowest < lower - OUTSIDE) | (highest > upper + OUTSIDE)
    if outside.any():
        piece, joint = np.argwhere(outside)[0]
        farthest = lowest[piece, joint] if lowest[piece, joint] < lower[joint] - OUTSIDE else highest[piece, joint]
        excess = max(lower[joint] - farthest, farthest - upper[joint])
        raise ConfigurationError(
            f"between configurations {piece + 1} and {piece + 2} the smooth curve takes joint "
            f"{chain.joint_names[joint]!r} of {chain.name} to {farthest:.6g}, outside its limits "
            f"[{lower[joint]:.6g}, {upper[joint]:.6g}] by {excess:.3g}; give more configurations there"
        )


def squared_speeds(of: Slopes, velocity: Array, acceleration: Array) -> Array:
    """Return x = ṡ² at each place, shape (m + 1,), the largest that limits and the stop at the end allow."""
    count, joints, _ = of.first.shape
    numbers = np.empty((count, joints, 3))
    numbers[..., 0], numbers[..., 1], numbers[..., 2] = of.steps[:, None], 1.0 / velocity, 1.0 / acceleration
    rows = rows_module().limit_rows_kernel(of.first, numbers).reshape(count, -1, 2) / CLOSE  # |A (x, y)| ≤ 1
    most, squares = np.empty(count + 1), np.empty(count + 1)
    loops_module().fastest(rows, most, squares)
    return squares


ROWS = Recipe("path_limits", (Derived(timing_derivations.limits, "numpy"),), derives="the limits on a piece of a path")
LOOPS = Recipe("fastest", (Plain("lessons_lib.trajectories.fastest"),))


@lru_cache(maxsize=1)
def rows_module() -> ModuleType:
    """Return the generated module with limit_rows_kernel: of each piece and joint, vectorised."""
    return modules.load(ROWS)


@lru_cache(maxsize=1)
def loops_module() -> ModuleType:
    """Return the generated module with the functions of fastest.py."""
    return modules.load(LOOPS)
