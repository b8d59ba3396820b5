"""Choose a solution for each waypoint, among all of them, so that no step between two waypoints is large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik import Goal, Solutions, Status, all_solutions
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.goal import check_goal
from lessons_lib.pose_ik.layout import JOINTS, LOWER, PERIOD, UPPER
from lessons_lib.pose_ik.solve_by_branches import make_report
from lessons_lib.pose_ik.weights import has_masked_components
from lessons_lib.robots import Chain
from lessons_lib.trajectories.path import Path

Branches = Literal["best", "shortest"]

FAMILY_SAMPLES = 25
"""Compared solutions of a family, besides those nearest to the solutions of the previous waypoint."""


@dataclass(frozen=True, eq=False, repr=False)
class BranchPath(Path):
    """A path chosen among all solutions of each waypoint.

    >>> from lessons_lib import robots, trajectories
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> trajectories.trace(arm, [arm.forward_kinematics(q)], q, branches="best").complete
    True

    Attributes:
        solutions: All solutions of each waypoint that was tried; empty if a goal leaves directions free.
        by: Criterion of the choice, "best" or "shortest".
    """

    solutions: tuple[Solutions, ...] = field(repr=False)
    by: Branches

    @cached_property
    def largest_move(self) -> float:
        """Largest change of a joint from one waypoint to the next, rad."""
        return float(np.nanmax(self.moves, initial=0.0))

    @cached_property
    def proven(self) -> bool:
        """Whether it is proven that no other choice of branches at these waypoints has a smaller `largest_move`.

        It requires "best", no goal, and complete solutions of each waypoint, which take some milliseconds each.
        """
        return self.by == "best" and bool(self.solutions) and all(one.complete for one in self.solutions)


def trace_branches(arm: Chain, poses: Array, q0: Array | None, by: Branches, skips: bool) -> BranchPath:
    """Return the path through solutions of poses, shape (k, 4, 4), with the least largest step, or the shortest."""
    solutions: list[Solutions] = []
    layers: list[tuple[int, Array]] = []
    before = None if q0 is None else q0[None]
    for i, pose in enumerate(poses):
        solutions.append(all_solutions(arm, pose))
        rows = collect_candidates(solutions[-1], before)
        if len(rows):
            layers.append((i, rows))
            before = rows
        elif not skips:
            break
    chosen = find_best_path([rows for _, rows in layers], q0, by)
    reports = np.zeros((len(solutions), JOINTS + 2 * arm.dof))
    chosen_at = dict(zip((i for i, _ in layers), chosen, strict=True))
    start = here = q0 if q0 is not None else chosen[0] if len(chosen) else arm.limits.mean(axis=1)
    for i, one in enumerate(solutions):
        reports[i] = _waypoint_report(one, chosen_at.get(i), here)
        here = chosen_at.get(i, here)
    return BranchPath(arm, start.copy(), poses, reports, False, tuple(solutions), by)


def collect_candidates(solutions: Solutions, before: Array | None) -> Array:
    """Return solutions of a pose, shape (m, n), unwrapped beside each of the solutions before them."""
    nodes = list(solutions.q)
    for family in solutions.families:
        nodes += [family.at(float(v)) for low, high in family.intervals for v in np.linspace(low, high, FAMILY_SAMPLES)]
        if before is not None:
            nodes += [family.nearest(q) for q in before]
    rows = np.array(nodes).reshape(-1, solutions.arm.dof)
    if before is None or not nodes:
        return rows
    moved = unwrap_all(rows[:, None], before, arm_of(solutions.arm).joints).reshape(-1, solutions.arm.dof)
    return np.unique(moved.round(13), axis=0)


def unwrap_all(q: Array, reference: Array, joints: Array) -> Array:
    """Add whole revolutions to configurations, to come as near to a reference as the limits allow, shape (…, n)."""
    lower, upper, period = joints[:, LOWER], joints[:, UPPER], joints[:, PERIOD]
    turn = np.where(period > 0.0, period, 1.0)
    counts = np.clip(np.rint((reference - q) / turn), np.ceil((lower - q) / turn), np.floor((upper - q) / turn))
    return np.clip(q + counts * period, lower, upper)


def _measure_steps(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the largest joint change and the length of each step from a row of a to a row of b, shapes (j, k)."""
    largest, square = np.zeros((len(a), len(b))), np.zeros((len(a), len(b)))
    for one, other in zip(a.T, b.T, strict=True):
        step = np.abs(other - one[:, None])
        np.maximum(largest, step, out=largest)
        square += step * step
    return largest, np.sqrt(square)


def find_best_path(layers: list[Array], q0: Array | None, by: Branches) -> Array:
    """Return one row of each layer, shape (k, n), that form the best path, by dynamic programming."""
    if not layers:
        return np.empty((0, 0))
    steps = [_measure_steps(a, b) for a, b in zip(layers, layers[1:], strict=False)]
    first = np.zeros((1, len(layers[0]))) if q0 is None else np.abs(layers[0] - q0).max(axis=1)[None]
    length = np.zeros((1, len(layers[0]))) if q0 is None else np.linalg.norm(layers[0] - q0, axis=1)[None]
    worst, lengths = [first, *(largest for largest, _ in steps)], [length, *(size for _, size in steps)]
    bound = np.inf
    if by == "best":
        reach = np.zeros(1)
        for step in worst:
            reach = np.maximum(reach[:, None], step).min(axis=0)
        bound = reach.min() * (1.0 + 1e-12)
    cost, back = np.zeros(1), []
    for step, size in zip(worst, lengths, strict=True):
        total = cost[:, None] + np.where(step <= bound, size, np.inf)
        back.append(total.argmin(axis=0))
        cost = total.min(axis=0)
    at, chosen = int(cost.argmin()), []
    for rows, origins in zip(reversed(layers), reversed(back), strict=True):
        chosen.append(rows[at])
        at = int(origins[at])
    return np.array(chosen[::-1])


def _waypoint_report(solutions: Solutions, q: Array | None, here: Array) -> Array:
    """Return the report of a waypoint, a row as pose_ik/layout.py describes it."""
    arm, status, there = solutions.arm, Status.CONVERGED, q
    if there is None:
        outside = all_solutions(arm, solutions.target, limits=False)
        status, there = Status.OUTSIDE_LIMITS if len(outside) or outside.families else Status.UNREACHABLE, here
    return make_report(arm, solutions.target, there, here, status)


def check_branches(
    arm: Chain, branches: object, goal: Goal | None, others: Mapping[str, object], on_failure: str
) -> Branches:
    """Return the criterion; raise ParameterError for arguments of a search, or an arm that has not six joints."""
    if not isinstance(branches, str) or branches not in ("best", "shortest"):
        raise ParameterError(f"branches must be 'best', 'shortest' or None, got {branches!r}")
    if goal is not None:
        check_goal(goal)
        if goal.intervals is not None:
            raise ParameterError(
                f"branches={branches!r} needs a goal without intervals, got {goal!r}; free a component by a weight of 0"
            )
        if not has_masked_components(goal):
            raise ParameterError(f"branches={branches!r} needs a goal with a free component: leave goal out")
    conflicts = [name for name, value in others.items() if value is not None]
    conflicts += ["on_failure='go on'"] if on_failure == "go on" else []
    if conflicts:
        raise ParameterError(f"branches={branches!r} cannot be combined with {conflicts[0]}, since it does not search")
    if arm.dof != 6:
        raise ParameterError(
            f"branches={branches!r} needs an arm with 6 joints, whose solutions are isolated; {arm.name} has {arm.dof}"
        )
    return "best" if branches == "best" else "shortest"
