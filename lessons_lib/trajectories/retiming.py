"""Time-optimal path parameterization: the fastest motion along a path within the limits of the joints."""
# On a spline q(s), q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ²: each limit is linear in ṡ² and s̈, and s̈ is constant on each
# piece. Source: Pham & Pham, A New Approach to Time-Optimal Path Parameterization (2018). They keep the limits at the
# grid points; here they hold on each whole piece (`symbolic.path_timing`), which the certificate of the motion proves.

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import Chain
from lessons_lib.trajectories import timing_derivations
from lessons_lib.trajectories.certificate import Curve, DerivativeBounds
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.trajectory import Trajectory, fit_spline, step_lengths

MIN_PIECES, MIN_PIECES_PER_STEP = 200, 4
"""Smallest number of pieces of the grid, in all and between two configurations."""

EQUAL = 1e-9
"""Largest joint change, rad or m, between configurations that count as equal."""

NOISE_RATIO = 1e-3
"""Up to this length, relative to an adjacent step, a step is noise."""

WARNING_RATIO = 2e-2
"""Up to this relative length, a step that is no noise gets a warning if it leads aside."""

CENTRIPETAL_RATIO = 0.25
"""Up to this relative length, a step aside gets a longer interval of the spline than its length: `_place_knots`."""

MARGIN = 1.0 - 1e-11
"""Factor of the limits for which the motion is planned, so that rounding rarely makes it exceed them."""

POSITION_TOLERANCE = 1e-9
"""Excess over a position limit, rad or m, that counts as rounding."""

NEAR_LIMIT = 1.0 - 1e-6
"""Fraction of its velocity limit from which a joint counts as being at it."""

SPEED_TOLERANCE = 1e-9
"""Relative excess over the largest speed at an end that counts as rounding."""


@suggest_arguments
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
    """Return the fastest motion along a path within the limits of the joints, by default from rest to rest.

    The arm follows a smooth curve through the configurations and does not stop at them. Between them the tip does not
    move on a straight line, so a prescribed tip path must be dense; see `path_between`.

    Measured, noisy or rounded configurations make the curve wiggle and the motion slow: give their error as
    `tolerance`. The curve is then the smoothest one within the tolerance of each configuration; it meets the first and
    the last. Without a tolerance it meets all of them, except for configurations whose distance from the one before is
    at most a thousandth of an adjacent step; these are left out. If a step is longer than that, but at most a fiftieth
    of an adjacent one, and leads aside, the arm almost stops to meet both: a warning names the configuration.

    No joint exceeds a limit of speed or acceleration at any time, also between samples; the `certificate` of the motion
    proves it. The jerk is not limited; `rest_to_rest` limits it, but between two states instead of along a path. On its
    grid the motion is as fast as possible, except for the loss from bounding each piece as a whole.

    The function is not meant for a control loop. Up to about fifty configurations it takes the same time, because the
    grid has a minimal size; beyond that the time grows with their number.

    >>> import numpy as np
    >>> from lessons_lib import robots, trajectories
    >>> rows = np.array([[0, 0], [0.3, 0.5], [0.6, 0.4]])  # rad
    >>> motion = trajectories.retime(rows, robots.planar_2r(), velocity=1.0, acceleration=2.0)  # rad/s, rad/s²
    >>> motion.certificate.holds, motion.at(motion.duration)[0].round(6).tolist()
    (True, [0.6, 0.4])

    Args:
        path: A `Path` that the arm follows to its end (with on_failure="go on" it may miss waypoints), or
            configurations, shape (m, n), m ≥ 2, rad or m. A `Path` begins at `path.start`, the q0 of its trace; pass
            `path.q` and the chain to begin at the first waypoint.
        chain: The arm, if `path` is not a `Path`.
        velocity: Bounds on the speed of each joint, shape (n,) or one for all, rad/s or m/s; default: the chain's.
        acceleration: Bounds on the accelerations, rad/s² or m/s²; default: the chain's.
        tolerance: Largest distance of the curve from a configuration in each joint, shape (n,) or one number, rad or m.
        start_speed: ‖q̇‖ at the start, the norm of the joint velocities, rad/s or m/s.
        end_speed: ‖q̇‖ at the end.

    Warns:
        UserWarning: A step leads aside and is at most a fiftieth of an adjacent one.

    Raises:
        ParameterError: The arm does not go to a waypoint, or does not move; the chain is missing; an acceleration has
            no limit; a speed at an end is negative or exceeds what the limits allow, which the message states; or the
            tolerance is negative or has another shape.
        ConfigurationError: A configuration, or the curve between two of them, is outside the position limits.
        LimitsError: Limits of another shape, or not positive.
    """
    chain, q = _read_configurations(path, chain)
    limits = _require_limits(chain.with_limits(velocity=velocity, acceleration=acceleration))
    within = _read_tolerance(tolerance, chain.dof)
    for name, speed in (("start_speed", start_speed), ("end_speed", end_speed)):
        if not is_real(speed) or not 0.0 <= speed < math.inf:
            raise ParameterError(f"{name} must be finite and at least 0, in rad/s or m/s along the path, got {speed!r}")
    moves = np.concatenate([[True], np.abs(np.diff(q, axis=0)).max(axis=1) > EQUAL])
    q = _drop_noise(q[moves])
    if len(q) < 2:
        raise ParameterError(f"path must have two different configurations, got {len(moves)}, all the same")
    knots = _place_knots(q)
    if len(q) > 2 and (within > EQUAL).all():
        q = smooth_configurations(knots, q, within)
    else:
        _warn_of_short_steps(q)
    curve = Curve(fit_spline(knots, q), _build_grid(knots))
    _check_curve(chain, curve)
    squares = _plan_squared_speeds(curve, *limits, (float(start_speed), float(end_speed)), chain.joint_names)
    speeds = np.sqrt(squares)
    durations = 2.0 * np.diff(curve.grid) / (speeds[:-1] + speeds[1:])
    times = np.concatenate([[0.0], np.cumsum(durations)])
    motion = Trajectory(chain, knots, q, curve.grid, speeds, times, *limits)
    vars(motion)["_curve"] = curve
    while not motion.certificate.holds:  # rounding alone, at most once
        motion = motion.slowed(max(motion.certificate.excess, 1.0) * (1.0 + 1e-15))
    return motion


