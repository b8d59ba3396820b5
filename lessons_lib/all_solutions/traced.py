"""A closed form as a straight line: its text is run once on names, and what it does with them is written down.

Every comparison is answered no. So nothing is free or out of reach on the way, and no two answers are one: there are
always all eight. What that leaves out is in the numbers (along.py): a turn that may be free is any, and of a root that
may be one of less than zero the part above is taken. An answer is there only where no such number is surely below zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partialmethod
from types import SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_forms, crossings, decisions, wrist_places
from lessons_lib.all_solutions.along import INVERSE, OPPOSITE, ROOT, SIZE, TIMES, TOTAL
from lessons_lib.all_solutions.closed_forms import closed_form
from lessons_lib.all_solutions.decisions import LEAVES, PLACES
from lessons_lib.all_solutions.enclosed import on_numbers
from lessons_lib.all_solutions.every import undone
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.triples import minus, plus, turned

NUMBER, GIVEN = -1, -2
"""What is no operation."""

ROWS, AXIS, POINT, ROTATION, WAY, CONSTANTS = 68, 2, 5, 8, 17, 20
"""What is given: cosine and sine of the turn that is held; its axis and a point of it; the motion after it; K of
decisions.py."""


@dataclass(frozen=True, eq=False)
class Line:
    """What a closed form does, step by step.

    Attributes:
        steps: Of each operation which one it is, where its result goes, and where its operands are, shape (m, 4).
        numbers: Those with which it begins, as along.py has them, shape (n, 3); the first ROWS are given.
        turns: Where cosine and sine of each turn of every answer are, shape (k, 12).
        roots: Of what roots were taken on the way to each answer, shape (k, l).
    """

    steps: Integers
    numbers: Array
    turns: Integers
    roots: Integers


class Tape:
    """What was done with names, each thing once, and nothing where 0 or 1 is added or multiplied.

    Attributes:
        steps: The place of each result, by the operation and its operands; of a number, by its value.
        known: The value of each place that is a whole number for certain.
        under: The places of the roots on the way to each.
    """

    def __init__(self, known: dict[int, float]) -> None:
        """Begin with what is given, of which some is known."""
        self.steps: dict[tuple[int, Any, Any], int] = {(GIVEN, i, 0): i for i in range(ROWS)}
        self.known, self.under = dict(known), [frozenset[int]()] * ROWS

    def noted(self, word: int, x: Name, y: Name) -> Name:
        """Return the name of what an operation makes of two names, or of one, given twice."""
        a, b = self.known.get(x.place), self.known.get(y.place)
        if word == TOTAL and 0.0 in (a, b):
            return y if a == 0.0 else x
        if word == TIMES and 1.0 in (a, b):
            return y if a == 1.0 else x
        if word == TIMES and 0.0 in (a, b):
            return self.number(0.0)
        if word == OPPOSITE and a is not None:
            return self.number(-a)
        below = self.under[x.place] | self.under[y.place]
        return self._at((word, x.place, y.place), below | {x.place} if word == ROOT else below)

    def number(self, value: float) -> Name:
        """Return the name of a number."""
        one = self._at((NUMBER, value + 0.0, 0), frozenset())
        self.known[one.place] = value
        return one

    def _at(self, step: tuple[int, Any, Any], under: frozenset[int]) -> Name:
        if step not in self.steps:
            self.steps[step] = len(self.steps)
            self.under.append(under)
        return Name(self, self.steps[step])


class Name:
    """A number that is not known yet, and where on the tape it is noted."""

    def __init__(self, tape: Tape, place: int) -> None:
        """Keep the place."""
        self.tape, self.place = tape, place

    def noted(self, word: int, other: Any = None) -> Name:
        """Note an operation on it, and on another name or number if there is one."""
        y = self if other is None else other if isinstance(other, Name) else self.tape.number(float(other))
        return self.tape.noted(word, self, y)

    __add__ = __radd__ = partialmethod(noted, TOTAL)
    __mul__ = __rmul__ = partialmethod(noted, TIMES)
    __neg__, __abs__ = partialmethod(noted, OPPOSITE), partialmethod(noted, SIZE)

    def __sub__(self, other: Any) -> Name:
        """Note x − y."""
        return self.noted(TOTAL, -other)

    def __rsub__(self, other: Any) -> Name:
        """Note y − x."""
        return self.noted(OPPOSITE).noted(TOTAL, other)

    def __truediv__(self, other: Any) -> Name:
        """Note x / y."""
        return self.noted(TIMES, (other if isinstance(other, Name) else self.tape.number(float(other))).noted(INVERSE))

    def no(self, other: Any) -> bool:
        """Answer a comparison."""
        return False

    __lt__ = __le__ = __gt__ = __ge__ = no


def line(kind: int, undo: bool, known: dict[int, float]) -> Line:
    """Return a closed form as a straight line, some thousand steps.

    Args:
        kind: Of the closed form, see decisions.py.
        undo: Whether it is given the inverse of the motion.
        known: What of the given is a whole number for certain.
    """
    tape = Tape(known)
    given: Any = [Name(tape, i) for i in range(ROWS)]
    c, s, w, o = given[0], given[1], tuple(given[AXIS:POINT]), tuple(given[POINT:ROTATION])
    columns: Any = [turned(w, c, s, tuple(given[ROTATION + k : WAY : 3])) for k in range(3)]
    way = minus(tuple(given[WAY:CONSTANTS]), o)
    R, t = tuple[Any, ...](zip(*columns, strict=True)), plus(turned(w, c, s, way), o)
    if undo:
        R, t = undone(R, t)
    K = np.array(given[CONSTANTS:], dtype=object).reshape(-1, 3)
    Q, room, codes = np.empty((LEAVES, 12), object), np.empty((PLACES, 7), object), np.zeros(13, dtype=np.int64)
    names = SimpleNamespace(sqrt=lambda x: x.noted(ROOT))
    run = on_numbers(names, closed_form, crossings, decisions, wrist_places, closed_forms)
    count = run(kind, R, t, K, 1.0, (0.0, 0.0, 0.0), (1.0, 0.0), Q, room, codes)
    turns = np.array([[name.place for name in leaf] for leaf in Q[:count]], dtype=np.int64)
    return _kept(list(tape.steps), turns, [frozenset().union(*(tape.under[x] for x in leaf)) for leaf in turns])


def _kept(steps: list[tuple[int, Any, Any]], turns: Integers, under: list[frozenset[int]]) -> Line:
    """Return the line without what no answer hangs on."""
    needed = set(turns.ravel().tolist()).union(*under)
    for place in range(len(steps) - 1, ROWS - 1, -1):
        if place in needed and steps[place][0] >= 0:
            needed |= set(steps[place][1:])
    numbers = np.zeros((len(steps), 3))
    kept = []
    for place in sorted(needed - set(range(ROWS))):
        word, x, y = steps[place]
        if word == NUMBER:
            numbers[place, 0] = x
        else:
            kept.append((word, place, x, y))
    roots = [sorted(some) + [min(some)] * (max(map(len, under)) - len(some)) for some in under]
    return Line(np.array(kept, dtype=np.int64), numbers, turns, np.array(roots, dtype=np.int64))
