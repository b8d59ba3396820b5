"""Newton-Raphson, Gauss-Newton and Levenberg-Marquardt with the same poses, starts and rule to stop.

Every method gets one known start, many random ones with no second chance, and the same ones with restarts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts, Stop
from lessons_lib.robots import Chain
from lessons_lib.studies.matlab_library import ur10_waypoints
from lessons_lib.studies.menu import method
from lessons_lib.studies.study import Study

__all__ = [
    "Problem",
    "Row",
    "compare",
    "problem",
    "roster",
]

Progress = Callable[[Iterable[str]], Iterable[str]]

ONE_START = Stop(max_iterations=500)
"""As many steps as Haviland and Corke allow, and no second chance."""

MANY_STARTS, RESTARTS = Stop(max_iterations=30), Restarts(100)
"""Few steps, many chances: how a solver is used."""

PROBLEMS = ("example-6.1", "ur10")


@dataclass(frozen=True)
class Problem:
    """What every method is asked to do.

    Attributes:
        name: "example-6.1" or "ur10".
        chain: The arm.
        start: The known start, shape (n,), rad.
        target: The target of the known start, shape (4, 4), position in m.
        known: The known start, in words.
    """

    name: str
    chain: Chain
    start: Array
    target: Array
    known: str


@dataclass(frozen=True)
class Row:
    """What one method did.

    Attributes:
        method: Its name.
        known_steps: Steps from the known start; None when it did not converge.
        known_step: Largest first step of a joint from there, rad.
        poses: Number of random targets, each with one random start.
        solved: How many were solved from that one start.
        failed: How many were not.
        mean_steps: Mean number of steps over the solved; None when there is none.
        median_steps: Median number of steps over the solved; None when there is none.
        median_step: The median, over all poses, of the largest step of a joint, rad.
        largest_step: The largest step of any joint at any pose, rad.
        solved_with_restarts: How many were solved with up to 100 restarts of 30 steps.
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

    Raises:
        ParameterError: An unknown name.
    """
    if name == "example-6.1":
        chain = robots.planar_2r()
        target = chain.forward_kinematics(np.radians([30.0, 90.0]))
        return Problem(name, chain, np.radians([0.0, 30.0]), target, "Modern Robotics' start (0°, 30°)")
    if name == "ur10":
        return Problem(
            name, robots.ur10(), np.zeros(6), ur10_waypoints()[0], "the singular home, to the first of nine waypoints"
        )
    raise ParameterError(f"unknown problem {name!r}; valid are {' and '.join(PROBLEMS)}")


def roster() -> dict[str, Any]:
    """Return the methods that are compared, by name, each damping at the values that the literature prints."""
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
    """Return what each method does with the same problem.

    Args:
        name: "example-6.1" or "ur10".
        poses: Number of random reachable targets, each with one random start within the limits.
        methods: Methods by name, those of the reader's own among them; `roster()` when left out.
        seed: Of the random targets and starts; a `Study` with the same seed has the same ones.
        progress: Wraps the names of the methods while they are worked through, as tqdm does.

    Raises:
        ParameterError: An unknown problem, or fewer than one pose.
    """
    question = problem(name)
    targets, starts = Study([question.chain], poses=poses, seed=seed).problems()
    chosen = roster() if methods is None else methods
    return [row(question, label, chosen[label], targets, starts) for label in progress(list(chosen))]


def row(question: Problem, label: str, chosen: Any, targets: Array, starts: Array) -> Row:
    """Return what one method does with the known start, with each start once, and with restarts."""
    chain = question.chain
    known = pose_ik.solve(
        chain, question.target, question.start, method=chosen, trace=True, starts=Restarts(0), stop=ONE_START
    )
    iterations, converged, steps = one_start(chain, chosen, targets, starts)
    again = pose_ik.solve_batch(
        chain, targets, starts, method=chosen, starts=RESTARTS, stop=MANY_STARTS, rng=np.random.default_rng(0)
    )
    solved = int(converged.sum())
    return Row(
        method=label,
        known_steps=known.iterations if known.converged else None,
        known_step=largest_step(known, first=True),
        poses=len(targets),
        solved=solved,
        failed=len(targets) - solved,
        mean_steps=float(iterations[converged].mean()) if solved else None,
        median_steps=float(np.median(iterations[converged])) if solved else None,
        median_step=float(np.median(steps)),
        largest_step=float(np.max(steps)),
        solved_with_restarts=int(again.converged.sum()),
        mean_restarts=float(again.restarts.mean()),
    )


def solve_once(chain: Chain, target: Array, start: Array, chosen: Any) -> pose_ik.Result:
    """Return what one method does from one start, with its trace."""
    return pose_ik.solve(chain, target, start, method=chosen, starts=Restarts(0), stop=ONE_START, trace=True)


def one_start(chain: Chain, chosen: Any, targets: Array, starts: Array) -> tuple[Array, NDArray[np.bool_], Array]:
    """Return, for each pose, the steps taken, whether they converged, and the largest step of a joint in rad."""
    results = [solve_once(chain, target, start, chosen) for target, start in zip(targets, starts, strict=True)]
    iterations = np.array([result.iterations for result in results], dtype=np.float64)
    converged = np.array([result.converged for result in results], dtype=np.bool_)
    return iterations, converged, np.array([largest_step(result) for result in results])


def largest_step(result: pose_ik.Result, first: bool = False) -> float:
    """Return the largest change of a joint in one step (or in the first step only) of a traced result, rad or m."""
    assert result.trace is not None  # every caller asked for the trace
    moves = np.abs(np.diff(result.trace.q[:2] if first else result.trace.q, axis=0))
    return float(np.max(moves, initial=0.0))
