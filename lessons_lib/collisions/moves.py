"""Continuous collision checking: whether a straight move of the joints touches anything, not at samples alone.

No point of a body moves by more than Σ |Δq_i| ρ_i while the joints change by Δq, where ρ_i is how far the body reaches
from the axis of joint i at the beginning: let the joints move one after the other, from the base on. While one moves,
those behind it still stand as they did, so the body is as far from its axis as it was. Joints that carry both bodies of
a pair change nothing.

So where the middle of a piece of the move has more room than its bodies move within half of it, the whole piece is
free; otherwise it is halved. That is conservative advancement, from the middle both ways.

Source: Mirtich, Impulse-based dynamic simulation (1996), §2.3; Schwarzer, Saha and Latombe, Adaptive dynamic collision
checking for single and multiple robots, IEEE Transactions on Robotics 21 (2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real, is_whole
from lessons_lib.collisions.module import module
from lessons_lib.collisions.scene import Scene
from lessons_lib.errors import ParameterError

AT_ONCE = 256
"""Pieces that are looked at in one call."""


@dataclass(frozen=True, eq=False)
class Move:
    """What is known of a straight move from one configuration to another.

    Attributes:
        status: "free": nothing comes nearer than the margin, which is proven but for the rounding that `Scene.rounding`
            bounds; "touches": something does at q; "undecided": the budget was spent, nearest to a decision at q.
        clearance: No pair is nearer at any time of a free move, m: a bound, and no more than the true least distance;
            else the distance at q.
        q: The configuration that decided: of a free move the one with the least room that was seen, shape (n,).
        at: Where on the move that is, from 0 to 1.
        pair: The names of the two bodies that were nearest there; None where the scene has no pairs.
        looked: At how many configurations the distances were worked out.
    """

    status: Literal["free", "touches", "undecided"]
    clearance: float
    q: Array
    at: float
    pair: tuple[str, str] | None
    evaluations: int

    @property
    def free(self) -> bool:
        """Whether the move is known to be free."""
        return self.status == "free"


def moves_free(scene: Scene, begin: ArrayLike, end: ArrayLike, *, margin: float = 0.0, budget: int = 10_000) -> Move:
    """Return whether the arm can go straight from one configuration to another, in joint space, without touching.

    Args:
        scene: The arm and what it must not touch.
        begin: Shape (n,), rad or m.
        end: Shape (n,), rad or m; a revolute joint turns as far as the numbers say, not the shorter way round.
        margin: What room must be left, m: the certificate is at least that.
        budget: At how many configurations distances may be worked out, at least 2. A move that passes at the very
            margin takes as many as there are.

    Raises:
        ConfigurationError: An end has another shape or is not finite.
        ParameterError: The margin is negative or not finite, or the budget is no whole number from 2.
    """
    if not isinstance(scene, Scene):
        raise ParameterError(
            f"scene is a {type(scene).__name__}; make one with collisions.Scene(chain, links, obstacles)"
        )
    if not is_whole(budget) or budget < 2:
        raise ParameterError(f"budget is {budget!r}; it is a whole number, at least 2")
    if not is_real(margin) or not 0.0 <= margin < np.inf:
        raise ParameterError(f"margin is {margin!r}; it must be zero or more")
    start, stop = scene.chain.check_configuration(begin), scene.chain.check_configuration(end)
    change, evaluations, least = stop - start, 0, float(margin)
    pieces, summary = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5]]), np.array([np.inf, 0.0, -1.0, np.inf])
    status: Literal["free", "touches", "undecided"] = "free"
    while len(pieces):
        now = pieces[: min(AT_ONCE, budget - evaluations)]
        if len(now) < min(AT_ONCE, len(pieces)):
            status = "undecided"
            break
        distance, motion = scene.distances_and_motion(start + now[:, :1] * change, np.abs(change))
        evaluations, halves = evaluations + len(now), np.empty((2 * len(now), 2))
        count = module().bisect_pieces(now, distance, motion, scene.rounding, least, summary, halves)
        if summary[0] <= least:
            status = "touches"
            break
        pieces = np.concatenate([pieces[len(now) :], halves[:count]])
    room, at, pair, proven = summary.tolist()
    q = start + at * change
    q.setflags(write=False)
    names = scene.pairs[int(pair)] if pair >= 0 else None
    return Move(status, proven if status == "free" else room, q, at, names, evaluations)
