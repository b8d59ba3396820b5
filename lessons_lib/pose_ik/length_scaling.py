"""Characteristic length scaling: the default method gives nearly the same result in every unit of length."""
# Chan's D = λE adds rad² and m², so the meaning of λ depends on the unit. The default search therefore runs on the same
# arm in units of `Chain.length`, a power of 32, which scales without rounding. Any other method uses the robot's unit.
# Weights cannot replace the scaling, because D would stay too large for prismatic joints (a gantry in mm would fail).

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
from lessons_lib.pose_ik.weights import intervals_of
from lessons_lib.robots import Chain

_chains: WeakKeyDictionary[Chain, Chain] = WeakKeyDictionary()


def scale_problem(problem: Problem) -> Problem:
    """Return the problem in units of the arm's characteristic length."""
    if problem.unit == 1.0:
        return problem
    chain, stop = _scale_chain(problem.chain), problem.stop
    stop = replace(stop, position=stop.position / problem.unit)
    method, intervals = problem.method, intervals_of(problem.method)
    if intervals is not None:
        method = replace(method, intervals=intervals.in_unit(problem.unit))  # type: ignore[type-var]
    return replace(problem, chain=chain, arm=arm_of(chain), method=method, stop=stop, unit=1.0)


def _scale_chain(chain: Chain) -> Chain:
    scaled = _chains.get(chain)
    if scaled is None:
        rotates = np.array(chain.uncoupled.joint_types) != "prismatic"
        screws, home = chain.screws.copy(), chain.home.copy()
        screws[3:, rotates] /= chain.length
        home[:3, 3] /= chain.length
        units = joint_units(chain, chain.length)
        limits, coupling = chain.limits / units[:, None], chain.coupling
        if coupling is not None:
            coupling = coupling.in_units(joint_units(chain.uncoupled, chain.length), units)
        scaled = _chains[chain] = replace(chain, screws=screws, home=home, limits=limits, coupling=coupling)
    return scaled


def joint_units(chain: Chain, unit: float) -> Array:
    """Return the factor from scaled to the caller's joint values, shape (n,): `unit` for a prismatic joint, else 1."""
    return np.where(np.array(chain.joint_types) == "prismatic", unit, 1.0)


def scale_poses(poses: Array, unit: float) -> Array:
    """Return poses, shape (…, 4, 4), in another unit of length."""
    scaled = poses.copy()
    scaled[..., :3, 3] /= unit
    return scaled


def scale_search(problem: Problem, solve_pose: Callable[..., bool]) -> Callable[..., bool]:
    """Wrap the search of the scaled arm as a search in the caller's unit."""
    unit, units, factors = problem.unit, joint_units(problem.chain, problem.unit), report_units(problem)
    lower, upper = problem.chain.limits.T

    def search(pose: Array, start: Array, scratch: Array, seed: int, report: Array) -> bool:
        if not ((lower <= start) & (start <= upper)).all():  # LIMIT_TOLERANCE is in the caller's unit
            report[STATUS] = NEEDS_FALLBACK
            return False
        solved = solve_pose(scale_poses(pose, unit), start / units, scratch, seed, report)
        if solved or CONVERGED < report[STATUS] != INTERRUPTED:  # otherwise the report is uninitialized
            report *= factors
        return solved

    return search


def unscale_reports(reports: Array, problem: Problem) -> None:
    """Convert reports, shape (…, 5 + 2 n), to the caller's unit, in place."""
    if problem.unit != 1.0:  # an uninitialized report may contain any bits: do not multiply it by 1
        reports *= report_units(problem)


def report_units(problem: Problem) -> Array:
    """Return the factor from the scaled to the caller's unit for each number of a report, shape (5 + 2 n,)."""
    units = joint_units(problem.chain, problem.unit)
    factors = np.concatenate([np.ones(JOINTS), units, units])
    factors[POSITION_ERROR] = problem.unit
    return factors


def unscale_trace(trace: Trace, problem: Problem) -> Trace:
    """Return a trace in the caller's unit; its damping stays that of the scaled problem."""
    twists = trace.error_twists * np.repeat([1.0, problem.unit], 3)
    return Trace.of(trace.q * joint_units(problem.chain, problem.unit), twists, trace.damping, trace.accepted)
