"""Compile this package for a chain: a trace by each method that has its own compiled code, and `retime`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from lessons_lib.pose_ik.precompile import KINDS
from lessons_lib.robots import Chain
from lessons_lib.robots.kernel_check import product
from lessons_lib.trajectories.certificate import DerivativeBounds
from lessons_lib.trajectories.retiming import limit_rows, squared_speeds
from lessons_lib.trajectories.tracing import trace


def compilations(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the description and the function of each compilation of this package."""
    q = chain.random_configuration(np.random.default_rng(1))
    waypoints = np.array([product(chain.screws, chain.home, q, chain.matrix).T] * 2)
    yield "a path", partial(trace, chain, waypoints, q)
    for name, arguments in KINDS.items():
        yield f"a path {name}", partial(trace, chain, waypoints, q, **arguments)
    yield "a path in time", partial(_compile_retime, chain.dof)


def _compile_retime(joints: int) -> None:
    """Compile the kernels of `retime` without its spline, which needs SciPy."""
    pieces = 2
    first, second = np.ones((3, pieces, joints)), np.zeros((2, pieces, joints))
    no_error = np.zeros((pieces, joints))
    bounds = DerivativeBounds(first, second, no_error, no_error, np.ones(pieces))
    squared_speeds(limit_rows(bounds, np.ones(joints), np.ones(joints)), (0.0, 0.0))
