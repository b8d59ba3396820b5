"""Conservative advancement: judge a piece of a move from its middle as free, in contact, or to be halved."""

from __future__ import annotations

from lessons_lib.arrays import Array

SLACK = 1.0 + 1e-12
"""For the rounding of how far bodies move."""


def bisect_pieces(
    pieces: Array, distance: Array, motion: Array, rounding: Array, margin: float, summary: Array, halves: Array
) -> int:
    """Write the halves of the pieces that are not decided, and return how many halves there are.

    Args:
        pieces: The middle of each piece, and half of its length, as parts of the move, shape (r, 2).
        distance: Of all pairs in the middles, shape (r, k), m.
        motion: By how much no distance changes within all of the move, shape (r, k), m.
        rounding: By how much each distance may be off, shape (k,), m.
        margin: What room must be left, m.
        summary: The least room that was seen, m, on which part of the move, of which pair, and how much the pieces that
            are free leave at least, m: kept up to date.
        halves: Receives the halves, shape (2 r, 2).
    """
    count = 0
    for row in range(pieces.shape[0]):
        middle, half = pieces[row, 0], pieces[row, 1]
        proven = summary[3]
        free = True
        for k in range(distance.shape[1]):
            room = distance[row, k] - rounding[k]
            if room < summary[0]:
                summary[0], summary[1], summary[2] = room, middle, float(k)
            least = room - half * motion[row, k] * SLACK
            proven = min(proven, least)
            free = free and least > margin
        if free:
            summary[3] = proven
        else:
            quarter = 0.5 * half
            halves[count, 0], halves[count, 1] = middle - quarter, quarter
            halves[count + 1, 0], halves[count + 1, 1] = middle + quarter, quarter
            count += 2
    return count
