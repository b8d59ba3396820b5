"""Conservative advancement: judge a piece of a move from its middle as free, in contact, or to be halved."""

from __future__ import annotations

from lessons_lib.arrays import Array

SLACK = 1.0 + 1e-12
"""For the rounding of how far bodies move."""


def judge(
    pieces: Array, distance: Array, motion: Array, rounding: Array, margin: float, told: Array, later: Array
) -> int:
    """Write the halves of the pieces that are not decided, and return how many halves there are.

    Args:
        pieces: The middle of each piece, and half of its length, as parts of the move, shape (r, 2).
        distance: Of all pairs in the middles, shape (r, k), m.
        motion: By how much no distance changes within all of the move, shape (r, k), m.
        rounding: By how much each distance may be off, shape (k,), m.
        margin: What room must be left, m.
        told: The least room that was seen, m, on which part of the move, of which pair, and how much the pieces that
            are free leave at least, m: kept up to date.
        later: Receives the halves, shape (2 r, 2).
    """
    made = 0
    for row in range(pieces.shape[0]):
        middle, half = pieces[row, 0], pieces[row, 1]
        sure = told[3]
        free = True
        for k in range(distance.shape[1]):
            room = distance[row, k] - rounding[k]
            if room < told[0]:
                told[0], told[1], told[2] = room, middle, float(k)
            least = room - half * motion[row, k] * SLACK
            sure = min(sure, least)
            free = free and least > margin
        if free:
            told[3] = sure
        else:
            quarter = 0.5 * half
            later[made, 0], later[made, 1] = middle - quarter, quarter
            later[made + 1, 0], later[made + 1, 1] = middle + quarter, quarter
            made += 2
    return made
