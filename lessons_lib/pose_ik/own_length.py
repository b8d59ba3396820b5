"""The default method measures an arm by its own length, so that it does nearly the same whatever the unit of length.

Chan's D = λE adds squares of rad and m: what λ = 0.1 means depends on the unit. A method that is named means what was
published, in the unit of the robot. Where none is named, the search is that of the same arm in units of
`Chain.length`: 1 for an arm of some metres, 1024 where it is described in mm. It is a power of 32, so that nothing is
rounded on the way there and back.

Units that are a power of 32 apart lead through the same iterates, bit for bit. In any other λ means more, or less: a
gantry in mm takes as many steps as in m for 96 to 99 of 100 poses, in feet for about half; all are solved in each.

One pose of such an arm takes some microseconds more, to be brought there and back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.layout import CONVERGED, INTERRUPTED, JOINTS, NEEDS_FALLBACK, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import Trace
from lessons_lib.robots import Chain

_chains: WeakKeyDictionary[Chain, Chain] = WeakKeyDictionary()


def in_own_length(problem: Problem) -> Problem:
    """Return the problem of the arm in units of its own length."""
    if problem.unit == 1.0:
        return problem
    chain, stop = _chain_in(problem.chain), problem.stop
    stop = replace(stop, position=stop.position / problem.unit)
    return replace(problem, chain=chain, arm=arm_of(chain), stop=stop, unit=1.0)


def _chain_in(chain: Chain) -> Chain:
    scaled = _chains.get(chain)
    if scaled is None:
        turns = np.array(chain.joint_types) != "prismatic"
        screws, home = chain.screws.copy(), chain.home.copy()
        screws[3:, turns] /= chain.length
        home[:3, 3] /= chain.length
        limits = chain.limits / joint_units(chain, chain.length)[:, None]
        scaled = _chains[chain] = replace(chain, screws=screws, home=home, limits=limits)
    return scaled


def joint_units(chain: Chain, unit: float) -> Array:
    """Return what each joint's coordinate is multiplied with on the way back, shape (n,): the unit where it slides."""
    return np.where(np.array(chain.joint_types) == "prismatic", unit, 1.0)


def poses_in(poses: Array, unit: float) -> Array:
    """Return poses, shape (…, 4, 4), in another unit of length."""
    scaled = poses.copy()
    scaled[..., :3, 3] /= unit
    return scaled


def search_in(problem: Problem, solve_pose: Callable[..., bool]) -> Callable[..., bool]:
    """Return what solves a pose in the unit of the robot, by a search for the arm in units of its own length."""
    unit, units, back = problem.unit, joint_units(problem.chain, problem.unit), report_units(problem)
    lower, upper = problem.chain.limits.T

    def search(pose: Array, start: Array, room: Array, seed: int, report: Array) -> bool:
        if not ((lower <= start) & (start <= upper)).all():  # the tolerance there is one of the robot's own unit
            report[STATUS] = NEEDS_FALLBACK
            return False
        solved = solve_pose(poses_in(pose, unit), start / units, room, seed, report)
        if solved or CONVERGED < report[STATUS] != INTERRUPTED:  # otherwise it holds anything at all
            report *= back
        return solved

    return search


def bring_back(reports: Array, problem: Problem) -> None:
    """Write the numbers of reports, shape (…, 5 + 2 n), in the unit of the robot, in place.

    In the robot's own unit nothing is touched: of a pose that was not tried a report holds anything at all.
    """
    if problem.unit != 1.0:
        reports *= report_units(problem)


def report_units(problem: Problem) -> Array:
    """Return what each number of a report is multiplied with on the way back, shape (5 + 2 n,)."""
    units = joint_units(problem.chain, problem.unit)
    factors = np.concatenate([np.ones(JOINTS), units, units])
    factors[POSITION_ERROR] = problem.unit
    return factors


def trace_back(trace: Trace, problem: Problem) -> Trace:
    """Return a trace in the unit of the robot; its damping is that of the search."""
    twists = trace.error_twists * np.repeat([1.0, problem.unit], 3)
    return Trace.of(trace.q * joint_units(problem.chain, problem.unit), twists, trace.damping, trace.accepted)
