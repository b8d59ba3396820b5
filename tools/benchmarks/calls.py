"""Calls: time of one pose with other types of arguments, relative to arrays of doubles and the defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.poses import SEED, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.sides import Side
from tools.benchmarks.timing import STATISTICS, in_turn, ratio

POSES = 1_000
PASSES = 5

Call = Callable[[Chain, Array, Array], pose_ik.Result]


def make_strided(values: Array) -> Array:
    """Return the same values as a view with gaps."""
    wide = np.zeros([2 * size for size in values.shape])
    every_other = tuple(slice(None, None, 2) for _ in values.shape)
    wide[every_other] = values
    return wide[every_other]


def with_target(convert: Callable[[Array], Any]) -> Call:
    """Return a call that converts the target first."""
    return lambda chain, target, start: pose_ik.solve(chain, convert(target), start)


def with_options(**choices: Callable[[], Any]) -> Call:
    """Return a call that creates its options each time."""
    return lambda chain, target, start: pose_ik.solve(
        chain, target, start, **{name: make() for name, make in choices.items()}
    )


def batch_of(count: int) -> Call:
    """Return a call that solves the same pose `count` times in a batch."""
    return lambda chain, target, start: pose_ik.solve_batch(chain, np.tile(target, (count, 1, 1)), start)[0]


CALLS: dict[str, tuple[Call, float | None]] = {
    "arrays of doubles": (with_target(lambda target: target), None),
    "the target as lists": (with_target(np.ndarray.tolist), 8.0),
    "target and start as lists": (lambda chain, T, q: pose_ik.solve(chain, T.tolist(), q.tolist()), 8.0),
    "in Fortran's order": (with_target(np.asfortranarray), 5.0),
    "a view with gaps": (with_target(make_strided), 5.0),
    "float32": (with_target(lambda target: target.astype(np.float32)), 5.0),
    "max_time": (with_options(max_time=lambda: 1.0), 5.0),
    "a Stop made anew": (with_options(stop=pose_ik.Stop), 5.0),
    "a goal made anew": (with_options(goal=pose_ik.position_only), 5.0),
    "a method made anew": (with_options(method=pose_ik.LevenbergMarquardt), 5.0),
    "weights made anew": (with_options(goal=lambda: pose_ik.pose((1, 1, 1, 4, 4, 4))), 5.0),
    "a batch of 1": (batch_of(1), 3.0),
    "a batch of 4": (batch_of(4), 12.0),
    "a batch of 10": (batch_of(10), 13.0),
}
"""Each way to ask, with how many times the first one's time it may take."""

COLUMNS = {
    "arm": "arm",
    "call": "call",
    "unsolved": "unsolved",
    "median": "median µs",
    "median_ratio": "median ×",
    "mean_ratio": "mean ×",
    "goal": "goal ×",
}
NOTES = ("×: how many times as long as with arrays of doubles, making what is given with it; a batch as a whole",)


def measure(poses: int) -> Report:
    """Return the report of both arms."""
    rows: list[dict[str, Cell]] = []
    for chain in (robots.ur10(), robots.panda()):
        say(f"calls: {chain.name}, {poses:,} poses, {PASSES} passes")
        sides = {name: _side(chain, call) for name, (call, _) in CALLS.items()}
        timed = in_turn(sides, list(zip(*problems(chain, poses), strict=True)), passes=PASSES)
        statistics = {name: side.statistics() for name, side in timed.items()}
        first = next(iter(CALLS))
        for name, (_, goal) in CALLS.items():
            ratios = ratio(statistics[name], statistics[first])
            compared = {f"{key}_ratio": ratios[key] for key in STATISTICS if name != first}
            unsolved = sum(not converged for _, converged in timed[name].answers)
            about: dict[str, Cell] = {"arm": chain.name, "call": name, "unsolved": unsolved}
            rows.append({**about, **statistics[name], **compared, "goal": goal})
    settings: dict[str, Cell] = {"poses": poses, "seed": SEED}
    return Report(
        "calls", "pose_ik asked in other ways against arrays of doubles", COLUMNS, rows, settings, notes=NOTES
    )


def _side(chain: Chain, call: Call) -> Side:
    def side(target: Array, start: Array) -> tuple[Array, bool]:
        result = call(chain, target, start)
        return result.q, result.converged

    return side


if __name__ == "__main__":
    main(measure, POSES, "random poses of each arm")