def _read_configurations(path: Path | ArrayLike, chain: Chain | None) -> tuple[Chain, Array]:
    if isinstance(path, Path):
        missed = np.flatnonzero(~path.on_path)
        if missed.size:
            raise ParameterError(
                f"path must be reached to its end, waypoint {missed[0] + 1} is not; trace it again, or retime a part"
            )
        return path.chain, path.configurations
    if not isinstance(chain, Chain):
        raise ParameterError(
            f"chain must be the arm if path is an array of configurations, got {chain!r}; write retime(path, chain)"
        )
    q = floats(path, f"path must be a Path, or configurations, shape (m, {chain.dof})", ConfigurationError)
    if q.ndim != 2 or q.shape[1] != chain.dof or not len(q):
        raise ConfigurationError(f"configurations of {chain.name} must have shape (m, {chain.dof}), got {q.shape}")
    if (q >= chain.limits[:, 0]).all() and (q <= chain.limits[:, 1]).all() and np.isfinite(q).all():
        return chain, q.copy()
    return chain, np.array([chain.check_within_limits(row) for row in q])


def _require_limits(chain: Chain) -> tuple[Array, Array]:
    if not np.isfinite(chain.acceleration_limits).all():
        joint = chain.joint_names[int(np.flatnonzero(~np.isfinite(chain.acceleration_limits))[0])]
        raise ParameterError(
            f"joint {joint!r} of {chain.name} has no acceleration limit; give acceleration=…, in rad/s² or m/s², or "
            "use chain.with_limits(acceleration=…)"
        )
    return chain.velocity_limits.copy(), chain.acceleration_limits.copy()


def _read_tolerance(value: ArrayLike, joints: int) -> Array:
    tolerance = floats(value, f"tolerance must be one number or {joints}, in rad or m", ParameterError)
    if tolerance.shape not in ((), (joints,)) or not (np.isfinite(tolerance) & (tolerance >= 0.0)).all():
        raise ParameterError(f"tolerance must be finite and at least 0, one number or {joints}, got {value!r}")
    if (tolerance > 0.0).any() and not (tolerance > 0.0).all():
        raise ParameterError(f"tolerance must be positive for each joint, or zero for all, got {value!r}")
    return np.broadcast_to(tolerance, (joints,))


def _drop_noise(q: Array) -> Array:
    """Remove configurations that end a step of at most NOISE_RATIO, except for the first and the last."""
    while len(q) > 2:
        steps, adjacent = step_lengths(q)
        i = int(np.argmin(steps - NOISE_RATIO * adjacent))
        if steps[i] > NOISE_RATIO * adjacent[i]:
            break
        q = np.delete(q, i + 1 if i + 2 < len(q) else i, axis=0)
    return q


