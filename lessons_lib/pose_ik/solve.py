"""Solve one pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.pose_ik import compiled as compiled_search
from lessons_lib.pose_ik import search as readable_search
from lessons_lib.pose_ik.arguments import check_problem, check_start, check_target, draw_seeds
from lessons_lib.pose_ik.initial import MonteCarlo, MultiStart
from lessons_lib.pose_ik.methods import Method
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain


def solve(
    chain: Chain,
    target: ArrayLike,
    q0: ArrayLike | None = None,
    *,
    method: Method | None = None,
    stop: Stop | None = None,
    rng: np.random.Generator | None = None,
    initial: MonteCarlo | MultiStart | None = None,
    trace: bool = False,
    compiled: bool = True,
) -> Result:
    """Return a configuration that brings the tip to the target, or the best one seen and the reason why not.

    The first start is q0; when it does not lead to the pose within the limits, random starts follow. Failing to
    converge is a status, never an exception, and takes a bounded time. A target that is provably out of reach gets a
    single start.

    Args:
        chain: The arm.
        target: T_sd, the pose that the tip shall have, shape (4, 4), position in m. A rotation with as few as seven
            digits will do; it is replaced by the nearest rotation.
        q0: First start, within the limits, shape (n,), rad or m; the zero configuration, clipped into the limits,
            when left out.
        method: NewtonRaphson, GaussNewton, LevenbergMarquardt, or any object with `step(jacobian, error)`.
            LevenbergMarquardt(damping=Chan(0.1)) when left out.
        stop: Tolerances and bounds; Stop() when left out.
        rng: Where the seed of the random starts is drawn from, one integer a call. Without one the seed is fixed, so
            that the same call gives the same answer.
        initial: MonteCarlo or MultiStart, another strategy for the first guess.
        trace: Whether to keep every iterate of the reported start.
        compiled: Whether the compiled loop may be used; a method of the reader's own always runs in the readable one.

    Returns:
        The result; `result.q` is always within the limits, and the errors are those of this q.

    Raises:
        TransformError: The target is not a pose.
        ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be.
    """
    problem = check_problem(chain, method, stop, initial)
    T_sd, start = check_target(target), check_start(problem, q0)
    seed = int(draw_seeds(rng, 1)[0])
    fast = compiled and compiled_search.can_compile(problem.method)
    found = (compiled_search if fast else readable_search).search(problem, T_sd, start, seed, trace)
    found.q.setflags(write=False)
    return Result(
        q=found.q,
        status=found.status,
        converged=found.status is Status.CONVERGED,
        iterations=found.iterations,
        restarts=found.restarts,
        orientation_error=found.orientation_error,
        position_error=found.position_error,
        trace=found.trace,
    )
