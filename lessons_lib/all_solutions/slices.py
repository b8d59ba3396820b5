"""Prove slice by slice of the first or last joint that a 7R arm has no solution within the limits.

The closed form of the other joints is traced once into a straight-line program: every comparison evaluates to False,
so that all eight branches are recorded; affine_arithmetic.py runs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partialmethod
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, decisions, subproblems
from lessons_lib.all_solutions.affine_arithmetic import ABSOLUTE, ADD, INVERT, MULTIPLY, NEGATE, SQUARE_ROOT
from lessons_lib.all_solutions.closed_form import inverse_motion, solve_branches
from lessons_lib.all_solutions.decisions import LEAVES, PLACES
from lessons_lib.all_solutions.interval import Interval, bounds, enclosed, rebind_math
from lessons_lib.all_solutions.proof import RADIUS, exact_motion
from lessons_lib.all_solutions.recognition import Structure, structure_of
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates import angles
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.robots import Chain
from lessons_lib.robots.triples import minus, plus, turned

NUMBER, GIVEN = -1, -2
"""Not an operation."""

ROWS, AXIS, POINT, ROTATION, WAY, CONSTANTS = 68, 2, 5, 8, 17, 20
"""Inputs: cosine and sine of the locked angle; its axis and a point; the motion after it; K of decisions.py."""


@dataclass(frozen=True, eq=False)
class StraightLineProgram:
    """Straight-line program of a closed form.

    Attributes:
        steps: Operation, row of the result, rows of the operands, shape (m, 4).
        numbers: Initial numbers of affine_arithmetic.py, shape (n, 3); the first ROWS are inputs.
        turns: Rows of cosine and sine of each angle of every solution, shape (k, 12).
        roots: Rows of what roots are taken of on the way to each solution, shape (k, l).
    """

    steps: Integers
    numbers: Array
    turns: Integers
    roots: Integers


class TraceRecorder:
    """Recorder of operations on traced values, each once, without additions of 0 and multiplications by 1."""

    def __init__(self, known: dict[int, float]) -> None:
        """Begin with the inputs, of which `known` are whole numbers."""
        self.steps: dict[tuple[int, Any, Any], int] = {(GIVEN, i, 0): i for i in range(ROWS)}
        self.known, self.under = dict(known), [frozenset[int]()] * ROWS

    def record(self, word: int, x: TracedValue, y: TracedValue) -> TracedValue:
        """Record an operation on two values, or on one given twice."""
        a, b = self.known.get(x.place), self.known.get(y.place)
        if word == ADD and 0.0 in (a, b):
            return y if a == 0.0 else x
        if word == MULTIPLY and 1.0 in (a, b):
            return y if a == 1.0 else x
        if word == MULTIPLY and 0.0 in (a, b):
            return self.number(0.0)
        if word == NEGATE and a is not None:
            return self.number(-a)
        below = self.under[x.place] | self.under[y.place]
        return self._at((word, x.place, y.place), below | {x.place} if word == SQUARE_ROOT else below)

    def number(self, value: float) -> TracedValue:
        """Record a number."""
        one = self._at((NUMBER, value + 0.0, 0), frozenset())
        self.known[one.place] = value
        return one

    def _at(self, step: tuple[int, Any, Any], under: frozenset[int]) -> TracedValue:
        if step not in self.steps:
            self.steps[step] = len(self.steps)
            self.under.append(under)
        return TracedValue(self, self.steps[step])


class TracedValue:
    """A traced value: a row of the tape."""

    def __init__(self, tape: TraceRecorder, place: int) -> None:
        """Keep the row."""
        self.tape, self.place = tape, place

    def record(self, word: int, other: Any = None) -> TracedValue:
        """Record an operation with another value or number, if there is one."""
        y = self if other is None else other if isinstance(other, TracedValue) else self.tape.number(float(other))
        return self.tape.record(word, self, y)

    __add__ = __radd__ = partialmethod(record, ADD)
    __mul__ = __rmul__ = partialmethod(record, MULTIPLY)
    __neg__, __abs__ = partialmethod(record, NEGATE), partialmethod(record, ABSOLUTE)

    def __sub__(self, other: Any) -> TracedValue:
        """Record x − y."""
        return self.record(ADD, -other)

    def __rsub__(self, other: Any) -> TracedValue:
        """Record y − x."""
        return self.record(NEGATE).record(ADD, other)

    def __truediv__(self, other: Any) -> TracedValue:
        """Record x / y."""
        return self.record(
            MULTIPLY, (other if isinstance(other, TracedValue) else self.tape.number(float(other))).record(INVERT)
        )

    def always_false(self, other: Any) -> bool:
        """Evaluate a comparison to False."""
        return False

    __lt__ = __le__ = __gt__ = __ge__ = always_false


def trace_closed_form(kind: int, undo: bool, known: dict[int, float]) -> StraightLineProgram:
    """Trace a closed form, or one of the inverse motion; `known` inputs are whole numbers."""
    tape = TraceRecorder(known)
    inputs: Any = [TracedValue(tape, i) for i in range(ROWS)]
    c, s, w, o = inputs[0], inputs[1], tuple(inputs[AXIS:POINT]), tuple(inputs[POINT:ROTATION])
    columns: Any = [turned(w, c, s, tuple(inputs[ROTATION + k : WAY : 3])) for k in range(3)]
    way = minus(tuple(inputs[WAY:CONSTANTS]), o)
    R, t = tuple[Any, ...](zip(*columns, strict=True)), plus(turned(w, c, s, way), o)
    if undo:
        R, t = inverse_motion(R, t)
    K = np.array(inputs[CONSTANTS:], dtype=object).reshape(-1, 3)
    Q, room, codes = np.empty((LEAVES, 12), object), np.empty((PLACES, 7), object), np.zeros(13, dtype=np.int64)
    names = SimpleNamespace(sqrt=lambda x: x.record(SQUARE_ROOT))
    run = rebind_math(names, solve_branches, subproblems, decisions, closed_form)
    count = run(kind, R, t, K, 1.0, (0.0, 0.0, 0.0), (1.0, 0.0), Q, room, codes)
    turns = np.array([[name.place for name in leaf] for leaf in Q[:count]], dtype=np.int64)
    return _kept(list(tape.steps), turns, [frozenset().union(*(tape.under[x] for x in leaf)) for leaf in turns])


def _kept(steps: list[tuple[int, Any, Any]], turns: Integers, under: list[frozenset[int]]) -> StraightLineProgram:
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
    return StraightLineProgram(np.array(kept, dtype=np.int64), numbers, turns, np.array(roots, dtype=np.int64))


BUDGET = 3000
"""Largest number of slices."""

SLACK = 1e-9
"""How much limits are widened, rad: a solution at a limit is not outside."""

ROUNDED = 4e-15
"""Bound of the rounding error of the cosine of a limit."""

_HERE, _KEY = "lessons_lib.all_solutions", "slices"


@dataclass(frozen=True)
class Slices:
    """Result of the search for slices without solutions.

    Attributes:
        joint: Joint whose range is cut, 0 for the first.
        count: Number of slices.
        empty: Whether it is proven that no slice has a solution within the limits; otherwise it is undecided.
    """

    joint: int
    count: int
    empty: bool


@dataclass(frozen=True, eq=False)
class PreparedArm:
    """An arm prepared for the search: the joint that is cut, closed form of the others, affine constants, program."""

    joint: int
    form: Structure
    numbers: Array
    program: StraightLineProgram


def slices(arm: Chain, target: Array, limits: Array, budget: int = BUDGET) -> Slices | None:
    """Prove that no solution is within the limits (7, 2), if possible; return None if the arm is not suitable."""
    found = prepare_inputs(arm, target)
    if found is None:
        return None
    prepared, X = found
    wider = limits + np.array([-SLACK, SLACK])
    low, high = wider[prepared.joint] if _bounded(wider)[prepared.joint] else (-3.15, 3.15)
    sides = _sides(
        np.delete(wider, prepared.joint, axis=0)[:: -1 if prepared.form.backwards else 1], prepared.form.signs
    )
    sign, program = 1.0 if prepared.joint == 6 else -1.0, prepared.program
    run = _module().exclude_slices
    return Slices(
        prepared.joint,
        *run(float(low), float(high), sign, program.steps, X, program.turns, program.roots, sides, budget),
    )


def prepare_inputs(arm: Chain, target: Array) -> tuple[PreparedArm, Array] | None:
    """Return the prepared arm and the inputs of its program for a target."""
    prepared: Any = arm.prepared.get(_KEY)
    if prepared is None:
        prepared = _prepare(arm)
        arm.prepare(_KEY, prepared)
    if not isinstance(prepared, PreparedArm):
        return None
    X = prepared.program.numbers.copy()
    X[AXIS:ROTATION], X[CONSTANTS:ROWS] = np.split(prepared.numbers, [ROTATION - AXIS])
    R, t = exact_motion(target, arm.home, prepared.joint == 6, float)
    X[ROTATION:CONSTANTS] = [_centered(x) for row in (*R, t) for x in row]
    return prepared, X


def _is_free(arm: Chain) -> bool:
    return arm.coupling is None and all(kind == "revolute" for kind in arm.joint_types)


def _prepare(arm: Chain) -> PreparedArm | str:
    for joint in (6, 0) if arm.dof == 7 and _is_free(arm) else ():
        form = structure_of(np.delete(arm.screws, joint, axis=1), arm.home)
        if form is not None:
            omega, v = np.split(arm.screws[:, joint], 2)
            radius = RADIUS * max(1.0, form.length)
            held = [*enclosed(omega, RADIUS), *enclosed(np.cross(omega, v), radius)]
            constants = enclosed(form.constants, radius).ravel()
            places = [*range(AXIS, ROTATION), *range(CONSTANTS, ROWS)]
            known = {place: x.lower for place, x in zip(places, [*held, *constants], strict=True) if x.lower == x.upper}
            numbers = np.array([_centered(x) for x in (*held, *constants)])
            return PreparedArm(
                joint, form, numbers, trace_closed_form(form.kind, (joint == 6) != form.backwards, known)
            )
    return "neither end"


def _centered(x: Interval) -> list[float]:
    low, high = bounds(x)
    middle = 0.5 * (low + high)
    return [middle, 0.0, 0.0 if low == high else float(np.nextafter(max(high - middle, middle - low), np.inf))]


def _sides(limits: Array, signs: Array) -> Array:
    bounded = _bounded(limits)
    low, high = np.where(bounded, limits.T, 0.0)
    middle, least = 0.5 * (low + high), np.where(bounded, np.cos(0.5 * (high - low)) - ROUNDED, -2.0)
    return np.column_stack([np.cos(middle), signs * np.sin(middle), least])


def _bounded(limits: Array) -> Array:
    found: Array = (np.diff(limits).ravel() < 2 * np.pi) & (np.abs(limits).max(axis=1) < 1e5)
    return found


@lru_cache(maxsize=1)
def _module() -> ModuleType:
    parts = (Derived(angles.text), Plain(f"{_HERE}.affine_arithmetic"))
    return modules.load(Recipe("slices", parts))
