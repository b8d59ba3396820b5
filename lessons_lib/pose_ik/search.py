"""The readable search: start after start until one of them solves the pose. The compiled search does the same."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.initial import MonteCarlo, MultiStart, StayNear
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, turn_back, turn_towards
from lessons_lib.pose_ik.layout import CLAMPED_FROM
from lessons_lib.pose_ik.loop import Walk, follow, look
from lessons_lib.pose_ik.near import stay_near
from lessons_lib.pose_ik.problem import Outcome, Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.rule import squared_error
from lessons_lib.pose_ik.stop import norms
from lessons_lib.pose_ik.weights import has_weights, judged_components, view_of, weights_of


@dataclass
class Best:
    """The lowest score seen within the limits so far, and its configuration; the objective scores a weighted method."""

    q: Array
    score: float = math.inf

    def see(self, walk: Walk, problem: Problem) -> bool:
        """Look through the iterates of a walk; return whether one of them was better than any before."""
        before, judged, weights = self.score, judged_components(problem.method), weights_of(problem.method)
        by_objective = has_weights(problem.method)
        for here in walk.iterates:
            score = problem.stop.score(here.error_twist, judged)
            score = squared_error(here.error, weights) if by_objective else score
            turned = np.empty_like(here.q)
            if score < self.score and turn_back(here.q, walk.iterates[0].q, problem.arm.joints, turned):
                self.q, self.score = turned, score
        return self.score < before


@np.errstate(over="ignore", invalid="ignore")
def search(problem: Problem, target: Array, q0: Array, seed: int, trace: bool = False) -> Outcome:
    """Follow start after start until one solves the pose; report it, or else the best iterate that was seen.

    The first CLAMPED_FROM starts walk through the limits, which whole turns may undo; those after them stop there.

    Args:
        problem: How to solve.
        target: T_sd, shape (4, 4), position in m.
        q0: First start, within the limits, shape (n,), rad or m.
        seed: Of the random starts, not negative.
        trace: Whether to keep the iterates of the reported start.
    """
    if isinstance(problem.initial, StayNear):
        return stay_near(problem, target, q0, seed, trace)
    state = np.empty(2, dtype=np.int64)
    plant(seed, state)
    unreachable = beyond_reach(problem, target)
    attempts = 1 if unreachable else number_of_starts(problem)
    best, reported, solution, outside = Best(q0), None, None, False
    for attempt in range(attempts):
        start = draw_start(problem, target, q0, state) if attempt == 0 else drawn(problem, state)
        joints = problem.arm.joints if attempt >= CLAMPED_FROM else None
        walk = follow(problem.chain, target, start, problem.method, problem.stop, joints)
        better = best.see(walk, problem)
        settled = settle(problem, target, walk, q0) if walk.status is Status.CONVERGED else None
        outside = outside or walk.status is Status.OUTSIDE_LIMITS
        if settled is not None and (solution is None or math.dist(settled, q0) < math.dist(solution, q0)):
            reported, solution = walk, settled
        elif reported is None or (solution is None and better):
            reported = walk
        if settled is not None and not isinstance(problem.initial, MultiStart):
            attempts = attempt + 1
            break
    assert reported is not None  # attempts is at least one
    status = reported.status
    if solution is None and (unreachable or outside):
        status = Status.UNREACHABLE if unreachable else Status.OUTSIDE_LIMITS
    return report(problem, target, reported, status, attempts - 1, best.q if solution is None else solution, trace)


def report(
    problem: Problem, target: Array, walk: Walk, status: Status, restarts: int, q: Array, trace: bool
) -> Outcome:
    """Return the outcome, with the errors that belong to this q."""
    angle, error = norms(judged_error(problem, target, q))
    start = walk.iterates[0].q
    return Outcome(status, walk.steps, restarts, angle, error, q, start, walk.trace() if trace else None)


def settle(problem: Problem, target: Array, walk: Walk, q0: Array) -> Array | None:
    """Return the solution of a walk brought into the limits, or None, with the walk's status, when it is none there.

    MultiStart compares distances from q0: its solutions are turned towards it.
    """
    q = np.empty(problem.chain.dof)
    inside = turn_back(walk.iterates[-1].q, walk.iterates[0].q, problem.arm.joints, q)
    clip(q, problem.arm.joints)
    if isinstance(problem.initial, MultiStart):
        turn_towards(q, q0, problem.arm.joints)
    if problem.stop.reached(judged_error(problem, target, q), judged_components(problem.method)):
        return q
    walk.status = Status.STALLED if inside else Status.OUTSIDE_LIMITS
    return None


def judged_error(problem: Problem, target: Array, q: Array) -> Array:
    """Return the error that is judged at q, shape (6,): V_b, or the split error of a method that masks components."""
    return look(problem.chain, target, q, *view_of(problem.method)).error_twist


def number_of_starts(problem: Problem) -> int:
    """Return how many starts may be made."""
    return problem.initial.starts if isinstance(problem.initial, MultiStart) else 1 + problem.stop.restarts


def drawn(problem: Problem, state: Integers) -> Array:
    """Return a random configuration within the limits."""
    q = np.empty(problem.chain.dof)
    random_configuration(state, problem.arm.joints, q)
    return q


def draw_start(problem: Problem, target: Array, q0: Array, state: Integers) -> Array:
    """Return q0, or with MonteCarlo the configuration of lowest weighted error among q0 and the random samples."""
    samples = problem.initial.samples if isinstance(problem.initial, MonteCarlo) else 0
    weights = weights_of(problem.method)
    best, lowest, candidate = q0, math.inf, q0
    for _ in range(1 + samples if samples else 0):
        error_twist = judged_error(problem, target, candidate)
        error = 0.5 * float(error_twist @ (weights * error_twist))
        if error < lowest:
            best, lowest = candidate, error
        candidate = drawn(problem, state)
    return best


def beyond_reach(problem: Problem, target: Array) -> bool:
    """Return whether the target lies farther from the arm's root than the arm can ever stretch, if position counts."""
    if not judged_components(problem.method)[3:].all():
        return False
    radius, centre = problem.arm.reach[0], problem.arm.reach[1:]
    return bool(math.dist(target[:3, 3], centre) > radius + problem.stop.position)
