"""Time-optimal path parametrization: pass a path as fast as the limits of the joints allow.

On a spline q(s), q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ²: each limit is linear in ṡ² and in s̈, constant between two places.
Source: Pham & Pham, A New Approach to Time-Optimal Path Parameterization (2018). They keep the limits at the places;
here they are kept on all of each piece (`symbolic.path_timing`), and the motion's certificate proves it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.robots import Chain
from lessons_lib.trajectories import timing_derivations
from lessons_lib.trajectories.certificate import Curve, DerivativeBounds
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.trajectory import Trajectory, spline_through, steps_of

PLACES = 200
"""Pieces of the grid, at least; at least PIECES of them between two configurations."""

PIECES = 4

SAME_PLACE = 1e-9
"""Configurations nearer than this to the one before, rad or m, are the same place."""

NOISE_RATIO = 1e-3
"""A step of this part of one beside it, or less, ends where it began: its direction is noise."""

WARNING_RATIO = 2e-2
"""A step of this part of one beside it, or less, but more than NOISE_RATIO, is warned of if it leads aside."""

CENTRIPETAL_RATIO = 0.25
"""A step aside of this part of one beside it, or less, gets more of the spline than its length: see `_knots`."""

MARGIN = 1.0 - 1e-11
"""How near to the limits the motion is planned, so that rounding alone does not make it necessary to slow it down."""

POSITION_TOLERANCE = 1e-9
"""How far the curve may pass a position limit, rad or m: a joint at its limit is rounded as well."""

NEAR_LIMIT = 1.0 - 1e-6
"""A joint at this part of its velocity limit is at it."""

SPEED_TOLERANCE = 1e-9
"""Relative excess over the largest speed at an end that passes for rounding."""


def retime(
    path: Path | ArrayLike,
    chain: Chain | None = None,
    *,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    tolerance: ArrayLike = 0.0,
    start_speed: float = 0.0,
    end_speed: float = 0.0,
) -> Trajectory:
    """Return the motion along a path that is as fast as the limits of the joints allow, from rest to rest.

    The arm follows a smooth curve through the configurations, without a stop at them. Between them the tip is not on
    the straight line, so a path that has to be kept must be dense; see `path_between`.

    Configurations that are measured, noisy or rounded make the curve wiggle and the motion slow: give their error as
    `tolerance`. The curve is then the smoothest one that passes each configuration within the tolerance; it meets the
    first and the last. Without a tolerance it meets all of them, except for one that lies a thousandth of the step
    beside it from its neighbour, or less, which is left out. If a step is longer than that, but at most a fiftieth of
    the one beside it, and leads aside, the arm almost stops to meet both: a warning names the place.

    No joint exceeds a limit of speed or acceleration at any time, also between samples: the `certificate` of the motion
    proves it. On its grid the motion is as fast as possible, except for what is lost by bounding each piece as a whole.

    It is not meant for a control loop. Up to about fifty configurations take the same time, since the grid is never
    coarser; beyond that the time grows with their number.

    Args:
        path: A `Path` that the arm follows to its end, with "go on" past waypoints that it only comes near; or
            configurations, shape (m, n), m ≥ 2, rad or m.
        chain: The arm, if `path` is not a `Path`.
        velocity: Bounds on the speed of each joint, shape (n,) or one for all, rad/s or m/s; default: the chain's.
        acceleration: Bounds on the accelerations, rad/s² or m/s²; default: the chain's.
        tolerance: How far the curve may pass a configuration, in each joint, shape (n,) or one for all, rad or m.
        start_speed: ‖q̇‖ at the start, the length of the vector of joint velocities along the curve, rad/s or m/s.
        end_speed: ‖q̇‖ at the end.

    Warns:
        UserWarning: A step leads aside and is at most a fiftieth of the one beside it.

    Raises:
        ParameterError: The arm does not go to a waypoint, or does not move; no chain; an acceleration without a limit;
            a speed at an end that is negative or that the limits do not allow: the message says what they allow;
            a tolerance that is negative or of another shape.
        ConfigurationError: A configuration, or the curve between two of them, is outside the position limits.
        LimitsError: Limits of another shape, or not positive.
    """
    chain, q = _configurations(path, chain)
    limits = _limits(chain.with_limits(velocity=velocity, acceleration=acceleration))
    within = _tolerance(tolerance, chain.dof)
    for name, speed in (("start_speed", start_speed), ("end_speed", end_speed)):
        if not is_real(speed) or not 0.0 <= speed < math.inf:
            raise ParameterError(f"{name} must be finite, zero or more, in rad/s or m/s along the path, got {speed!r}")
    moves = np.concatenate([[True], np.abs(np.diff(q, axis=0)).max(axis=1) > SAME_PLACE])
    q = _drop_noise(q[moves])
    if len(q) < 2:
        raise ParameterError("the arm does not move on this path: all of its configurations are the same")
    knots = _knots(q)
    if len(q) > 2 and (within > SAME_PLACE).all():
        q = smooth(knots, q, within)
    else:
        _warn_of_short_steps(q)
    curve = Curve(spline_through(knots, q), _places(knots))
    _check_between(chain, curve)
    squares = _squared_speeds(curve, *limits, (float(start_speed), float(end_speed)), chain.joint_names)
    motion = Trajectory.of(chain, knots, q, curve.places, np.sqrt(squares), *limits)
    vars(motion)["_curve"] = curve
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
        raise ParameterError(f"chain must be the arm if path holds configurations, got {chain!r}: retime(q, chain)")
    q = floats(path, f"path must be a Path, or configurations, shape (m, {chain.dof})", ConfigurationError)
    if q.ndim != 2 or q.shape[1] != chain.dof or not len(q):
        raise ConfigurationError(f"configurations of {chain.name} must have shape (m, {chain.dof}), got {q.shape}")
    if (q >= chain.limits[:, 0]).all() and (q <= chain.limits[:, 1]).all() and np.isfinite(q).all():
        return chain, q.copy()
    return chain, np.array([chain.check_within_limits(row) for row in q])


def _limits(chain: Chain) -> tuple[Array, Array]:
    if not np.isfinite(chain.acceleration_limits).all():
        joint = chain.joint_names[int(np.flatnonzero(~np.isfinite(chain.acceleration_limits))[0])]
        raise ParameterError(
            f"joint {joint!r} of {chain.name} has no acceleration limit: give acceleration=…, in rad/s² or m/s², or "
            "make the chain with_limits(acceleration=…)"
        )
    return chain.velocity_limits.copy(), chain.acceleration_limits.copy()


def _tolerance(given: ArrayLike, joints: int) -> Array:
    tolerance = floats(given, f"tolerance must be one number or {joints}, in rad or m", ParameterError)
    if tolerance.shape not in ((), (joints,)) or not (np.isfinite(tolerance) & (tolerance >= 0.0)).all():
        raise ParameterError(f"tolerance must be finite, zero or more, one number or {joints}, got {given!r}")
    if (tolerance > 0.0).any() and not (tolerance > 0.0).all():
        raise ParameterError(f"tolerance must be positive for each joint, or zero for all, got {given!r}")
    return np.broadcast_to(tolerance, (joints,))


def _drop_noise(q: Array) -> Array:
    """Return the configurations without those that `NOISE_RATIO` says are no step of their own; both ends stay."""
    while len(q) > 2:
        steps, beside = steps_of(q)
        i = int(np.argmin(steps - NOISE_RATIO * beside))
        if steps[i] > NOISE_RATIO * beside[i]:
            break
        q = np.delete(q, i + 1 if i + 2 < len(q) else i, axis=0)
    return q


def _warn_of_short_steps(q: Array) -> None:
    """Warn of a step that is short beside its neighbour and leads aside, yet too long to be left out as noise."""
    steps, beside, aside = _measure_steps(q)
    for i, side in np.argwhere((steps <= WARNING_RATIO * beside) & (aside > 0.5 * steps))[:1]:
        warnings.warn(
            f"configurations near {np.round(q[i], 4).tolist()} are {steps[i, 0]:.2g} apart, beside a step of "
            f"{beside[i, side]:.2g}: to meet both, the arm almost stops there. Leave one of the two out, or give a "
            f"tolerance of some times their distance, such as tolerance={5.0 * steps[i, 0]:.1g}",
            stacklevel=3,
        )


def _measure_steps(q: Array) -> tuple[Array, Array, Array]:
    """Return the length of each step, of both neighbours (0 for none), and of its part aside from their directions."""
    moves = np.diff(q, axis=0)
    padded = np.pad(moves, ((1, 1), (0, 0)))
    neighbours = np.stack([padded[:-2], padded[2:]], axis=1)
    beside = np.linalg.norm(neighbours, axis=2)
    directions = neighbours / np.where(beside > 0.0, beside, 1.0)[..., None]
    along = np.maximum(np.einsum("ikj,ij->ik", directions, moves), 0.0)
    aside = np.linalg.norm(moves[:, None] - along[..., None] * directions, axis=2)
    return np.linalg.norm(moves, axis=1)[:, None], beside, aside


def _knots(q: Array) -> Array:
    """Return the knots: as far apart as the configurations; a short step aside gets more, as in centripetal splines.

    Otherwise it would bend the spline on the long steps beside it. Source: Lee, Choosing nodes (1989).
    """
    steps, beside, aside = _measure_steps(q)
    lengths = np.maximum(steps, np.sqrt(aside * CENTRIPETAL_RATIO * beside)).max(axis=1)
    return np.concatenate([[0.0], np.cumsum(lengths)])


def smooth(knots: Array, q: Array, tolerance: Array) -> Array:
    """Return the values at the knots of the smoothest natural cubic spline that passes each q within a tolerance.

    It minimizes ∫‖g″‖² + ‖(g − q)/tolerance‖² / λ with both ends fixed, for the largest λ that keeps the tolerance.
    Source: Reinsch, Smoothing by spline functions (1967).
    """
    from scipy.linalg import solveh_banded

    h, y = np.diff(knots), q / tolerance
    free = np.ones(len(q))
    free[[0, -1]] = 0.0
    a, c = 1.0 / h[:-1], 1.0 / h[1:]  # second differences of y are a, b, c times three of its rows
    b = -(a + c)
    bending, fitting = np.zeros((3, len(a))), np.zeros((3, len(a)))  # symmetric, banded: the lower three diagonals
    bending[0], bending[1, :-1] = (h[:-1] + h[1:]) / 3.0, h[1:-1] / 6.0
    fitting[0] = a * a * free[:-2] + b * b + c * c * free[2:]
    fitting[1, :-1] = b[:-1] * a[1:] + c[:-1] * b[1:]
    fitting[2, :-2] = c[:-2] * a[2:]
    differences, best = np.diff(np.diff(y, axis=0) / h[:, None], axis=0), np.zeros_like(y)
    lowest, highest = (math.log(factor * knots[-1] ** 3) for factor in (1e-16, 1e4))
    while highest - lowest > 0.02:
        middle = math.exp(0.5 * (lowest + highest))
        curvature = solveh_banded((bending + middle * fitting)[: len(a)], differences, lower=True)
        moved = np.zeros_like(y)
        moved[:-2] += a[:, None] * curvature
        moved[1:-1] += b[:, None] * curvature
        moved[2:] += c[:, None] * curvature
        moved *= middle * free[:, None]
        if np.abs(moved).max() <= 1.0:
            lowest, best = math.log(middle), moved
        else:
            highest = math.log(middle)
    return np.asarray(q - best * tolerance)


def _places(knots: Array) -> Array:
    """Return the grid: evenly between two knots, the more the farther they are apart."""
    lengths = np.diff(knots)
    least = max(PIECES, -(-PLACES // len(lengths)))
    counts = np.maximum(least, np.ceil(PLACES * lengths / knots[-1] - 1e-9)).astype(np.int64)
    first = np.cumsum(counts) - counts
    inside = np.arange(counts.sum()) - np.repeat(first, counts)
    inner = np.repeat(knots[:-1], counts) + inside * np.repeat(lengths / counts, counts)
    return np.append(inner, knots[-1])


def _check_between(chain: Chain, curve: Curve) -> None:
    (lower, upper), (lowest, highest) = chain.limits.T, curve.ranges
    outside = (lowest < lower - POSITION_TOLERANCE) | (highest > upper + POSITION_TOLERANCE)
    if outside.any():
        piece, joint = np.argwhere(outside)[0]
        below, above = lower[joint] - lowest[piece, joint], highest[piece, joint] - upper[joint]
        farthest = lowest[piece, joint] if below > above else highest[piece, joint]
        raise ConfigurationError(
            f"between configurations {piece + 1} and {piece + 2} the smooth curve takes joint "
            f"{chain.joint_names[joint]!r} of {chain.name} to {farthest:.6g}, outside its limits "
            f"[{lower[joint]:.6g}, {upper[joint]:.6g}] by {max(below, above):.3g}; give more configurations there"
        )


def _squared_speeds(
    curve: Curve, velocity: Array, acceleration: Array, ends: tuple[float, float], joints: Sequence[str]
) -> Array:
    """Return ṡ² at each place, the largest that the limits allow with a speed ‖q̇‖ at both ends."""
    rows = limit_rows(curve.derivatives, velocity, acceleration)
    if not any(ends):
        return squared_speeds(rows, (0.0, 0.0))
    first = curve.derivatives.first
    lengths = np.linalg.norm([first[0, 0], first[-1, -1]], axis=1)  # ‖q′‖
    wanted = [min(speed / max(length, 1e-100), 1e100) ** 2 for speed, length in zip(ends, lengths, strict=True)]
    backward = np.ascontiguousarray(rows[::-1, :, ::-1])  # the same pieces, passed from the end to the start
    bound = 1e4 * (max(wanted) + 1.0 / float(np.abs(rows).max()))  # on the other end; more than a motion needs
    for i, (name, one, length) in enumerate(zip(("start", "end"), (rows, backward), lengths, strict=True)):
        (_, most), square = _interval(one, 0.0, bound), wanted[i]
        wanted[i] = min(square, most)
        if square > most * (1.0 + SPEED_TOLERANCE):
            allowed = math.sqrt(max(most, 0.0)) * length
            fastest = (
                velocity * length / np.maximum(np.abs(first[-i, -i]), 1e-100)
            )  # at which each joint is at its limit
            joint = int(np.argmin(fastest))
            why = (
                f"joint {joints[joint]!r} then has its velocity limit, {velocity[joint]:.6g}"
                if allowed > NEAR_LIMIT * fastest[joint]
                else f"faster, the limits {'ahead' if i == 0 else 'before'} cannot be kept"
            )
            raise ParameterError(
                f"{name}_speed must be at most {allowed:.6g} on this path, in rad/s or m/s (the length of the vector "
                f"of joint velocities): {why}, got {ends[i]:.6g}"
            )
    least, most = _interval(rows, wanted[1], wanted[1])
    if not least * (1.0 - SPEED_TOLERANCE) <= wanted[0] <= most * (1.0 + SPEED_TOLERANCE):
        after = _interval(backward, wanted[0], wanted[0])
        allowed = [np.sqrt(pair) * length for pair, length in zip(((least, most), after), lengths, strict=True)]
        start, end = (f"{low:.6g} to {high:.6g}" if low <= high else "none" for low, high in allowed)
        raise ParameterError(
            f"the path is too short to change from start_speed={ends[0]:.6g} to end_speed={ends[1]:.6g}: the limits "
            f"allow start speeds of {start} before this end speed, and end speeds of {end} after this start speed"
        )
    return squared_speeds(rows, (float(np.clip(wanted[0], least, most)), wanted[1]))


def _interval(rows: Array, lower: float, upper: float) -> tuple[float, float]:
    """Return the ṡ² at the start from which some ṡ² in [lower, upper] at the end can be reached; (1, 0) if none."""
    least, most = np.empty((2, len(rows) + 1))
    least[-1], most[-1] = lower, upper
    found = loops_module().controllable(rows, least, most)
    return (float(least[0]), float(most[0])) if found else (1.0, 0.0)


def limit_rows(of: DerivativeBounds, velocity: Array, acceleration: Array) -> Array:
    """Return the rows A of |A (x, y)| ≤ 1 that keep the limits on each piece, shape (m, k, 2)."""
    _, count, joints = of.first.shape
    numbers = np.empty((count, joints, 3))
    numbers[..., 0], numbers[..., 1], numbers[..., 2] = of.steps[:, None], 1.0 / velocity, 1.0 / acceleration
    rows: Array = rows_module().limit_rows_kernel(np.moveaxis(of.first, 0, -1), numbers).reshape(count, -1, 2) / MARGIN
    return rows


def squared_speeds(rows: Array, ends: tuple[float, float]) -> Array:
    """Return ṡ² at each place of the fastest motion with these ṡ² at both ends, shape (m + 1,)."""
    least, most, squares = np.empty((3, len(rows) + 1))
    squares[0], least[-1], most[-1] = ends[0], ends[1], ends[1]
    loops_module().controllable(rows, least, most)
    loops_module().fastest(rows, least, most, squares)
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
