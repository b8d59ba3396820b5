"""Initial guess of each waypoint, and the codes of the options of a trace; compiled with follow_waypoints.py."""

from __future__ import annotations

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.joint_ranges import clip

PREVIOUS, AHEAD, FIRST = 0, 1, 2
STOP, SKIP, GO_ON = 0, 1, 2


def place_guess(places: Array, counts: Integers, joints: Array, guess: Array) -> None:
    """Write the initial guess: where the arm is, as far ahead again as it came, or where it was first.

    The places, shape (3, n), are where the arm was first, is, and was before. The counts are the code of the start,
    that of the choice after a failure, and how many waypoints the arm has reached in a row.
    """
    origin = 0 if counts[0] == FIRST else 1
    for i in range(guess.shape[0]):
        guess[i] = places[origin, i]
    if counts[0] == AHEAD and counts[2] >= 2:
        for i in range(guess.shape[0]):
            guess[i] += places[1, i] - places[2, i]
        clip(guess, joints)
