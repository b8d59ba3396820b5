"""Prove slice by slice of the first or last joint that a 7R arm has no solution within the limits.

The closed form of the other joints is traced once into a straight-line program (straight_line.py), which is run on
affine numbers.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, decisions, subproblems
from lessons_lib.all_solutions.affine_arithmetic import SQUARE_ROOT
from lessons_lib.all_solutions.closed_form import inverse_motion, solve_branches
from lessons_lib.all_solutions.decisions import LEAVES, PLACES
from lessons_lib.all_solutions.interval import Interval, centered, enclosed, rebind_math
from lessons_lib.all_solutions.module import affine_module
from lessons_lib.all_solutions.proof import exact_motion
from lessons_lib.all_solutions.recognition import Structure, structure_of
from lessons_lib.all_solutions.straight_line import TraceRecorder
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import GIVEN
from lessons_lib.robots import Chain
from lessons_lib.robots.vec3 import minus, plus, turned

ROWS, AXIS, POINT, ROTATION, WAY, CONSTANTS = 68, 2, 5, 8, 17, 20
"""Inputs: cosine and sine of the locked angle; its axis and a point; the motion after it; K of decisions.py."""


@dataclass(frozen=True, eq=False)
class StraightLineProgram:
    """Straight-line program of a closed form."""

    steps: Integers  # operation, row of the result, rows of the operands, shape (m, 4)
    numbers: Array  # initial numbers of affine_arithmetic.py, shape (n, 3); the first ROWS are inputs
    turns: Integers  # rows of cosine and sine of each angle of every solution, shape (k, 12)
    roots: Integers  # rows of what roots are taken of on the way to each solution, shape (k, l)


def trace_closed_form(kind: int, undo: bool, known: dict[int, float]) -> StraightLineProgram:
    """Trace a closed form, or one of the inverse motion; `known` inputs are whole numbers."""
    recorder = TraceRecorder(ROWS, known)
    inputs = recorder.inputs
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
    steps = list(recorder.steps)
    under = [sorted({steps[k][1] for k in recorder.needed(leaf) if steps[k][0] == SQUARE_ROOT}) for leaf in turns]
    roots = [some + some[:1] * (max(map(len, under)) - len(some)) for some in under]
    return StraightLineProgram(*recorder.program(turns), turns, np.array(roots, dtype=np.int64))


BUDGET = 3000  # largest number of slices
SLACK = 1e-9  # how much limits are widened, rad: a solution at a limit is not outside
ROUNDED = 4e-15  # bound of the rounding error of the cosine of a limit
_KEY = "slices"


@dataclass(frozen=True)
class Slices:
    """Result of the search for slices without solutions."""

    joint: int  # whose range is cut, 0 for the first
    count: int  # number of slices
    empty: bool  # whether it is proven that no slice has a solution within the limits; else it is undecided


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
    run = affine_module().exclude_slices
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
    X[ROTATION:CONSTANTS] = [_row(x) for row in (*R, t) for x in row]
    return prepared, X


def _is_free(arm: Chain) -> bool:
    return arm.coupling is None and all(kind == "revolute" for kind in arm.joint_types)


def _prepare(arm: Chain) -> PreparedArm | str:
    for joint in (6, 0) if arm.dof == 7 and _is_free(arm) else ():
        form = structure_of(np.delete(arm.screws, joint, axis=1), arm.home)
        if form is not None:
            omega, v = np.split(arm.screws[:, joint], 2)
            radius = GIVEN * max(1.0, form.length)
            held = [*enclosed(omega, GIVEN), *enclosed(np.cross(omega, v), radius)]
            constants = enclosed(form.constants, radius).ravel()
            places = [*range(AXIS, ROTATION), *range(CONSTANTS, ROWS)]
            known = {place: x.lower for place, x in zip(places, [*held, *constants], strict=True) if x.lower == x.upper}
            numbers = np.array([_row(x) for x in (*held, *constants)])
            return PreparedArm(
                joint, form, numbers, trace_closed_form(form.kind, (joint == 6) != form.backwards, known)
            )
    return "neither end"


def _row(x: Interval) -> list[float]:
    middle, radius = centered(x)
    return [middle, 0.0, radius]


def _sides(limits: Array, signs: Array) -> Array:
    bounded = _bounded(limits)
    low, high = np.where(bounded, limits.T, 0.0)
    middle, least = 0.5 * (low + high), np.where(bounded, np.cos(0.5 * (high - low)) - ROUNDED, -2.0)
    return np.column_stack([np.cos(middle), signs * np.sin(middle), least])


def _bounded(limits: Array) -> Array:
    found: Array = (np.diff(limits).ravel() < 2 * np.pi) & (np.abs(limits).max(axis=1) < 1e5)
    return found
