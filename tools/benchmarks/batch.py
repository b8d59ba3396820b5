"""A batch: solve_batch on 1 core and on all, against the robotics toolbox's own loop; memory against batch size."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from time import perf_counter_ns
from typing import Any

import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks import machine, sides
from tools.benchmarks.poses import SEED, TOLERANCE, judge, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import no_garbage_collection

POSES = 10_000
PASSES = 5
PEER = "robotics toolbox"
LOOP = "toolbox's loop"
MIB = 2.0**20
DIFFERENT = 2000
"""Poses that the batches of different sizes are made of."""
COLUMNS = {
    "arm": "arm",
    "side": "side",
    "threads": "threads",
    "failed": "failed",
    "false_claims": "false claims",
    "rate": "poses/s",
    "microseconds": "µs a pose",
    "ratio": "×",
    "scaling": "× one thread",
}
NOTES = (
    "failed: not at the target by an independent forward kinematics, within 3e-6 rad and 3e-6 m, or outside the limits",
    (
        "×: how many times as many poses a second as the robotics toolbox's ik_LM (C++, Chan 0.1) called for one "
        "after the other"
    ),
    "that loop has one core: its C++ keeps Python's lock, so threads would not help it",
    f"the sides take turns of the same length; each rate is the median of {PASSES} passes over all poses",
)


def measure(poses: int) -> Report:
    """Return the report of both arms."""
    missing = machine.absent(PEER)
    rows: list[dict[str, Cell]] = []
    series: dict[str, Any] = {}
    for chain in (robots.ur10(), robots.panda()):
        say(f"batch: {chain.name}, {poses:,} poses, {PASSES} passes")
        rows += race(chain, poses, not missing)
        series[chain.name] = {"sizes": [by_size(chain, size) for size in sizes(poses)]}
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    claim = "pose_ik.solve_batch against a loop over the robotics toolbox's C++ ik_LM"
    return Report("batch", claim, COLUMNS, rows, settings, missing, (*NOTES, *memory_notes(series)), series)


def race(chain: Chain, poses: int, with_peer: bool) -> list[dict[str, Cell]]:
    """Return a row for each side."""
    targets, starts = problems(chain, poses)
    ours = {count: partial(pose_ik.solve_batch, chain, targets, starts, threads=count) for count in counts()}
    entered: dict[str, Callable[[], Any]] = {f"solve_batch {count}": call for count, call in ours.items()}
    if with_peer:
        entered[LOOP] = partial(_loop, sides.toolbox_chan(chain), targets, starts)
    rates, answers = take_turns(entered, poses)
    rows: list[dict[str, Cell]] = []
    for count in counts():
        rate = rates[f"solve_batch {count}"]
        result = answers[f"solve_batch {count}"]
        shares = judge(chain, targets, list(zip(result.q, result.converged, strict=True))).shares()
        row: dict[str, Cell] = {"arm": chain.name, "side": "solve_batch", "threads": count, "rate": rate}
        row |= {"microseconds": 1e6 / rate, "scaling": rate / rates[f"solve_batch {min(counts())}"]}
        rows.append({**row, **shares, "ratio": rate / rates[LOOP] if with_peer else None})
    if not with_peer:
        return [*rows, {"arm": chain.name, "side": f"{LOOP} (missing)"}]
    shares = judge(chain, targets, answers[LOOP]).shares()
    row = {"arm": chain.name, "side": LOOP, "threads": 1, "rate": rates[LOOP], "microseconds": 1e6 / rates[LOOP]}
    return [*rows, {**row, **shares}]


def _loop(side: sides.Side, targets: Array, starts: Array) -> list[tuple[Array, bool]]:
    return [side(target, start) for target, start in zip(targets, starts, strict=True)]


def take_turns(entered: dict[str, Callable[[], Any]], poses: int) -> tuple[dict[str, float], dict[str, Any]]:
    """Return poses a second of each side, and its first answer; it runs twice beforehand, to compile and to warm up.

    A quick side repeats its work until its turn has lasted about as long as the slowest one's: on a busy machine short
    measurements may avoid disturbances, long ones do not.
    """
    answers = {name: call() for name, call in entered.items()}
    alone = {name: _seconds(call, 1) for name, call in entered.items()}
    repeats = {name: max(1, round(max(alone.values()) / seconds)) for name, seconds in alone.items()}
    spent: dict[str, list[float]] = {name: [] for name in entered}
    with no_garbage_collection():
        for _ in range(PASSES):
            for name, call in entered.items():
                spent[name].append(_seconds(call, repeats[name]) / repeats[name])
    return {name: poses / float(np.median(seconds)) for name, seconds in spent.items()}, answers


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    begin = perf_counter_ns()
    for _ in range(repeats):
        call()
    return (perf_counter_ns() - begin) / 1e9


def counts() -> list[int]:
    """Return the numbers of threads that are compared: one, two, and one for each core."""
    return sorted({1, 2, int(machine.describe()["cores"])})


def sizes(poses: int) -> list[int]:
    """Return batch sizes from one to ten times the poses, a factor of ten apart."""
    return [10**power for power in range(1 + int(np.log10(10 * poses)))]


def by_size(chain: Chain, size: int) -> dict[str, float]:
    """Return rate and memory of solve_batch as it comes with a batch of this size.

    `working` is what is in use at the worst moment beyond the arguments that were given and the result that is
    returned, MiB, as tracemalloc sees NumPy and Python allocate.
    """
    targets, starts = problems(chain, DIFFERENT)
    spent = []
    for first in range(0, max(DIFFERENT, 3 * size), size):
        rows = np.arange(first, first + size) % DIFFERENT
        some, theirs = targets[rows], starts[rows]
        begin = perf_counter_ns()
        pose_ik.solve_batch(chain, some, theirs)
        spent.append((perf_counter_ns() - begin) / 1e9)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    result = pose_ik.solve_batch(chain, some, theirs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    returned = sum(getattr(result, field.name).nbytes for field in fields(result))
    working = max(peak - before - returned, 1024.0) / MIB  # a KiB is no memory worth telling
    return {
        "size": size,
        "rate": float(f"{size / float(np.mean(spent)):.4g}"),
        "working": round(working, 3),
        "returned": round(returned / MIB, 3),
    }


def memory_notes(series: dict[str, Any]) -> list[str]:
    """Return a line for each arm and batch size: rate, and memory while it works."""
    return [
        f"{arm}, batch of {at['size']:,}: {at['rate']:,.0f} poses/s; {at['working']:.2f} MiB in use beyond arguments "
        f"and result ({at['returned']:.2f} MiB)"
        for arm, measured in series.items()
        for at in measured["sizes"]
    ]


if __name__ == "__main__":
    main(measure, POSES, "random poses of each arm")
