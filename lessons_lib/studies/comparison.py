"""Compare Newton-Raphson, Gauss-Newton and Levenberg-Marquardt on the same poses, starts and stopping rule.

Every method gets one known start, many random starts without restarts, and the same starts with restarts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts, Stop
from lessons_lib.robots import Chain
from lessons_lib.studies.matlab_library import ur10_waypoints
from lessons_lib.studies.method_registry import method
from lessons_lib.studies.study import Study
from lessons_lib.studies.tables import markdown_table, text_table

__all__ = [
    "Problem",
    "Row",
    "compare",
    "problem",
    "roster",
]

Progress = Callable[[Iterable[str]], Iterable[str]]

ONE_START = Stop(max_iterations=500)
"""The number of steps of Haviland and Corke, without restarts."""

MANY_STARTS, RESTARTS = Stop(max_iterations=30), Restarts(100)
"""Few steps and many restarts: the usual settings of a solver."""

PROBLEMS = ("example-6.1", "ur10")

_TITLES = {
    "method": ("method", "method"),
    "known_steps": ("known", "steps from the known start"),
    "known_step": ("first", "first step from there [rad]"),
    "solved": ("solved", "solved"),
    "mean_steps": ("mean", "mean steps"),
    "median_steps": ("median", "median steps"),
    "median_step": ("step", "typical largest step [rad]"),
    "largest_step": ("largest", "largest step of all [rad]"),
    "solved_with_restarts": ("restarted", "solved with restarts"),
    "mean_restarts": ("restarts", "mean restarts"),
}
"""Short heading for a terminal, and full heading, of each field."""


@dataclass(frozen=True)
class Problem:
    """The problem that all methods solve.

    Attributes:
        name: "example-6.1" or "ur10".
        chain: The arm.
        start: The known start, shape (n,), rad.
        target: The target of the known start, shape (4, 4), position in m.
        known: Description of the known start.
    """

    name: str
    chain: Chain
    start: Array
    target: Array
    known: str


@dataclass(frozen=True)
class Row:
    """Results of one method.

    Attributes:
        method: Its name.
        known_steps: Steps from the known start; None if it did not converge.
        known_step: Largest first step of a joint from there, rad.
        poses: Number of random targets, each with one random start.
        solved: Number of targets that converged from that start.
        failed: Number of the others.
        mean_steps: Mean number of steps over the solved; None if none is solved.
        median_steps: Median number of steps over the solved; None if none is solved.
        median_step: The median, over all poses, of the largest step of a joint, rad.
        largest_step: The largest step of any joint at any pose, rad.
        solved_with_restarts: Number of targets that converged with up to 100 restarts of 30 steps.
        mean_restarts: Mean number of restarts.
    """

    method: str
    known_steps: int | None
    known_step: float
    poses: int
    solved: int
    failed: int
    mean_steps: float | None
    median_steps: float | None
    median_step: float
    largest_step: float
    solved_with_restarts: int
    mean_restarts: float


def problem(name: str) -> Problem:
    """Return a problem by its name.

    >>> from lessons_lib import studies
    >>> studies.problem("example-6.1").chain
    Chain('planar 2R', 2 joints: RR)

    Args:
        name: "example-6.1" or "ur10".

    Raises:
        ParameterError: Unknown name.
    """
    if name == "example-6.1":
        chain = robots.planar_2r()
        target = chain.forward_kinematics(np.radians([30.0, 90.0]))
        return Problem(name, chain, np.radians([0.0, 30.0]), target, "Modern Robotics' start (0°, 30°)")
    if name == "ur10":
        return Problem(
            name, robots.ur10(), np.zeros(6), ur10_waypoints()[0], "the singular home, to the first of nine waypoints"
        )
    raise ParameterError(f"problem must be {' or '.join(PROBLEMS)}, got {name!r}")


def roster() -> dict[str, Any]:
    """Return the compared methods by name, each damping rule with the parameters that the literature prints.

    >>> from lessons_lib import studies
    >>> list(studies.roster())[:3]
    ['newton', 'newton-space', 'gauss-newton']
    """
    damped = [("constant", 0.125), ("wampler", 1e-4), ("wampler", 1e-6), ("chan", 1.0), ("chan", 0.1)]
    damped += [("sugihara", 1e-3), ("sugihara", 1e-4)]
    methods = {name: method(name) for name in ("newton", "newton-space", "gauss-newton")}
    methods |= {f"{name} {value:g}": method(name, value) for name, value in damped}
    return methods | {"trust-region": method("trust-region")}


def compare(
    name: str,
    *,
    poses: int = 1000,
    methods: Mapping[str, Any] | None = None,
    seed: int = 11,
    progress: Progress = iter,
) -> list[Row]:
    """Return the results of each method on the same problem.

    >>> from lessons_lib import studies
    >>> studies.compare("example-6.1", poses=5, methods={"chan": studies.method("chan")})[0].poses
    5

    Args:
        name: "example-6.1" or "ur10".
        poses: Number of random reachable targets, each with one random start within the limits.
        methods: Methods by name, built-in or user-defined; `roster()` by default.
        seed: Seed of the random targets and starts; a `Study` with the same seed has the same ones.
        progress: Wraps the iterable of method names, as tqdm does.

    Raises:
        ParameterError: Unknown problem, or fewer than one pose.
    """
    task = problem(name)
    targets, starts = Study([task.chain], poses=poses, seed=seed).problems()
    chosen = roster() if methods is None else methods
    return [row(task, label, chosen[label], targets, starts) for label in progress(list(chosen))]


def row(task: Problem, label: str, chosen: Any, targets: Array, starts: Array) -> Row:
    """Return the results of one method: from the known start, from each start once, and with restarts."""
    chain = task.chain
    known = solve_once(chain, task.target, task.start, chosen)
    results = [solve_once(chain, target, start, chosen) for target, start in zip(targets, starts, strict=True)]
    iterations, steps = [one.iterations for one in results if one.converged], [largest_step(one) for one in results]
    again = pose_ik.solve_batch(
        chain, targets, starts, method=chosen, starts=RESTARTS, stop=MANY_STARTS, rng=np.random.default_rng(0)
    )
    solved = len(iterations)
    return Row(
        method=label,
        known_steps=known.iterations if known.converged else None,
        known_step=largest_step(known, first=True),
        poses=len(targets),
        solved=solved,
        failed=len(targets) - solved,
        mean_steps=float(np.mean(iterations)) if solved else None,
        median_steps=float(np.median(iterations)) if solved else None,
        median_step=float(np.median(steps)),
        largest_step=float(np.max(steps)),
        solved_with_restarts=int(again.converged.sum()),
        mean_restarts=float(again.restarts.mean()),
    )


def solve_once(chain: Chain, target: Array, start: Array, chosen: Any) -> pose_ik.Result:
    """Solve from one start without restarts, with a trace."""
    return pose_ik.solve(chain, target, start, method=chosen, starts=Restarts(0), stop=ONE_START, trace=True)


def largest_step(result: pose_ik.Result, first: bool = False) -> float:
    """Return the largest change of a joint in a step (or in the first step) of a traced result, rad or m."""
    assert result.trace is not None  # all callers request the trace
    moves = np.abs(np.diff(result.trace.q[:2] if first else result.trace.q, axis=0))
    return float(np.max(moves, initial=0.0))


def as_text(problem: Problem, rows: Sequence[Row]) -> str:
    """Return a comparison as an aligned table with a heading and an explanation of its columns."""
    lines = [
        [short for short, _ in _TITLES.values()],
        *([_format(getattr(row, name)) for name in _TITLES] for row in rows),
    ]
    return f"""{problem.name}: {problem.chain.name}, {rows[0].poses} random reachable poses, \
