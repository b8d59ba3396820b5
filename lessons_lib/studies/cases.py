"""One case of a study: which robot, method, start policy and goal, and what each of them is."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import get_args

import numpy as np

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Damping, Restarts, Stop
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain
from lessons_lib.studies.menu import First

__all__ = [
    "Case",
    "Strategy",
]


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(ReadOnly):
    """A policy for starts: where the first one is, what is done about it, and when to give up.

    Attributes:
        first: "random" within the limits, another one for each pose; the "middle" of the joints' ranges; "home", zero
            clipped into the limits; or configurations, shape (n,), or one for each pose, (k, n), rad or m.
        stop: Tolerances and the steps of a start.
        starts: As in `pose_ik.solve`: `Restarts()` allows up to a thousand.

    Raises:
        ParameterError: `first` is another word, or holds something else than numbers.
    """

    first: First | Array = "random"
    stop: Stop = Stop()
    starts: Starts = Restarts()

    def __post_init__(self) -> None:
        """Refuse an unknown word, and keep configurations as numbers."""
        if isinstance(self.first, str):
            if self.first not in get_args(First):
                raise ParameterError(f"first is {self.first!r}; it is {', '.join(get_args(First))} or configurations")
            return
        given = floats(self.first, f"first must be {', '.join(get_args(First))} or configurations", ParameterError)
        given.setflags(write=False)
        object.__setattr__(self, "first", given)

    def first_starts(self, chain: Chain, drawn: Array) -> Array:
        """Return the first starts of some poses, shape (k, n), rad or m.

        Args:
            chain: The robot.
            drawn: A random configuration for each pose, shape (k, n).
        """
        if not isinstance(self.first, str):
            return np.broadcast_to(self.first, drawn.shape)
        if self.first == "random":
            return drawn
        one = chain.sampling_limits.mean(axis=1) if self.first == "middle" else np.clip(0.0, *chain.limits.T)
        return np.broadcast_to(one, drawn.shape)


@dataclass(frozen=True)
class Case:
    """One point of a study's grid, in words.

    Attributes:
        place: Its number, from 0; what the solver draws hangs on the study's seed and on this.
        robot: Name of the robot.
        method: Name of the method.
        damping: The number of its damping, λ, w or τ; None where it has none, or a formula of the reader's.
        strategy: Name of the start policy.
        goal: Name of the goal.
    """

    place: int
    robot: str
    method: str
    damping: float | None
    strategy: str
    goal: str


def damping_of(method: object) -> float | None:
    """Return the number of a method's damping; None where it has none, or a formula of the reader's."""
    policy = getattr(method, "damping", None)
    if policy is None or isinstance(policy, Damping):
        return None
    return float(astuple(policy)[0])
