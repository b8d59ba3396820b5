"""Where each solve of a path begins, and what to do about a failure, as codes that may cross into compiled code.

The trace over a lane compiles it; waypoint_by_waypoint.py calls it.
"""

from __future__ import annotations

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.joint_ranges import clip

PREVIOUS, AHEAD, FIRST = 0, 1, 2
STOP, SKIP, GO_ON = 0, 1, 2


def place_guess(places: Array, counts: Integers, joints: Array, guess: Array) -> None:
    """Write where the next solve begins: where the arm is, as far ahead again as it came, or where it was first.

    Args:
        places: Where the arm was at first, where it is, where it was before, shape (3, n), rad or m.
        counts: Where to start, what to do about a failure, how many waypoints the arm has gone to without one.
        joints: The limits, as `Arm.joints` has them.
        guess: Receives it, shape (n,).
    """
    origin = 0 if counts[0] == FIRST else 1
    for i in range(guess.shape[0]):
        guess[i] = places[origin, i]
    if counts[0] == AHEAD and counts[2] >= 2:
        for i in range(guess.shape[0]):
            guess[i] += places[1, i] - places[2, i]
        clip(guess, joints)
