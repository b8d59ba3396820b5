"""The solves with compiled code of their own, for `lessons warm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from lessons_lib.all_solutions.entry import all_solutions
from lessons_lib.errors import ParameterError
from lessons_lib.lie.checks import check_targets
from lessons_lib.pose_ik.batch import ONE_BY_ONE, solve_batch
from lessons_lib.pose_ik.damping import Chan, TrustRegion
from lessons_lib.pose_ik.goal import pointing, pose, position_only
from lessons_lib.pose_ik.methods import GaussNewton, LevenbergMarquardt, NewtonRaphson
from lessons_lib.pose_ik.one_pose import solve
from lessons_lib.pose_ik.starts import Near
from lessons_lib.robots import Chain
from lessons_lib.robots.kernel_check import product

KINDS: dict[str, dict[str, Any]] = {
    "with Newton's method": {"method": NewtonRaphson()},
    "with Gauss-Newton": {"method": GaussNewton()},
    "with weights": {"goal": pose((1.0, 1.0, 1.0, 2.0, 2.0, 2.0))},
    "in the space frame": {"method": LevenbergMarquardt(Chan(), frame="space")},
    "with the exact derivative": {"method": LevenbergMarquardt(Chan(), derivative="exact")},
    "with a trust region": {"method": LevenbergMarquardt(TrustRegion())},
    "for a position or an orientation alone": {"goal": position_only()},
    "that points a tool": {"goal": pointing((0.0, 0.0, 1.0))},
}
"""Methods and goals with compiled code of their own, besides the default, user-defined methods and intervals."""


def compilations(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield a description and a call for each compilation of this package for a chain."""
    q = chain.random_configuration(np.random.default_rng(1))
    target = product(chain.screws, chain.home, q, chain.matrix).T
    targets = np.tile(target, (ONE_BY_ONE + 1, 1, 1))
    yield "a solve", partial(solve, chain, target, q)
    yield "a batch", partial(solve_batch, chain, targets, q)
    yield "a look at many poses", partial(check_targets, targets, "pose_ik.solve")
    for words, options in KINDS.items():
        yield f"a solve {words}", partial(solve, chain, target, q, **options)
        yield f"a batch {words}", partial(solve_batch, chain, targets, q, **options)
    yield "all its answers", partial(_if_known, all_solutions, chain, target)
    yield "all its answers at a pose that may be singular", partial(_if_known, all_solutions, chain, chain.home)
    goals = {"of a whole pose": None} | {
        words: options["goal"] for words, options in KINDS.items() if "goal" in options
    }
    for words, goal in goals.items():
        prefer = partial(_if_known, solve, chain, target, goal=goal, prefer=q)
        yield f"a solve {words} that prefers a posture", prefer
    far = target.copy()
    far[:3, 3] += 100.0 * chain.length
    yield "a solve out of reach", partial(solve, chain, far)
    yield "a solve that stays near", partial(solve, chain, target, q, starts=Near())
    yield "a trace of a solve", partial(solve, chain, target, q, trace=True)
    yield "the same with Gauss-Newton", partial(solve, chain, target, q, method=GaussNewton(), trace=True)


def _if_known(ask: Callable[..., object], *arguments: Any, **options: Any) -> None:
    """Call a function that does not support all arms."""
    with suppress(ParameterError):
        ask(*arguments, **options)