solved to {ONE_START.orientation:g} rad and {ONE_START.position:g} m

{text_table(lines)}

known: steps from {problem.known}; first: largest change of a joint in the first of them, rad
solved, mean, median: one random start for each pose, at most {ONE_START.max_iterations} steps
step, largest: largest change of a joint in one step, rad; median and maximum over all poses
restarted: solved with {RESTARTS.count} restarts of {MANY_STARTS.max_iterations} steps; restarts: mean number used"""


def as_markdown(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Return a comparison as a Markdown table.

    Args:
        rows: The rows.
        columns: Names of the fields to show, in order; None for all.
    """
    visible = list(columns or _TITLES)
    lines = [
        [_TITLES[name][1] for name in visible],
        *([_format(getattr(row, name)) for name in visible] for row in rows),
    ]
    return markdown_table(lines, [position > 0 for position in range(len(visible))])


def as_json(problem: Problem, rows: Sequence[Row]) -> str:
    """Return a comparison as one JSON object, null for None."""
    return json.dumps({"problem": problem.name, "rows": [asdict(row) for row in rows]}, indent=2, allow_nan=False)


def _format(value: object) -> str:
    """Return a cell: integers unchanged, a few digits of other numbers, a dash for None."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if value.is_integer() or abs(value) >= 1e4:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"
