"""The readable search that stays near: a descent, and one more from aside. The compiled one does the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.clamped_steps import hold
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.joint_ranges import bring_near, nudge
from lessons_lib.pose_ik.layout import TIE
from lessons_lib.pose_ik.loop import Run, evaluate, iterate
from lessons_lib.pose_ik.methods import Frame, LevenbergMarquardt
from lessons_lib.pose_ik.problem import Outcome, Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.rule import squared_error
from lessons_lib.pose_ik.starts import Near
from lessons_lib.pose_ik.steps import steps_of
from lessons_lib.pose_ik.stop import norms
from lessons_lib.pose_ik.weights import counted_components, frame_and_split, weights_of


def staying_near(problem: Problem) -> Problem:
    """Return the problem solved near its first guess: the same weights and tolerances, steps that only go downhill."""
    if isinstance(problem.starts, Near):
        return problem
    frame, split = frame_and_split(problem.method)
    derivative: Any = None if split else "geometric" if frame == "space" else "exact"
    descent = LevenbergMarquardt(TrustRegion(), "body" if split else cast(Frame, frame), derivative)
    goal = Goal(getattr(problem.method, "weights", None), getattr(problem.method, "axes", None))
    steps = min(Near().steps, problem.stop.max_iterations)
    return replace(problem, method=goal.of(descent), starts=Near(steps))


def stay_near(
    problem: Problem,
    target: Array,
    q0: Array,
    seed: int,
    trace: bool = False,
    over: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Go downhill from q0 and, where that does not reach the pose, from a place beside its end; report the better one.

    Args:
        problem: How to solve; its strategy is Near.
        target: T_sd, shape (4, 4), position in m.
        q0: First guess, within the limits, shape (n,), rad or m.
        seed: Of the random direction aside, not negative.
        trace: Whether to keep the iterates of the reported descent.
        over: Asked before each step whether to end there.
    """
    assert isinstance(problem.starts, Near)
    stop, joints = replace(problem.stop, max_iterations=problem.starts.steps), problem.arm.joints
    run = iterate(problem.chain, target, q0, problem.method, stop, joints, over)
    q, restarts = end_of(run, q0, joints), 0
    if run.status not in (Status.CONVERGED, Status.OUT_OF_TIME):
        state, aside = np.empty(2, dtype=np.int64), np.empty(problem.chain.dof)
        plant(seed, state)
        nudge(q, joints, state, aside)
        other = iterate(problem.chain, target, aside, problem.method, stop, joints, over)
        there, restarts = end_of(other, q0, joints), 1
        before, after = error_of(run, problem), error_of(other, problem)
        tied = abs(after - before) <= TIE * before
        if (math.dist(there, q0) < math.dist(q, q0)) if tied else after < before:
            run, q = other, there
    angle, distance = norms(evaluate(problem.chain, target, q, *frame_and_split(problem.method)).error_twist)
    iterates = run.trace() if trace else None
    return Outcome(
        status_at(problem, target, q, run), run.steps, restarts, angle, distance, q, run.iterates[0].q, iterates
    )


def end_of(run: Run, q0: Array, joints: Array) -> Array:
    """Return where a descent ended, wrapped to be near q0."""
    q = np.empty(len(q0))
    bring_near(run.iterates[-1].q, run.iterates[0].q, q0, joints, q)
    return q


def error_of(run: Run, problem: Problem) -> float:
    """Return E = ½ VᵀWV where a descent ended."""
    last = run.iterates[-1]
    return math.inf if run.status is Status.NOT_FINITE else squared_error(last.error, weights_of(problem.method))


def status_at(problem: Problem, target: Array, q: Array, run: Run) -> Status:
    """Return what is true of q: reached, a minimum, or how the descent to it ended."""
    steps = steps_of(problem.method)
    here = evaluate(problem.chain, target, q, steps.frame, steps.split)
    if problem.stop.reached(here.error_twist, counted_components(problem.method)):
        return Status.CONVERGED
    if hold(*steps.model(here.jacobian, here.error), q, problem.arm.joints, np.empty(problem.chain.dof)):
        return Status.LOCAL_MINIMUM
    return Status.STALLED if run.status is Status.CONVERGED else run.status
