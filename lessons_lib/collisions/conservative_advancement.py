"""Conservative advancement: decide pieces of a move from the distances at their middles, or bisect them."""

from __future__ import annotations

from lessons_lib.arrays import Array

SLACK = 1.0 + 1e-12
"""Factor for the rounding of the motion bounds."""


def bisect_pieces(
    pieces: Array, distance: Array, motion: Array, rounding: Array, margin: float, summary: Array, halves: Array
) -> int:
    """Write the halves of the undecided pieces of a move, and return their number; lengths in m."""
    # A piece is its middle and half its length, as fractions of the move. `motion` bounds the change of each distance
    # over the whole move. `summary` is updated: least clearance seen, its place on the move, its pair, and a lower
    # bound on the clearance of the free pieces.
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
