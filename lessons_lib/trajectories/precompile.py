"""What following a path compiles for a chain: a trace by each method that has compiled code of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from lessons_lib.pose_ik.precompile import KINDS
from lessons_lib.robots import Chain
from lessons_lib.robots.exponentials import product
from lessons_lib.trajectories.retiming import retime
from lessons_lib.trajectories.tracing import trace


def compilations(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what this package compiles for a chain."""
    q = chain.random_configuration(np.random.default_rng(1))
    waypoints = np.array([product(chain.screws, chain.home, q).T] * 2)
    yield "a path", partial(trace, chain, waypoints, q)
    for words, asked in KINDS.items():
        yield f"a path {words}", partial(trace, chain, waypoints, q, **asked)
    yield "a path in time", partial(retime, [q, 0.9 * q], chain, velocity=1.0, acceleration=1.0)
