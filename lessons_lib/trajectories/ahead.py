"""What following a path compiles for a chain: a trace by the default method, and one by another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from lessons_lib.pose_ik import NewtonRaphson
from lessons_lib.robots import Chain
from lessons_lib.robots.exponentials import product
from lessons_lib.trajectories.tracing import trace


def steps(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what this room compiles for a chain."""
    q = chain.random_configuration(np.random.default_rng(1))
    waypoints = np.array([product(chain.screws, chain.home, q).T] * 2)
    yield "a path", partial(trace, chain, waypoints, q)
    yield "a path with another method", partial(trace, chain, waypoints, q, method=NewtonRaphson())
