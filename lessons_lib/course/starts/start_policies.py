"""The start policies that lesson 12 compares, and a bound on random sampling."""

from __future__ import annotations

import numpy as np

from lessons_lib.arrays import is_real, is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import BestOf, Nearest, Restarts, Stop
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.studies.study import Strategy

__all__ = [
    "misses",
    "strategies",
]

STEPS = 30
"""The maximum number of steps from one start, kept small so that many starts are tried."""


def strategies() -> dict[str, Strategy]:
    """Return start policies by name, all with a bounded number of starts and the same guess, the mid-range."""

    def middle(starts: Starts) -> Strategy:
        return Strategy("middle", Stop(max_iterations=STEPS), starts)

    return {
        "one start": middle(Restarts(0)),
        "up to 10 restarts": middle(Restarts(10)),
        "up to 100 restarts": middle(Restarts(100)),
        "up to 1000 restarts": middle(Restarts(1000)),
        "best of 10 samples": middle(BestOf(10, restarts=0)),
        "best of 100 samples": middle(BestOf(100, restarts=0)),
        "best of 1000 samples": middle(BestOf(1000, restarts=0)),
        "best of 100 samples, up to 100 restarts": middle(BestOf(100, restarts=100)),
        "nearest of 10 starts": middle(Nearest(10)),
        "nearest of 100 starts": middle(Nearest(100)),
    }


def misses(chance: float, samples: int) -> float:
    """Return the probability (1 − p)ᴺ that none of N random samples succeeds.

    Args:
        chance: Success probability p of one sample, in [0, 1]; zero for a pose out of reach.
        samples: Number of samples N, nonnegative.

    Raises:
        ParameterError: p is not in [0, 1], or N is not a nonnegative integer.
    """
    if not is_real(chance) or not 0.0 <= chance <= 1.0:
        raise ParameterError(f"chance must be in [0, 1], got {chance!r}")
    if not is_whole(samples) or samples < 0:
        raise ParameterError(f"samples must be a nonnegative integer, got {samples!r}")
    return float(np.exp(samples * np.log1p(-chance))) if chance < 1.0 else float(samples == 0)
