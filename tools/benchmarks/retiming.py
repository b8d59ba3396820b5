"""Timing: trajectories.retime against toppra, on the same splines and grids: durations within the limits, and work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots import Chain
from lessons_lib.trajectories import Trajectory, retime
from tools.benchmarks import machine
from tools.benchmarks.poses import SEED
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import in_turn

PATHS, PASSES = 1000, 3
PEER = "toppra"
RATE = 20_000.0
"""Samples a second at which limits are looked at, Hz."""

COLUMNS = {
    "kind": "waypoints",
    "side": "side",
    "over": "paths over a limit",
    "excess": "at most, times",
    "median_duration": "duration ×, median",
    "largest_duration": "duration ×, at most",
    "microseconds": "µs",
    "work": "work ×",
}
NOTES = (
    "over a limit: by more than a billionth, as a certificate bounds it; at most: how much longer it has to take",
    f"ours were looked at {RATE:,.0f} times a second as well, and no sample was above a limit",
    "duration ×: ours over toppra's, each pair on one path; toppra's is slowed down until it keeps the limits",
    "work ×: median time of ours over toppra's; both interpolate, plan and make a motion, and ours certifies it",
)


def measure(paths: int) -> Report:
    """Return the report of all kinds of waypoints."""
    missing = machine.absent(PEER)
    rows = [row for kind, draw in KINDS.items() for row in race(kind, draw, paths, not missing)]
    settings: dict[str, Cell] = {"paths of each kind": paths, "arm": "UR10", "seed": SEED}
    claim = "trajectories.retime against toppra, on the same splines and grids"
    return Report("retiming", claim, COLUMNS, rows, settings, missing, NOTES)


def even(rng: np.random.Generator) -> Array:
    """Return 2 to 11 configurations, far apart."""
    return rng.uniform(-2.0, 2.0, (int(rng.integers(2, 12)), 6))


def uneven(rng: np.random.Generator) -> Array:
    """Return 2 to 11 configurations, with steps from a thousandth of a radian to one."""
    steps = rng.normal(size=(int(rng.integers(2, 12)), 6))
    q = np.cumsum(steps * 10.0 ** rng.uniform(-3.0, 0.0, (len(steps), 1)), axis=0)
    return np.asarray(q / max(1.0, float(np.abs(q).max()) / 3.0))


def many(rng: np.random.Generator) -> Array:
    """Return 50 to 199 configurations, a fifth of a radian apart."""
    q = np.cumsum(0.2 * rng.normal(size=(int(rng.integers(50, 200)), 6)), axis=0)
    return np.asarray(q / max(1.0, float(np.abs(q).max()) / 3.0))


KINDS: dict[str, Callable[[np.random.Generator], Array]] = {"far apart": even, "uneven": uneven, "many": many}


def race(kind: str, draw: Callable[[np.random.Generator], Array], paths: int, with_peer: bool) -> list[dict[str, Cell]]:
    """Return a row for each side."""
    say(f"retiming: {paths:,} paths, waypoints {kind}")
    arm = robots.ur10().with_limits(acceleration=[3.0, 3.0, 4.0, 6.0, 6.0, 8.0])
    rng, drawn, ours = np.random.default_rng(SEED), list[Array](), list[Trajectory]()
    while len(ours) < paths:
        q = draw(rng)
        try:
            ours.append(retime(q, arm))
        except ConfigurationError:  # the smooth curve leaves the limits of position
            continue
        drawn.append(q)
        _look(ours[-1])
    rows = [_row(kind, "ours", ours)]
    if not with_peer:
        return rows
    problems = list(zip(drawn, ours, strict=True))
    sides = {"ours": lambda q, planned: retime(q, arm), PEER: lambda q, planned: _plan(planned, arm)}
    timed = in_turn(sides, problems, passes=PASSES)
    spent = {name: side.statistics()["median"] for name, side in timed.items()}
    theirs = [_as_ours(planned, np.array(plan), arm) for planned, plan in zip(ours, timed[PEER].answers, strict=True)]
    kept = [other.duration * max(1.0, other.certificate.excess) for other in theirs]
    ratios = [one.duration / duration for one, duration in zip(ours, kept, strict=True)]
    rows[0] |= {"median_duration": float(np.median(ratios)), "largest_duration": max(ratios)}
    rows[0] |= {"microseconds": spent["ours"], "work": spent["ours"] / spent[PEER]}
    return [*rows, _row(kind, PEER, theirs) | {"microseconds": spent[PEER]}]


def _row(kind: str, side: str, motions: list[Trajectory]) -> dict[str, Cell]:
    excess = [motion.certificate.excess for motion in motions]
    return {"kind": kind, "side": side, "over": sum(factor > 1.0 + 1e-9 for factor in excess), "excess": max(excess)}


def _look(motion: Trajectory) -> None:
    """Look at the limits as a controller would.

    Raises:
        AssertionError: A sample is above one.
    """
    _, _, v, a = motion.sampled(RATE)
    if (np.abs(v) > motion.velocity_limits).any() or (np.abs(a) > motion.acceleration_limits).any():
        raise AssertionError(f"over a limit: {motion.configurations.tolist()}")


def _plan(planned: Trajectory, arm: Chain) -> Any:
    """Return toppra's ṡ on the path of one of ours, at its places."""
    import toppra
    from toppra import algorithm, constraint

    toppra.setup_logging("ERROR")
    v, a = arm.velocity_limits, arm.acceleration_limits
    limits = [
        constraint.JointVelocityConstraint(np.column_stack([-v, v])),
        constraint.JointAccelerationConstraint(np.column_stack([-a, a])),
    ]
    path, spline = (
        toppra.SplineInterpolator(planned.knots, planned.configurations, bc_type="natural"),
        planned._curve.spline,
    )
    if type(spline) is not type(path.cspl):  # beside short steps ours is no natural spline
        path.cspl, path.cspld, path.cspldd = spline, spline.derivative(1), spline.derivative(2)
    planner = algorithm.TOPPRA(limits, path, gridpoints=planned.places, parametrizer="ParametrizeConstAccel")
    if planner.compute_trajectory(0, 0) is None:
        raise ValueError(f"toppra finds no way along {planned.configurations.tolist()}")
    return planner.problem_data.sd_vec


def _as_ours(planned: Trajectory, speeds: Array, arm: Chain) -> Trajectory:
    rows = planned.knots.copy(), planned.configurations.copy(), planned.places.copy(), speeds
    times = np.concatenate([[0.0], np.cumsum(2.0 * np.diff(planned.places) / (speeds[:-1] + speeds[1:]))])
    return Trajectory(arm, *rows, times, arm.velocity_limits.copy(), arm.acceleration_limits.copy())


if __name__ == "__main__":
    main(measure, PATHS, "random paths of each kind")
