"""Where should it start? One start, restarts, Monte Carlo and multi-start on the same poses, with what each costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from lessons_lib import pose_ik
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import BatchResult, MonteCarlo, MultiStart, Stop
from lessons_lib.robots import Chain

__all__ = [
    "compare_starts",
    "misses",
    "starts_as_text",
]

Progress = Callable[[Iterable[str]], Iterable[str]]

STEPS = 30
"""Steps from one start, at most: few steps and many chances."""

WARM_UP = 64
"""Poses that a strategy solves before the clock runs: what it needs is compiled then, for poses it misses as well."""


@dataclass(frozen=True)
class Strategy:
    """A rule of what to do about the first guess: when to give up, and where to begin."""

    stop: Stop
    initial: MonteCarlo | MultiStart | None = None


@dataclass(frozen=True)
class StartRow:
    """What one strategy did.

    Attributes:
        strategy: Its name.
        poses: Number of poses.
        solved: How many were solved.
        mean_starts: Mean number of starts made for a pose, the first among them.
        most_starts: The largest number of starts for one pose.
        samples: Random configurations that were only looked at, for each pose.
        distance: Mean |q − q₀| over the solved, rad: how far the arm must go; None where nothing was solved.
        microseconds: Time for a pose, mean, µs; it depends on the machine.
    """

    strategy: str
    poses: int
    solved: int
    mean_starts: float
    most_starts: int
    samples: int
    distance: float | None
    microseconds: float


def strategies() -> dict[str, Strategy]:
    """Return the strategies that lesson 12 compares, by name; each of them is bounded."""

    def stop(restarts: int) -> Stop:
        return Stop(max_iterations=STEPS, restarts=restarts)

    return {
        "one start": Strategy(stop(0)),
        "up to 10 restarts": Strategy(stop(10)),
        "up to 100 restarts": Strategy(stop(100)),
        "up to 1000 restarts": Strategy(stop(1000)),
        "best of 10 samples": Strategy(stop(0), MonteCarlo(10)),
        "best of 100 samples": Strategy(stop(0), MonteCarlo(100)),
        "best of 1000 samples": Strategy(stop(0), MonteCarlo(1000)),
        "best of 100 samples, up to 100 restarts": Strategy(stop(100), MonteCarlo(100)),
        "nearest of 10 starts": Strategy(stop(0), MultiStart(10)),
        "nearest of 100 starts": Strategy(stop(0), MultiStart(100)),
    }


def compare_starts(chain: Chain, *, poses: int = 1000, seed: int = 12, progress: Progress = iter) -> list[StartRow]:
    """Return what each strategy does with the same random reachable poses, all from the same first guess.

    The first guess is the middle of the joints' ranges, which is no pose's own configuration.

    Args:
        chain: The arm.
        poses: Number of poses.
        seed: Of the poses, and of the strategies' own draws.
        progress: Wraps the names of the strategies while they are worked through, as tqdm does.

    Raises:
        ParameterError: Fewer than one pose.
    """
    if isinstance(poses, bool) or not isinstance(poses, (int, np.integer)) or poses < 1:
        raise ParameterError(f"poses is {poses!r}; at least one pose is needed to compare strategies")
    rng = np.random.default_rng(seed)
    targets = np.array([chain.forward_kinematics(chain.random_configuration(rng)) for _ in range(poses)])
    guess = chain.sampling_limits.mean(axis=1)
    chosen = strategies()
    return [_row(chain, name, chosen[name], targets, guess, seed) for name in progress(list(chosen))]


def misses(chance: float, samples: int) -> float:
    """Return the chance that none of some random samples hits what a single one hits with a given chance, (1 − p)ᴺ.

    Args:
        chance: p, in [0, 1]; zero for a pose that is out of reach.
        samples: N, 0 or more.

    Raises:
        ParameterError: p is no chance, or N no count.
    """
    if not isinstance(chance, (int, float, np.number)) or not 0.0 <= chance <= 1.0:
        raise ParameterError(f"chance is {chance!r}; it is in [0, 1]")
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or samples < 0:
        raise ParameterError(f"samples is {samples!r}; it is a whole number, 0 or more")
    return float(np.exp(samples * np.log1p(-chance))) if chance < 1.0 else float(samples == 0)


def _row(chain: Chain, name: str, strategy: Strategy, targets: Array, guess: Array, seed: int) -> StartRow:
    def solved(poses: Array) -> BatchResult:
        rng = np.random.default_rng(seed)
        return pose_ik.solve_batch(chain, poses, guess, stop=strategy.stop, initial=strategy.initial, rng=rng)

    solved(targets[:WARM_UP])
    begin = time.perf_counter()
    found = solved(targets)
    spent = time.perf_counter() - begin
    distances = np.linalg.norm(found.q[found.converged] - guess, axis=1)
    return StartRow(
        strategy=name,
        poses=len(targets),
        solved=int(found.converged.sum()),
        mean_starts=1.0 + float(found.restarts.mean()),
        most_starts=1 + int(found.restarts.max()),
        samples=strategy.initial.samples if isinstance(strategy.initial, MonteCarlo) else 0,
        distance=float(distances.mean()) if len(distances) else None,
        microseconds=1e6 * spent / len(targets),
    )


def starts_as_text(chain: Chain, rows: list[StartRow]) -> str:
    """Return the rows as an aligned table with a heading, without the times, which are the machine's."""
    titles = ("strategy", "solved", "starts", "most", "samples", "|q − q₀|")
    cells = [titles, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in cells]
    poses = rows[0].poses if rows else 0
    return "\n".join([f"{chain.name}: {poses} random reachable poses from one guess, at most {STEPS} steps", *lines])


def _cells(row: StartRow) -> tuple[str, ...]:
    distance = "-" if row.distance is None else f"{row.distance:.2f}"
    counts = (f"{100.0 * row.solved / row.poses:.1f} %", f"{row.mean_starts:.2f}", str(row.most_starts))
    return (row.strategy, *counts, str(row.samples), distance)
