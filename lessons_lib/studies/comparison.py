"""Compare Newton-Raphson, Gauss-Newton and Levenberg-Marquardt on the same poses, starts and stopping rule.

Every method gets one known start, many random starts without restarts, and the same starts with restarts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik import Restarts, Stop
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.robots import Chain
from lessons_lib.studies.method_registry import method
from lessons_lib.studies.study import Study
from lessons_lib.studies.tables import Table, over

__all__ = [
    "Problem",
    "compare",
    "problem",
    "roster",
]

ONE_START = Stop(max_iterations=500)  # without restarts, as Haviland and Corke
MANY_STARTS, RESTARTS = Stop(max_iterations=30), Restarts(100)  # the usual settings of a solver

COLUMNS = {
    "method": "method",
    "known_steps": "known",
    "known_step": "first",
    "solved": "solved",
    "mean_steps": "mean",
    "median_steps": "median",
    "median_step": "step",
    "largest_step": "largest",
    "solved_with_restarts": "restarted",
    "mean_restarts": "restarts",
}


@dataclass(frozen=True)
class Problem:
    """The problem that all methods solve.

    >>> from lessons_lib import studies
    >>> studies.problem("ur10").chain.dof
    6

    Attributes:
        chain: The arm.
        start: The known start, shape (n,), rad: that of Modern Robotics, or the singular home of the UR10.
        target: The target of the known start, shape (4, 4), position in m.
    """

    chain: Chain
    start: Array
    target: Array


def problem(name: str) -> Problem:
    """Return a problem by its name.

    >>> from lessons_lib import studies
    >>> studies.problem("example-6.1").chain
    Chain('planar 2R', 2 joints: RR)

    Args:
        name: "example-6.1" or "ur10"; any other raises ParameterError.
    """
    if name == "example-6.1":
        chain = robots.planar_2r()
        return Problem(chain, np.radians([0.0, 30.0]), chain.forward_kinematics(np.radians([30.0, 90.0])))
    if name == "ur10":
        target = np.eye(4)
        target[:3, 3] = 2.5 * np.array([0.17, 0.09, 0.05])  # the first of the MATLAB library's nine waypoints
        return Problem(robots.ur10(), np.zeros(6), target)
    raise ParameterError(f"problem must be example-6.1 or ur10, got {name!r}")


def roster() -> dict[str, Any]:
    """Return the compared methods by name, each damping rule with the parameters that the literature prints.

    >>> from lessons_lib import studies
    >>> list(studies.roster())[:3]
    ['newton', 'newton-space', 'gauss-newton']
    """
    damped = "constant 0.125", "wampler 0.0001", "wampler 1e-06", "chan 1", "chan 0.1"
    labels = "newton", "newton-space", "gauss-newton", *damped, "sugihara 0.001", "sugihara 0.0001", "trust-region"
    return {" ".join((name, *value)): method(name, *map(float, value)) for name, *value in map(str.split, labels)}


@suggest_arguments
def compare(name: str, *, poses: int = 1000, methods: Mapping[str, Any] | None = None, seed: int = 11) -> Table:
    """Return a table with the results of each method on the same problem.

    Its fields: `method`; `known_steps`, the steps from the known start, None if it did not converge; `known_step`, the
    largest first step of a joint from there, rad; `poses` and `solved`, the numbers of random targets; `mean_steps` and
    `median_steps` of the solved, None if none is; the median (`median_step`) and the maximum (`largest_step`) over all
    targets of the largest step of a joint, rad; `solved_with_restarts` and `mean_restarts`, with up to 100 restarts of
    30 steps.

    >>> from lessons_lib import studies
    >>> studies.compare("example-6.1", poses=5, methods={"chan": studies.method("chan")}).value("poses")
    5

    Args:
        name: "example-6.1" or "ur10".
        poses: Number of random reachable targets, each with one random start within the limits.
        methods: Methods by name, built-in or user-defined; `roster()` by default.
        seed: Seed of the random targets and starts; a `Study` with the same seed has the same ones.

    Raises:
        ParameterError: Unknown problem, or fewer than one pose.
    """
    task, chosen = problem(name), methods or roster()
    if not isinstance(chosen, Mapping):
        raise ParameterError(f"methods must be a mapping from names to methods, got {methods!r}; see studies.roster()")
    rows: list[dict[str, Any]] = []
    targets, starts = Study([task.chain], poses=poses, seed=seed).problems()
    with progress_bar(lambda: len(rows) * poses, len(chosen) * poses, "comparing", None) as tick:
        for label, each in chosen.items():
            rows.append({"method": label, **statistics(task, each, targets, starts)})
            tick()
    return Table(columns=COLUMNS, rows=rows)


def statistics(task: Problem, chosen: Any, targets: Array, starts: Array) -> dict[str, Any]:
    """Return the results of one method: from the known start, from each start once, and with restarts."""
    known, *results = (
        pose_ik.solve(task.chain, T, q, method=chosen, starts=Restarts(0), stop=ONE_START, trace=True)
        for T, q in zip([task.target, *targets], [task.start, *starts], strict=True)
    )
    again = pose_ik.solve_batch(
        task.chain, targets, starts, method=chosen, starts=RESTARTS, stop=MANY_STARTS, rng=np.random.default_rng(0)
    )
    iterations = [one.iterations for one in results if one.converged]
    known_steps, *steps = (np.abs(np.diff(one.trace.q, axis=0)) for one in (known, *results))  # type: ignore[union-attr]
    largest = [float(each.max(initial=0.0)) for each in steps]
    return {
        "known_steps": known.iterations if known.converged else None,
        "known_step": float(known_steps[:1].max(initial=0.0)),
        "poses": len(targets),
        "solved": len(iterations),
        "mean_steps": over(np.mean, iterations),
        "median_steps": over(np.median, iterations),
        "median_step": float(np.median(largest)),
        "largest_step": max(largest),
        "solved_with_restarts": int(again.converged.sum()),
        "mean_restarts": float(again.restarts.mean()),
    }