def _warn_of_short_steps(q: Array) -> None:
    """Warn of a step aside that is at most WARNING_RATIO of an adjacent one."""
    steps, adjacent, aside = _measure_steps(q)
    for i, side in np.argwhere((steps <= WARNING_RATIO * adjacent) & (aside > 0.5 * steps))[:1]:
        warnings.warn(
            f"configurations near {np.round(q[i], 4).tolist()} are {steps[i, 0]:.2g} apart, next to a step of "
            f"{adjacent[i, side]:.2g}: to meet both, the arm almost stops there. Leave one of the two out, or give a "
            f"tolerance of a few times their distance, such as tolerance={5.0 * steps[i, 0]:.1g}",
            stacklevel=3,
        )


def _measure_steps(q: Array) -> tuple[Array, Array, Array]:
    """Return the length of each step, of both adjacent ones (0 for none), and of its component normal to each."""
    moves = np.diff(q, axis=0)
    padded = np.pad(moves, ((1, 1), (0, 0)))
    neighbours = np.stack([padded[:-2], padded[2:]], axis=1)
    adjacent = np.linalg.norm(neighbours, axis=2)
    directions = neighbours / np.where(adjacent > 0.0, adjacent, 1.0)[..., None]
    along = np.maximum(np.einsum("ikj,ij->ik", directions, moves), 0.0)
    aside = np.linalg.norm(moves[:, None] - along[..., None] * directions, axis=2)
    return np.linalg.norm(moves, axis=1)[:, None], adjacent, aside


def _place_knots(q: Array) -> Array:
    """Return knots as far apart as the configurations; farther at short steps aside, as in centripetal splines."""
    # otherwise such a step bends the spline on the long adjacent steps; Lee, Choosing nodes (1989)
    steps, adjacent, aside = _measure_steps(q)
    lengths = np.maximum(steps, np.sqrt(aside * CENTRIPETAL_RATIO * adjacent)).max(axis=1)
    return np.concatenate([[0.0], np.cumsum(lengths)])


def smooth_configurations(knots: Array, q: Array, tolerance: Array) -> Array:
    """Return the values at the knots of the smoothest natural cubic spline within a tolerance of each q."""
    # It minimizes ∫‖g″‖² + ‖(g − q)/tolerance‖² / λ with both ends fixed, for the largest λ that keeps the tolerance.
    # Source: Reinsch, Smoothing by spline functions (1967).
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


