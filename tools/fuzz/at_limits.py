"""Joints at their limits: is a pose solved whose own configuration stands there?"""

from __future__ import annotations

import numpy as np

from lessons_lib import pose_ik
from lessons_lib.robots import Chain
from tools.fuzz.arms import arm, judge_of
from tools.fuzz.tally import Tally, generator

QUESTION = "Is a target solved, within the limits, whose own configuration has joints exactly at their limits?"
JUDGE = "Pinocchio's forward kinematics, on a model built from the screws"
UNIT = "targets"
CASES = 200

ARMS = ("panda", "tiago", "nine joints", "fifteen joints")
POSES = 250
"""A case is one arm, one number of joints at their limits, and so many targets."""

SOLVED = 0.999
"""The share of a case's targets that shall be solved: of 250, none may be missed."""


def at_limits(chain: Chain, rng: np.random.Generator, joints: int) -> np.ndarray:
    """Return POSES random configurations, `joints` joints of each at one of their limits, shape (POSES, n)."""
    ranges = chain.sampling_limits
    q = np.array([chain.random_configuration(rng) for _ in range(POSES)])
    for row in q:
        chosen = rng.choice(chain.dof, joints, replace=False)
        row[chosen] = ranges[chosen, rng.integers(2, size=joints)]
    return q


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Solve the targets of each case from the zero configuration, with what `solve_batch` does by default."""
    for case in cases:
        rng, chain = generator(seed, case), arm(ARMS[case % len(ARMS)])
        joints = int(rng.integers(1, chain.dof + 1))
        targets = np.array([chain.forward_kinematics(q) for q in at_limits(chain, rng, joints)])
        found = pose_ik.solve_batch(chain, targets, progress=False)
        tally.tried += len(targets)
        share = float(found.converged.mean())
        tally.measure(f"share not solved, {chain.name}", 1.0 - share)
        tally.measure("restarts", float(found.restarts[found.converged].max(initial=0)))
        if share < SOLVED:
            tally.fail(case, f"{chain.name}, {joints} joints at limits: {100 * share:.2f} % of {POSES} solved")
        for what in judge_of(chain).faults(targets, found):
            tally.fail(case, f"{chain.name}, {joints} joints at limits: {what}")
