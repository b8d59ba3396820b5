"""All configurations of a pose, beside the surfaces where answers come together: is one missing that is there?"""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.fuzz.tally import Tally, generator

QUESTION = "Are all configurations of a pose found beside singular poses, and is none called complete that is not?"
JUDGE = "Newton's method on the product of exponentials in 40 digits, begun at the configuration behind the pose"
UNIT = "poses"
CASES = 2000

POSES = 4
"""A case is one arm, one surface, and so many poses at distances of 1e-16 to 1e-3 rad from it."""

DIGITS, STEPS = 40, 60
SAME = 1e-6
"""Two configurations that are nearer are one, rad."""

FAR = 1e-12
"""The largest entry of an answer's error, rad and m."""

PUMA_560 = (
    (0.0, math.pi / 2, 0.6718),
    (0.4318, 0.0, 0.0),
    (0.0203, -math.pi / 2, 0.15005),
    (0.0, math.pi / 2, 0.4318),
    (0.0, -math.pi / 2, 0.0),
    (0.0, 0.0, 0.0),
)
"""Rows (a, α, d), m and rad, standard convention. Source: Corke and Armstrong-Hélouvry (1994)."""

AROUND = [(-math.pi, math.pi)] * 6


def arms() -> list[tuple[Chain, dict[int, float]]]:
    """Return the arms, with the joints at whose values (and half a turn on) answers come together."""
    ur10 = robots.ur10().with_limits(position=AROUND)
    puma = robots.from_dh(PUMA_560, "standard", limits=AROUND, name="PUMA 560")
    from_tip = robots.from_screws(
        -puma.screws[:, ::-1], np.linalg.inv(puma.home), limits=AROUND, name="PUMA from the tip"
    )
    elbow = -math.atan2(0.4318, 0.0203)
    return [(ur10, {2: 0.0, 4: 0.0}), (puma, {2: elbow, 4: 0.0}), (from_tip, {3: elbow, 1: 0.0})]


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Ask for all solutions of poses beside a surface, and look for the configuration behind each."""
    known = arms()
    for case in cases:
        rng, (chain, surfaces) = generator(seed, case), known[case % len(known)]
        for _ in range(POSES):
            q = rng.uniform(-math.pi, math.pi, 6)
            for joint, value in surfaces.items():
                if rng.random() < 0.6:
                    q[joint] = value + rng.choice([0.0, math.pi]) + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-16, -3)
            tally.tried += 1
            for what in faults(chain, q, tally):
                tally.fail(case, f"{chain.name} at {q.tolist()}: {what}")


def faults(chain: Chain, q: Array, tally: Tally) -> list[str]:
    """Return what is wrong with the answers to the pose of a configuration."""
    solutions = pose_ik.all_solutions(chain, chain.forward_kinematics(q))
    found = []
    answers = list(solutions.q)
    for i, one in enumerate(answers):
        if not np.isfinite(one).all():
            found.append("an answer that is not finite")
        if any(apart(one, other) < 1e-9 for other in answers[:i]):
            found.append("one answer twice")
    residual = float(solutions.residual.max(initial=0.0))
    tally.measure(f"largest error of an answer, {chain.name}", residual)
    if not residual < FAR:
        found.append(f"an answer that is off by {residual:.1e}")
    exact = refined(chain, solutions.target, q)
    if exact is None:
        return found
    answers += [family.nearest(exact) for family in solutions.families]
    if min((apart(one, exact) for one in answers), default=math.inf) > SAME:
        merged = 1 < int(solutions.multiplicity.max(initial=1)) or solutions.families
        if solutions.complete or not merged:
            found.append(f"{exact.tolist()} is missing, complete: {solutions.complete}")
    return found


def apart(a: Array, b: Array) -> float:
    """Return how far two configurations are apart, the largest joint, whole turns left out, rad."""
    return float(np.abs(np.remainder(a - b + math.pi, 2 * math.pi) - math.pi).max())


def refined(chain: Chain, target: Array, q: Array) -> Array | None:
    """Return the exact answer beside a configuration, or None where Newton's method finds none there."""
    with mpmath.workdps(DIGITS):
        T, at = nearest_pose(target), [mpmath.mpf(float(x)) for x in q]
        for _ in range(STEPS):
            R, p, columns = kinematics(chain, at)
            E = T[0] * R.T
            turn = [(E[2, 1] - E[1, 2]) / 2, (E[0, 2] - E[2, 0]) / 2, (E[1, 0] - E[0, 1]) / 2]
            error = mpmath.matrix([*turn, *(T[1] - p)])
            if mpmath.norm(error) < mpmath.mpf(10) ** (8 - DIGITS):
                there = np.array([float(x) for x in at])
                return there if apart(there, q) < 0.1 else None
            try:
                step = mpmath.lu_solve(columns, error)
            except ZeroDivisionError:
                return None
            if mpmath.norm(step) > 1:
                return None
            at = [x + d for x, d in zip(at, step, strict=True)]
    return None


def nearest_pose(target: Array) -> tuple[Any, Any]:
    """Return the exact target, the nearest rotation by Newton's iteration, and the place."""
    R = mpmath.matrix(target[:3, :3].tolist())
    for _ in range(8):
        R = (R + mpmath.inverse(R).T) / 2
    return R, mpmath.matrix(target[:3, 3].tolist())


def kinematics(chain: Chain, q: list[Any]) -> tuple[Any, Any, Any]:
    """Return rotation and place of the tip, and the columns that turn and move it, by Rodrigues' formula."""
    R, p, axes = mpmath.eye(3), mpmath.matrix(3, 1), []
    for screw, angle in zip(chain.screws.T.tolist(), q, strict=True):
        w, v = mpmath.matrix(screw[:3]), mpmath.matrix(screw[3:])
        w = w / mpmath.norm(w)
        point = cross(w, v)
        axis = R * w
        axes.append((axis, R * point + p))
        K = mpmath.matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        turn = mpmath.eye(3) + mpmath.sin(angle) * K + (1 - mpmath.cos(angle)) * K * K
        p = p + R * (point - turn * point)
        R = R * turn
    home, _ = nearest_pose(chain.home)
    tip = R * mpmath.matrix(chain.home[:3, 3].tolist()) + p
    columns = mpmath.matrix(6, len(q))
    for j, (axis, point) in enumerate(axes):
        columns[:, j] = mpmath.matrix([*axis, *cross(axis, tip - point)])
    return R * home, tip, columns


def cross(a: Any, b: Any) -> Any:
    """Return a × b."""
    return mpmath.matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
