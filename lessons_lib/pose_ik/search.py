"""The readable search: start after start until one of them solves the pose. The compiled search does the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, unwrap, wrap
from lessons_lib.pose_ik.layout import CLAMPED_FROM
from lessons_lib.pose_ik.loop import Run, evaluate, iterate
from lessons_lib.pose_ik.near import stay_near
from lessons_lib.pose_ik.problem import Outcome, Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.rule import squared_error
from lessons_lib.pose_ik.starts import BestOf, Near, Nearest, number_of_starts
from lessons_lib.pose_ik.stop import norms
from lessons_lib.pose_ik.weights import counted_components, frame_and_split, has_weights, weights_of


@dataclass
class Best:
    """The lowest score seen within the limits so far, and its configuration; the objective scores a weighted method."""

    q: Array
    score: float = math.inf

    def update(self, run: Run, problem: Problem) -> bool:
        """Take the best iterate of a run, if it is better than any before; return whether it is."""
        before, counted, weights = self.score, counted_components(problem.method), weights_of(problem.method)
        by_objective = has_weights(problem.method)
        for here in run.iterates:
            score = problem.stop.score(here.error_twist, counted)
            score = squared_error(here.error, weights) if by_objective else score
            wrapped = np.empty_like(here.q)
            if score < self.score and wrap(here.q, run.iterates[0].q, problem.arm.joints, wrapped):
                self.q, self.score = wrapped, score
        return self.score < before


@np.errstate(over="ignore", invalid="ignore")
def search(
    problem: Problem,
    target: Array,
    q0: Array,
    seed: int,
    trace: bool = False,
    over: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Iterate from start after start until one solves the pose; report it, or else the best iterate that was seen.

    The first CLAMPED_FROM starts may pass the limits, and are wrapped into them at the end; the steps of those after
    them stop there.

    Args:
        problem: How to solve.
        target: T_sd, shape (4, 4), position in m.
        q0: First start, within the limits, shape (n,), rad or m.
        seed: Of the random starts, not negative.
        trace: Whether to keep the iterates of the reported start.
        over: Asked before each evaluation whether to end there; the best of the first start is then reported.
    """
    if isinstance(problem.starts, Near):
        return stay_near(problem, target, q0, seed, trace, over)
    state = np.empty(2, dtype=np.int64)
    plant(seed, state)
    unreachable = beyond_reach(problem, target)
    attempts = 1 if unreachable else number_of_starts(problem.starts)
    best, reported, solution, outside = Best(q0), None, None, False
    first: Any = None
    for attempt in range(attempts):
        start = draw_start(problem, target, q0, state, over) if attempt == 0 else drawn(problem, state)
        joints = problem.arm.joints if attempt >= CLAMPED_FROM else None
        run = iterate(problem.chain, target, start, problem.method, problem.stop, joints, over)
        better = best.update(run, problem)
        first = (run, best.q) if attempt == 0 else first
        if run.status is Status.OUT_OF_TIME and solution is None:
            return report(problem, target, first[0], Status.OUT_OF_TIME, attempt, first[1], trace)
        found = wrap_solution(problem, target, run, q0) if run.status is Status.CONVERGED else None
        outside = outside or run.status is Status.OUTSIDE_LIMITS
        if found is not None and (solution is None or math.dist(found, q0) < math.dist(solution, q0)):
            reported, solution = run, found
        elif reported is None or (solution is None and better):
            reported = run
        if found is not None and not isinstance(problem.starts, Nearest):
            attempts = attempt + 1
            break
    assert reported is not None  # attempts is at least one
    status = reported.status
    if solution is None and (unreachable or outside):
        status = Status.UNREACHABLE if unreachable else Status.OUTSIDE_LIMITS
    return report(problem, target, reported, status, attempts - 1, best.q if solution is None else solution, trace)


def first_start(problem: Problem, target: Array, q0: Array, seed: int, trace: bool = False) -> Outcome:
    """Report the best of the start at q0 alone, as a search does that has run out of time after it."""
    if isinstance(problem.starts, Near):
        return stay_near(problem, target, q0, seed, trace)
    run = iterate(problem.chain, target, q0, problem.method, problem.stop)
    best = Best(q0)
    best.update(run, problem)
    found = wrap_solution(problem, target, run, q0) if run.status is Status.CONVERGED else None
    if found is not None:
        return report(problem, target, run, Status.CONVERGED, 0, found, trace)
    return report(problem, target, run, Status.OUT_OF_TIME, 0, best.q, trace)


def report(problem: Problem, target: Array, run: Run, status: Status, restarts: int, q: Array, trace: bool) -> Outcome:
    """Return the outcome, with the errors that belong to this q."""
    angle, error = norms(error_at(problem, target, q))
    start = run.iterates[0].q
    return Outcome(status, run.steps, restarts, angle, error, q, start, run.trace() if trace else None)


def wrap_solution(problem: Problem, target: Array, run: Run, q0: Array) -> Array | None:
    """Return the solution of a run wrapped into the limits, or None, with the run's status, when it is none there.

    Nearest compares distances from q0: its solutions are wrapped to be near it.
    """
    q = np.empty(problem.chain.dof)
    inside = wrap(run.iterates[-1].q, run.iterates[0].q, problem.arm.joints, q)
    clip(q, problem.arm.joints)
    if isinstance(problem.starts, Nearest):
        unwrap(q, q0, problem.arm.joints)
    if problem.stop.reached(error_at(problem, target, q), counted_components(problem.method)):
        return q
    run.status = Status.STALLED if inside else Status.OUTSIDE_LIMITS
    return None


def error_at(problem: Problem, target: Array, q: Array) -> Array:
    """Return the error that the tolerances bound, shape (6,): V_b, or the split error of a method that takes it."""
    return evaluate(problem.chain, target, q, *frame_and_split(problem.method)).error_twist


def drawn(problem: Problem, state: Integers) -> Array:
    """Return a random configuration within the limits."""
    q = np.empty(problem.chain.dof)
    random_configuration(state, problem.arm.joints, q)
    return q


def draw_start(
    problem: Problem, target: Array, q0: Array, state: Integers, over: Callable[[], bool] = lambda: False
) -> Array:
    """Return q0, or with BestOf the configuration of lowest weighted error among q0 and the random samples."""
    samples = problem.starts.samples if isinstance(problem.starts, BestOf) else 0
    weights = weights_of(problem.method)
    best, lowest, candidate = q0, math.inf, q0
    for _ in range(1 + samples if samples else 0):
        error_twist = error_at(problem, target, candidate)
        error = 0.5 * float(error_twist @ (weights * error_twist))
        if error < lowest:
            best, lowest = candidate, error
        if over():
            break
        candidate = drawn(problem, state)
    return best


def beyond_reach(problem: Problem, target: Array) -> bool:
    """Return whether the target lies farther from the arm's root than the arm can ever stretch, if position counts."""
    if not counted_components(problem.method)[3:].all():
        return False
    radius, centre = problem.arm.reach[0], problem.arm.reach[1:]
    return bool(math.dist(target[:3, 3], centre) > radius + problem.stop.position)