def _build_grid(knots: Array) -> Array:
    """Return the grid, evenly spaced between two knots, with more points the farther they are apart."""
    lengths = np.diff(knots)
    least = max(MIN_PIECES_PER_STEP, -(-MIN_PIECES // len(lengths)))
    counts = np.maximum(least, np.ceil(MIN_PIECES * lengths / knots[-1] - 1e-9)).astype(np.int64)
    first = np.cumsum(counts) - counts
    inside = np.arange(counts.sum()) - np.repeat(first, counts)
    inner = np.repeat(knots[:-1], counts) + inside * np.repeat(lengths / counts, counts)
    return np.append(inner, knots[-1])


def _check_curve(chain: Chain, curve: Curve) -> None:
    (lower, upper), (lowest, highest) = chain.limits.T, curve.ranges
    outside = (lowest < lower - POSITION_TOLERANCE) | (highest > upper + POSITION_TOLERANCE)
    if outside.any():
        piece, joint = np.argwhere(outside)[0]
        below, above = lower[joint] - lowest[piece, joint], highest[piece, joint] - upper[joint]
        farthest = lowest[piece, joint] if below > above else highest[piece, joint]
        raise ConfigurationError(
            f"between configurations {piece + 1} and {piece + 2} the smooth curve moves joint "
            f"{chain.joint_names[joint]!r} of {chain.name} to {farthest:.6g}, outside its limits "
            f"[{lower[joint]:.6g}, {upper[joint]:.6g}] by {max(below, above):.3g}; give more configurations there"
        )


def _plan_squared_speeds(
    curve: Curve, velocity: Array, acceleration: Array, ends: tuple[float, float], joints: Sequence[str]
) -> Array:
    """Return the largest ṡ² at each grid point for speeds ‖q̇‖ at both ends; raise ParameterError if there is none."""
    rows = limit_rows(curve.derivatives, velocity, acceleration)
    if not any(ends):
        return squared_speeds(rows, (0.0, 0.0))
    first = curve.derivatives.first
    lengths = np.linalg.norm([first[0, 0], first[-1, -1]], axis=1)  # ‖q′‖
    end_speeds = [min(speed / max(length, 1e-100), 1e100) ** 2 for speed, length in zip(ends, lengths, strict=True)]
    backward = np.ascontiguousarray(rows[::-1, :, ::-1])  # the same pieces from the end to the start
    bound = 1e4 * (
        max(end_speeds) + 1.0 / float(np.abs(rows).max())
    )  # of ṡ² at the other end, more than a motion needs
    for i, (name, one, length) in enumerate(zip(("start", "end"), (rows, backward), lengths, strict=True)):
        (_, most), square = _controllable_interval(one, 0.0, bound), end_speeds[i]
        end_speeds[i] = min(square, most)
        if square > most * (1.0 + SPEED_TOLERANCE):
            allowed = math.sqrt(max(most, 0.0)) * length
            fastest = velocity * length / np.maximum(np.abs(first[-i, -i]), 1e-100)  # ‖q̇‖ with a joint at its limit
            joint = int(np.argmin(fastest))
            why = (
                f"joint {joints[joint]!r} is then at its velocity limit, {velocity[joint]:.6g}"
                if allowed > NEAR_LIMIT * fastest[joint]
                else f"at a higher speed the limits {'after' if i == 0 else 'before'} it cannot be kept"
            )
            raise ParameterError(
                f"{name}_speed must be at most {allowed:.6g} on this path, in rad/s or m/s (the norm of the "
                f"joint velocities): {why}, got {ends[i]:.6g}"
            )
    least, most = _controllable_interval(rows, end_speeds[1], end_speeds[1])
    if not least * (1.0 - SPEED_TOLERANCE) <= end_speeds[0] <= most * (1.0 + SPEED_TOLERANCE):
        after = _controllable_interval(backward, end_speeds[0], end_speeds[0])
        allowed = [np.sqrt(pair) * length for pair, length in zip(((least, most), after), lengths, strict=True)]
        start, end = (f"{low:.6g} to {high:.6g}" if low <= high else "none" for low, high in allowed)
        raise ParameterError(
            f"the path is too short to change from start_speed={ends[0]:.6g} to end_speed={ends[1]:.6g}: the limits "
            f"allow start speeds of {start} before this end speed, and end speeds of {end} after this start speed"
        )
    return squared_speeds(rows, (float(np.clip(end_speeds[0], least, most)), end_speeds[1]))


def _controllable_interval(rows: Array, lower: float, upper: float) -> tuple[float, float]:
    """Return the interval of ṡ² at the start from which some ṡ² in [lower, upper] is reached; (1, 0) if empty."""
    least, most = np.empty((2, len(rows) + 1))
    least[-1], most[-1] = lower, upper
    feasible = loops_module().compute_controllable_sets(rows, least, most)
    return (float(least[0]), float(most[0])) if feasible else (1.0, 0.0)


def limit_rows(bounds: DerivativeBounds, velocity: Array, acceleration: Array) -> Array:
    """Return rows A, shape (m, k, 2): |A (x, y)| ≤ 1 keeps the limits on each piece from ṡ² = x to ṡ² = y."""
    _, count, joints = bounds.first.shape
    numbers = np.empty((count, joints, 3))
    numbers[..., 0], numbers[..., 1], numbers[..., 2] = bounds.steps[:, None], 1.0 / velocity, 1.0 / acceleration
    rows: Array = (
        rows_module().limit_rows_kernel(np.moveaxis(bounds.first, 0, -1), numbers).reshape(count, -1, 2) / MARGIN
    )
    return rows


def squared_speeds(rows: Array, ends: tuple[float, float]) -> Array:
    """Return ṡ² of the fastest motion at each grid point, given ṡ² at both ends, shape (m + 1,)."""
    least, most, squares = np.empty((3, len(rows) + 1))
    squares[0], least[-1], most[-1] = ends[0], ends[1], ends[1]
    loops_module().compute_controllable_sets(rows, least, most)
    loops_module().maximize_speeds(rows, least, most, squares)
    return squares


ROWS = Recipe("path_limits", (Derived(timing_derivations.limits, "numpy"),), derives="the limits on a piece of a path")
LOOPS = Recipe("reachability", (Plain("lessons_lib.trajectories.reachability"),))


@lru_cache(maxsize=1)
def rows_module() -> ModuleType:
    """Return the generated module with limit_rows_kernel, vectorized over pieces and joints."""
    return linker.load(ROWS)


@lru_cache(maxsize=1)
def loops_module() -> ModuleType:
    """Return the generated module with the functions of reachability.py."""
    return linker.load(LOOPS)
