"""Random weights, many of them zero, along the axes of the body, of the base or of the target, on three arms."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pinocchio
from scipy.optimize import least_squares

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    GaussNewton,
    Goal,
    LevenbergMarquardt,
    Method,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    pose,
    solve_batch,
)
from lessons_lib.robots import Chain
from tools.benchmarks.models import PinocchioArm
from tools.fuzz.tally import Tally, generator

QUESTION = "Does a mask mean what it says, and is it met wherever an optimiser can meet it?"
JUDGE = "Pinocchio's kinematics and logarithm; SciPy's least_squares within the limits, from five starts"
UNIT = "poses"
CASES = 200
MASKS = 50
POSES = 10

FRAMES = ("body", "space", "target")
POLICIES = (None, Chan(), Constant(0.01), Wampler(1e-4), Sugihara(1e-4), TrustRegion())
"""Of Levenberg-Marquardt; None is Gauss-Newton."""
KINDS = tuple(product(range(3), FRAMES, POLICIES))
"""An arm, a frame and a policy: what code is compiled for. A case takes one, and the first six meet each of them."""
STOP, STARTS = Stop(max_iterations=300), Restarts(100)
"""Steps enough for a damping that stays: the last bit of the error goes slowly."""
MET = 1e-6 * (1 + 1e-3)
"""The tolerance, and what two libraries round differently."""


@cache
def arms() -> tuple[tuple[Chain, PinocchioArm], ...]:
    """Return the arms, each in both libraries."""
    return tuple((chain, PinocchioArm(chain)) for chain in (robots.planar_2r(), robots.ur10(), robots.panda()))


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Solve some poses for each of many masks a case, with one kind of method on one arm."""
    for case in cases:
        rng = generator(seed, case)
        which, frame, policy = KINDS[11 * case % len(KINDS)]
        method = LevenbergMarquardt(policy) if policy else GaussNewton()
        for _ in range(MASKS):
            fuzz_mask(case, *arms()[which], method, drawn_goal(frame, rng), rng, tally)


def fuzz_mask(
    case: int, chain: Chain, arm: PinocchioArm, method: Method, goal: Goal, rng: np.random.Generator, tally: Tally
) -> None:
    """Solve some poses with one mask."""
    weights, frame = np.array(goal.weights), str(goal.axes or "body")
    targets = np.array([drawn_target(chain, arm, weights, rng) for _ in range(POSES)])
    starts = np.array([chain.random_configuration(rng) for _ in range(POSES)])
    asked: dict[str, Any] = {"goal": goal, "method": method, "starts": STARTS, "stop": STOP}
    answers = solve_batch(chain, targets, starts, rng=rng, threads=1, **asked)
    for q, start, target, converged in zip(answers.q, starts, targets, answers.converged, strict=True):
        tally.tried += 1
        error = masked(arm, q, target, weights, frame)
        if converged:
            worst = float(max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])))
            tally.measure("error over its tolerance", worst / 1e-6)
            if worst > MET or (q < chain.limits[:, 0]).any() or (q > chain.limits[:, 1]).any():
                tally.fail(case, f"{method}, {goal} on {chain.name} has converged {worst:.3g} away, at {q.tolist()}")
        elif arrives(method) and optimiser_finds(chain, arm, target, start, weights, frame, rng):
            tally.fail(case, f"{method}, {goal} on {chain.name} gives up where SciPy does not, on {target.tolist()}")


def arrives(method: Any) -> bool:
    """Return whether a method is one that should give up nowhere: its damping is there when needed, and goes away.

    Without damping, or with one that stays, a singular target or a hard one is missed now and then. What such a method
    calls converged is judged like all else.
    """
    return isinstance(getattr(method, "damping", None), (Chan, TrustRegion))


def drawn_goal(frame: Any, rng: np.random.Generator) -> Goal:
    """Return random weights along some axes, which go with them."""
    while True:
        weights = np.where(rng.random(6) < 0.45, 0.0, 10.0 ** rng.uniform(-1, 1, 6))
        if rng.random() < 0.3:
            weights[3:] = rng.choice([0.0, 1.0])
        if rng.random() < 0.3:
            weights[:3] = rng.choice([0.0, 1.0])
        if not weights.any():
            continue
        try:
            return pose(weights, None if frame == "body" else frame)
        except ParameterError:  # no weight is zero, and axes are named
            assert weights.all()


def drawn_target(chain: Chain, arm: PinocchioArm, weights: Array, rng: np.random.Generator) -> Array:
    """Return a pose that the arm can reach, spoiled in what does not count at all."""
    target = arm.forward_kinematics(chain.random_configuration(rng)).copy()
    if not weights[:3].any():
        target[:3, :3] = pinocchio.exp3(rng.normal(size=3))
    if not weights[3:].any():
        target[:3, 3] = rng.normal(size=3)
    return target


def masked(arm: PinocchioArm, q: Array, target: Array, weights: Array, frame: str) -> Array:
    """Return the components that count of the turn and of the way to the target, along the named axes."""
    T = arm.forward_kinematics(np.array(q))
    axes = {"body": T[:3, :3], "space": np.eye(3), "target": target[:3, :3]}[frame]
    turn = T[:3, :3] @ pinocchio.log3(T[:3, :3].T @ target[:3, :3])  # along the axes of {s}
    error = np.concatenate([axes.T @ turn, axes.T @ (target[:3, 3] - T[:3, 3])])
    return np.where(weights > 0.0, error, 0.0)


def optimiser_finds(
    chain: Chain, arm: PinocchioArm, target: Array, start: Array, weights: Array, frame: str, rng: np.random.Generator
) -> bool:
    """Return whether SciPy meets the mask within the limits, from the start or from one of four others."""
    lower, upper = chain.limits.T
    roots = np.sqrt(np.where(weights > 0.0, 1.0, 0.0))
    for begin in (start, *(chain.random_configuration(rng) for _ in range(4))):
        inside = np.clip(begin, lower + 1e-9, upper - 1e-9)
        found = least_squares(
            lambda q: roots * masked(arm, q, target, weights, frame),
            inside,
            bounds=(lower, upper),
            xtol=1e-14,
            ftol=1e-14,
        )
        error = masked(arm, found.x, target, weights, frame)
        if max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])) < 1e-7:
            return True
    return False
