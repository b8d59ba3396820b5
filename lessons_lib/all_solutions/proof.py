"""Whether an answer is complete: the same tree once more, on enclosed numbers, with no decision left to rounding.

The exact target is the pose whose rotation is the nearest to the matrix of doubles, see `exact_rotation`; the exact arm
the one whose axes are parallel, and meet, as the closed form supposes, with constants at most RADIUS of its length from
the recognised ones. Each step of the tree is an equivalence (lesson 20), so where every decision on the way is proven,
no configuration is missing. Doubles come first; what they do not settle is asked anew with numbers of DIGITS digits,
for an arm along the axes of {s}, whose directions doubles hold exactly.

These numbers also find the answers where those of doubles are in doubt (`more_digits`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_forms, crossings, decisions, every, wrist_places
from lessons_lib.all_solutions.closed_forms import closed_form
from lessons_lib.all_solutions.decisions import LEAF, SEEN
from lessons_lib.all_solutions.enclosed import (
    DIGITS,
    ENCLOSED,
    Enclosed,
    Undecided,
    atan2,
    enclosed,
    exact_rotation,
    on_numbers,
    product,
    transposed,
)
from lessons_lib.all_solutions.recognition import EXACT
from lessons_lib.all_solutions.structure import Structure
from lessons_lib.arrays import Array, Integers

RADIUS = 4e-16
"""How far a constant that is not whole may be from the exact arm's, of a unit vector, or of the arm's length."""

DIRECTIONS = [*range(decisions.K1, decisions.K6 + 1), *range(decisions.G1, decisions.H2 + 1)]
"""Rows of the constants that are unit vectors."""

PROVEN = ""
"""The reason why an answer is not complete, where it is."""


def reason_against(structure: Structure, target: Array, home: Array, limits: Array, codes: Integers, seen: int) -> str:
    """Return why it is not proven that an answer is complete; PROVEN where it is.

    Args:
        structure: The closed form.
        target: T_sd, shape (4, 4).
        home: Pose of the tip at q = 0.
        limits: Within which the answers are, shape (6, 2).
        codes: What was decided on the way to each of them, shape (k,).
        seen: What was decided on all ways.
    """
    if structure.off > EXACT:
        return f"the axes miss by {structure.off:.1g} what the closed form supposes"
    if (words := at_an_edge(seen)) != "":
        return words
    import mpmath  # loaded where there is something to prove

    hidden = ""
    directions = structure.constants[DIRECTIONS]
    axes_are_exact = bool((directions == np.round(directions)).all())  # others are unit vectors to rounding only
    for number in (float, mpmath.mpf) if axes_are_exact else (float,):
        try:
            with mpmath.workdps(DIGITS):
                proven = proven_codes(structure, target, home, limits, number)
        except Undecided as undecided:
            hidden = f"rounding hides {undecided}"
            continue
        return PROVEN if proven == codes.tolist() else "a decision was made within its rounding"
    return hidden


def proven_codes(structure: Structure, target: Array, home: Array, limits: Array, number: Any) -> list[int]:
    """Return what is decided on the way to each answer within the limits, with proof.

    Args:
        structure: The closed form.
        target: T_sd.
        home: Pose of the tip at q = 0.
        limits: Within which the answers are.
        number: Kind of the bounds, float or mpmath.mpf.

    Raises:
        Undecided: The bounds do not settle a decision.
    """
    R, t = exact_motion(target, home, structure.backwards, number)
    K = enclosed(structure.constants, RADIUS * max(1.0, structure.length) if number is float else 0.0, number)
    at = (Enclosed.around(number(1.0)), Enclosed.around(number(0.0)))
    turns, room, found = np.empty((8, 12), dtype=object), np.empty((4, 7), dtype=object), np.zeros(13, dtype=np.int64)
    length = number(structure.length)
    total = _form("enclosed")(structure.kind, R, t, K, length, (0.0, 0.0, 0.0), at, turns, room, found)
    return [int(found[LEAF + k]) for k in range(total) if is_within(angles(turns[k], atan2), structure, limits)]


def more_digits(
    structure: Structure, target: Array, home: Array, limits: Array, at: float, Q: Array, codes: Integers
) -> int:
    """Do what `every.every` does, with numbers of DIGITS digits: some hundredths of a second."""
    import mpmath

    with mpmath.workdps(DIGITS):
        R, t = exact_motion(target, home, structure.backwards, mpmath.mpf)
        R, t = tuple(tuple(middle(x) for x in line) for line in R), tuple(middle(x) for x in t)
        K = np.array([[mpmath.mpf(float(x)) for x in line] for line in structure.constants], dtype=object)
        for row in DIRECTIONS:
            K[row] = K[row] / mpmath.norm(mpmath.matrix(K[row].tolist()))  # of the exact arm
        turns, room = np.empty((8, 12), dtype=object), np.empty((4, 7), dtype=object)
        free = (mpmath.cos(at), mpmath.sin(at))
        length, blur = mpmath.mpf(structure.length), (every.FREE_BAND, every.EXACT_EDGE_BAND, 0.0)
        found = _form("digits")(structure.kind, R, t, K, length, blur, free, turns, room, codes)
        q_of = np.array([angles(turns[i], mpmath.atan2) for i in range(found)], dtype=np.float64)
    kept, q = 0, np.empty(6)
    for i in range(found):
        if every.finished(q_of[i], structure.signs, structure.backwards, limits, q):
            Q[kept], codes[LEAF + kept] = q, codes[LEAF + i]
            kept += 1
        else:
            codes[SEEN] |= every.EXCLUDED
    return kept


def angles(turns: Any, atan2: Callable[[Any, Any], Any]) -> list[Any]:
    """Return the angles of turns that are told by cosine and sine, one after the other."""
    return [atan2(sine, cosine) for cosine, sine in zip(turns[::2], turns[1::2], strict=True)]


def middle(x: Enclosed) -> Any:
    """Return the middle of the bounds."""
    return (x.lower + x.upper) / 2


_TEXT = (crossings, decisions, wrist_places, closed_forms)


@lru_cache(maxsize=2)
def _form(kind: str) -> Any:
    import mpmath

    return on_numbers(ENCLOSED if kind == "enclosed" else mpmath, closed_form, *_TEXT)


def at_an_edge(seen: int) -> str:
    """Return which decision was left to rounding, in words; nothing where none was."""
    names = {"shoulder": decisions.SHOULDER, "elbow": decisions.ELBOW, "wrist": decisions.WRIST}
    free = [name for name, bit in names.items() if seen & 8 * bit]
    double = [name for name, bit in names.items() if seen & 64 * bit]
    if free:
        return f"to rounding, the pose is singular: a turn at the {free[0]} is free"
    return f"to rounding, the pose is at an edge of reach: the two answers at the {double[0]} are one" if double else ""


def exact_motion(target: Array, home: Array, backwards: bool, number: Any) -> tuple[Any, Any]:
    """Return the rotation and the translation of T M⁻¹, or of its inverse, enclosed."""
    R = product(exact_rotation(target[:3, :3], number), transposed(exact_rotation(home[:3, :3], number)))
    t: list[Any] = [Enclosed.around(number(float(x))) for x in target[:3, 3]]
    t = [t[i] - sum((R[i][k] * float(home[k, 3]) for k in range(3)), start=0.0) for i in range(3)]
    if backwards:
        R = transposed(R)
        t = [-sum((R[i][k] * t[k] for k in range(3)), start=0.0) for i in range(3)]
    return tuple(map(tuple, R)), tuple(t)


def is_within(turns: Any, structure: Structure, limits: Array) -> bool:
    """Return whether a whole turn brings each joint within its limits, proven; see `every.finished`."""
    for i in range(6):
        j = 5 - i if structure.backwards else i
        x, lower, upper = turns[i] * float(structure.signs[i]), float(limits[j, 0]), float(limits[j, 1])
        if upper - lower >= every.TURN:
            continue
        shift = -every.TURN * round((float(middle(x)) - 0.5 * (lower + upper)) / every.TURN)
        x = x + Enclosed.around(shift, abs(shift) * 2.0**-52)
        if not (x >= lower and x <= upper):
            return False
    return True
