"""Targets where solvers break: are the answers honest, and how many of the feasible ones are solved?"""

from __future__ import annotations

import numpy as np

from lessons_lib import lie, pose_ik
from lessons_lib.arrays import Array
from lessons_lib.pose_ik import BatchResult, Restarts
from lessons_lib.robots import Chain
from tools.fuzz.arms import arm, judge_of
from tools.fuzz.tally import Tally, generator

QUESTION = "Is every answer within the limits, finite, and a solution where it says so, and is what is feasible solved?"
JUDGE = "Pinocchio's forward kinematics, on a model built from the screws"
UNIT = "targets"
CASES = 500

ARMS = ("ur10", "panda", "planar 2R", "nine free joints", "on a rail")
KINDS = ("anywhere", "at limits", "singular", "nearly singular", "at the edge", "half a turn away", "far away", "twice")
FEASIBLE = KINDS[:5]
EACH = 1250
"""A case is one arm, and so many targets of each kind: 10,000, so that all cases are a million an arm."""

FEW = Restarts(2)
"""For targets that need not be feasible: a thousand starts for each would take hours."""

SOLVED = 0.998
"""The share of each feasible kind that shall be solved."""

SINGLES = 10
"""Rows of a case that `solve` is asked as well."""


def round_angles(chain: Chain, rng: np.random.Generator) -> Array:
    """Return configurations with about half of the joints at multiples of a quarter turn, shape (EACH, n)."""
    q = np.array([chain.random_configuration(rng) for _ in range(EACH)])
    turning = np.array([kind == "revolute" for kind in chain.joint_types])
    chosen = turning & (rng.random(q.shape) < 0.5)
    quarters = np.round(q / (np.pi / 2)) * (np.pi / 2)
    return np.clip(np.where(chosen, quarters, q), *chain.limits.T)


def at_limits(chain: Chain, rng: np.random.Generator) -> Array:
    """Return configurations with about half of the joints at one of their limits, shape (EACH, n)."""
    q = np.array([chain.random_configuration(rng) for _ in range(EACH)])
    ends = chain.sampling_limits[np.arange(chain.dof), rng.integers(2, size=q.shape)]
    return np.where(rng.random(q.shape) < 0.5, ends, q)


def poses(chain: Chain, configurations: Array) -> Array:
    """Return the poses of configurations."""
    return np.array([chain.forward_kinematics(q) for q in configurations])


def edge(chain: Chain, rng: np.random.Generator) -> Array:
    """Return poses of configurations with every other joint straight, moved away from the base by 1e-9 m or not."""
    q = round_angles(chain, rng)
    q[:, 1::2] = np.clip(0.0, *chain.limits[1::2].T)
    T = poses(chain, q)
    T[:, :3, 3] *= 1.0 + 1e-9 * rng.integers(0, 2, (EACH, 1))
    return T


def targets_of(chain: Chain, kind: str, starts: Array, rng: np.random.Generator) -> Array:
    """Return the targets of one kind, shape (EACH, 4, 4)."""
    match kind:
        case "at limits":
            return poses(chain, at_limits(chain, rng))
        case "singular":
            return poses(chain, round_angles(chain, rng))
        case "nearly singular":
            offsets = 10.0 ** rng.uniform(-12, -3, (EACH, 1)) * rng.choice([-1, 1], (EACH, chain.dof))
            return poses(chain, np.clip(round_angles(chain, rng) + offsets, *chain.limits.T))
        case "at the edge":
            return edge(chain, rng)
        case "half a turn away":
            axes = rng.normal(size=(EACH, 3))
            axes /= np.linalg.norm(axes, axis=1)[:, None]
            turns = [lie.exp_se3([*(np.pi * axis), 0, 0, 0]) for axis in axes]
            return poses(chain, starts) @ np.array(turns)
        case "far away":
            T = poses(chain, starts)
            T[:, :3, 3] *= 10.0 ** rng.uniform(1, 12, (EACH, 1))
            return T
    T = poses(chain, np.array([chain.random_configuration(rng) for _ in range(EACH)]))
    return np.repeat(T[: EACH // 2], 2, axis=0) if kind == "twice" else T


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Ask every kind of target of one arm a case."""
    for case in cases:
        rng, name = generator(seed, case), ARMS[case % len(ARMS)]
        chain = arm(name)
        for kind in KINDS:
            starts = np.array([chain.random_configuration(rng) for _ in range(EACH)])
            targets = targets_of(chain, kind, starts, rng)
            if kind == "twice":
                starts = np.repeat(starts[: len(targets) // 2], 2, axis=0)
            again = Restarts() if kind in FEASIBLE else FEW
            found = pose_ik.solve_batch(chain, targets, starts, starts=again, progress=False)
            tally.tried += len(targets)
            about = f"{name}, {kind}"
            for what in [*judge_of(chain).faults(targets, found), *unequal(chain, targets, starts, again, found, kind)]:
                tally.fail(case, f"{about}: {what}")
            if kind in FEASIBLE:
                share = float(found.converged.mean())
                tally.measure(f"share not solved, {about}", 1.0 - share)
                if share < SOLVED:
                    tally.fail(case, f"{about}: {100 * share:.2f} % of {len(targets)} solved")


def unequal(chain: Chain, targets: Array, starts: Array, again: Restarts, found: BatchResult, kind: str) -> list[str]:
    """Return where one pose alone, or the same pose again, gets another answer."""
    faults = []
    for row in range(0, len(targets), len(targets) // SINGLES):
        single = pose_ik.solve(chain, targets[row], starts[row], starts=again)
        if single.status is not found.status[row] or not np.array_equal(single.q, found.q[row]):
            words = f"solve_batch says {found.status[row].name}, solve {single.status.name}"
            faults.append(f"row {row}: {words}, q {found.q[row].tolist()} and {single.q.tolist()}")
    if kind == "twice" and not np.array_equal(found.q[::2], found.q[1::2]):
        faults.append("the same pose from the same start has two answers")
    return faults
