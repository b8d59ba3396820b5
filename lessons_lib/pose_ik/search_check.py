"""A check of each compiled search before its first use: started at a solution, it must converge without a step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import KinematicsError
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.problem import FLOOR, Problem, Stop
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.robots import Chain
from lessons_lib.robots.kernel_check import product, sample_configurations

LONGEST = 1e140
"""Largest distance, m, at which the search is checked: the square of a longer one's rounding overflows."""

Search = Callable[[Problem, Array, Array], Array]

FARTHEST = 1e4
"""A tenth of the largest angle of the kernels' sines, rad (or m); no check is made beyond it."""


def check_search(search: Search, chain: Chain, what: str, method: StepMethod) -> None:
    """Raise KinematicsError unless a compiled search that starts at a solution reports it, within rounding."""
    # `search` maps a problem, a target and a first start to a report; `what` names it in the message
    starts = np.clip(sample_configurations(*chain.sampling_limits.T), *chain.limits.T)
    known = [product(chain.screws, chain.home, q, chain.matrix) for q in starts if np.abs(q).max() < FARTHEST]
    known = [there for there in known if there.distance < LONGEST]
    targets = [check_target(there.T) for there in known]
    rounded = max((float(np.abs(T - there.T).max()) for T, there in zip(targets, known, strict=True)), default=0.0)
    angle = max((there.angle for there in known), default=1.0) + 4.0 * rounded  # M may have been typed with few digits
    distance = max((there.distance for there in known), default=1.0) * (1.0 + 4.0 * rounded)
    stop = Stop(
        angle,
        max(distance, FLOOR * arm_of(chain).size),  # limits may let the tip go much farther than these places
        max_iterations=1,
    )
    problem = check_problem(chain, method, stop, Restarts(0))
    for target, there in zip(targets, known, strict=True):
        _refuse_unless_there(search(problem, target, there.q), there.q, stop, what)


def _refuse_unless_there(report: Array, q: Array, stop: Stop, what: str) -> None:
    solved = report[layout.STATUS] == layout.CONVERGED and report[layout.ITERATIONS] == 0.0
    if not (solved and np.array_equal(report[layout.JOINTS : layout.JOINTS + len(q)], q)):
        raise KinematicsError(
            f"the derived kinematics of {what} differ from the product of exponentials by more than "
            f"{stop.orientation:.2g} rad or {stop.position:.2g} in length, so the chain is not solved. "
            f"q = {np.round(q, 6).tolist()}"
        )
