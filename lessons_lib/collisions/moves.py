"""Continuous collision checking of a straight move in joint space, not at samples alone."""
# While the joints change by Δq, no point of a body moves by more than Σ |Δq_i| ρ_i, where ρ_i is the largest distance
# of the body from the axis of joint i at the beginning: move the joints one after the other, from the base on; then the
# joints behind the moving one, and so the distance of the body from its axis, have not changed. Joints that carry both
# bodies of a pair do not change their distance. A piece of the move is free if the clearance at its middle exceeds the
# motion within half of it; otherwise it is bisected: conservative advancement from the middle in both directions.
# Source: Mirtich, Impulse-based dynamic simulation (1996), §2.3; Schwarzer, Saha and Latombe, Adaptive dynamic
# collision checking, IEEE Transactions on Robotics 21 (2005).

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real, is_whole
from lessons_lib.collisions.module import module
from lessons_lib.collisions.scene import Scene
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments

AT_ONCE = 256
"""Number of pieces in one call."""


@dataclass(frozen=True, eq=False)
class Move:
    """Result of `moves_free`: a straight move from one configuration to another.

    >>> from lessons_lib import collisions, robots
    >>> arm = robots.ur10()
    >>> scene = collisions.Scene(arm, collisions.fitted_links(arm, 0.05), (collisions.sphere([2, 2, 2], 0.1, "far"),))
    >>> collisions.moves_free(scene, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4], [0.4, -1.2, 1.5, -0.6, 1.1, 0.4]).status
    'free'

    Attributes:
        status: "free": all pairs keep more than the margin, proven except for the rounding that `Scene.rounding`
            bounds; "touches": the clearance at q is within the margin; "undecided": the budget is spent, with the least
            clearance at q.
        clearance: For a free move a lower bound on the distance of all pairs at all times, m; else the distance at q.
        q: The configuration with the least clearance seen, shape (n,).
        at: Its place on the move, from 0 to 1.
        pair: The names of the two nearest bodies there; None if the scene has no pairs.
        evaluations: Number of configurations whose distances were computed.
    """

    status: Literal["free", "touches", "undecided"]
    clearance: float
    q: Array
    at: float
    pair: tuple[str, str] | None
    evaluations: int

    @property
    def free(self) -> bool:
        """Whether the move is proven to be free."""
        return self.status == "free"


@suggest_arguments
def moves_free(scene: Scene, begin: ArrayLike, end: ArrayLike, *, margin: float = 0.0, budget: int = 10_000) -> Move:
    """Check whether the arm can move straight in joint space between two configurations without collision.

    >>> from lessons_lib import collisions, robots
    >>> arm = robots.planar_2r()
    >>> scene = collisions.Scene(arm, collisions.fitted_links(arm, 0.05), (collisions.sphere([0, 2, 0], 0.1, "ball"),))
    >>> collisions.moves_free(scene, [0, 0.5], [1, 0.5]).status
    'free'

    Args:
        scene: The arm and its obstacles.
        begin: Shape (n,), rad or m.
        end: Shape (n,), rad or m; a revolute joint rotates by the full difference, not the shorter way.
        margin: Required clearance, m.
        budget: Largest number of configurations whose distances are computed, at least 2. A move whose clearance equals
            the margin uses all of them.

    Raises:
        ConfigurationError: An end has another shape or is not finite.
        ParameterError: The margin is negative or not finite, or the budget is not an integer of at least 2.
    """
    if not isinstance(scene, Scene):
        raise ParameterError(f"scene must be a collisions.Scene(chain, links, obstacles), got a {type(scene).__name__}")
    if not is_whole(budget) or budget < 2:
        raise ParameterError(f"budget must be an integer of at least 2, got {budget!r}")
    if not is_real(margin) or not 0.0 <= margin < np.inf:
        raise ParameterError(f"margin must be finite, zero or more, got {margin!r}")
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
