"""Prove slice by slice of the first or last joint that a 7R arm has no solution within the limits."""
# The closed form of the other joints is traced once into a straight-line program, which runs on affine numbers.

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, decisions, subproblems
from lessons_lib.all_solutions.affine_arithmetic import SQUARE_ROOT
from lessons_lib.all_solutions.closed_form import invert_motion
from lessons_lib.all_solutions.decisions import solve_branches
from lessons_lib.all_solutions.interval import Interval, enclose_array, middle_and_radius, rebind_math
from lessons_lib.all_solutions.module import affine_module
from lessons_lib.all_solutions.proof import allocate, exact_motion
from lessons_lib.all_solutions.recognition import Structure, recognize_structure
from lessons_lib.all_solutions.straight_line import TraceRecorder
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import INPUT_ERROR
from lessons_lib.robots import Chain
from lessons_lib.robots.vec3 import minus, plus, rotate_about

ROWS, AXIS, POINT, ROTATION, TRANSLATION, CONSTANTS = 68, 2, 5, 8, 17, 20
"""Inputs: cosine and sine of the locked angle; its axis and a point; rotation, translation of the motion; constants."""


@dataclass(frozen=True, eq=False)
class StraightLineProgram:
    steps: Integers  # operation, row of the result, rows of the operands, shape (m, 4)
    numbers: Array  # initial affine numbers, shape (n, 3); the first ROWS are inputs
    angle_rows: Integers  # rows of cosine and sine of each angle of every solution, shape (k, 12)
    radicand_rows: Integers  # rows of the radicands of each solution, shape (k, l)


def trace_closed_form(kind: int, inverted: bool, known: dict[int, float]) -> StraightLineProgram:
    """Trace a closed form, of the motion or, with `inverted`, its inverse; `known` inputs are whole numbers."""
    recorder = TraceRecorder(ROWS, known)
    inputs = recorder.inputs
    c, s, w, o = inputs[0], inputs[1], tuple(inputs[AXIS:POINT]), tuple(inputs[POINT:ROTATION])
    columns: Any = [rotate_about(w, c, s, tuple(inputs[ROTATION + k : TRANSLATION : 3])) for k in range(3)]
    way = minus(tuple(inputs[TRANSLATION:CONSTANTS]), o)
    R, t = tuple[Any, ...](zip(*columns, strict=True)), plus(rotate_about(w, c, s, way), o)
    if inverted:
        R, t = invert_motion(R, t)
    K = np.array(inputs[CONSTANTS:], dtype=object).reshape(-1, 3)
    Q, scratch, codes = allocate()
    names = SimpleNamespace(sqrt=lambda x: x.record(SQUARE_ROOT))
    run = rebind_math(names, solve_branches, subproblems, decisions, closed_form)
    count = run(kind, R, t, K, 1.0, (0.0, 0.0, 0.0), (1.0, 0.0), Q, scratch, codes)
    angle_rows = np.array([[name.row for name in leaf] for leaf in Q[:count]], dtype=np.int64)
    steps = list(recorder.steps)
    needed = [recorder.find_dependencies(leaf) for leaf in angle_rows]
    under = [sorted({steps[k][1] for k in rows if steps[k][0] == SQUARE_ROOT}) for rows in needed]
    radicand_rows = [some + some[:1] * (max(map(len, under)) - len(some)) for some in under]
    return StraightLineProgram(*recorder.program(angle_rows), angle_rows, np.array(radicand_rows, dtype=np.int64))


BUDGET = 3000  # largest number of slices
LIMIT_SLACK = 1e-9  # rad, by which limits are widened: a solution at a limit is not outside
COSINE_ROUNDING = 4e-15  # error bound of the cosine of a limit
_KEY = "slices"


@dataclass(frozen=True)
class Slices:
    joint: int  # the joint whose range is sliced, 0 for the first
    count: int  # number of slices
    empty: bool  # whether it is proven that no slice has a solution within the limits


@dataclass(frozen=True, eq=False)
class PreparedArm:
    """An arm prepared for the search: the sliced joint, closed form of the others, affine constants, program."""

    joint: int
    form: Structure
    numbers: Array
    program: StraightLineProgram


def search_slices(arm: Chain, target: Array, limits: Array) -> Slices | None:
    """Try to prove that no solution is within the limits (7, 2); return None if the arm is not suitable."""
    inputs = prepare_inputs(arm, target)
    if inputs is None:
        return None
    prepared, X = inputs
    wider = limits + np.array([-LIMIT_SLACK, LIMIT_SLACK])
    low, high = wider[prepared.joint] if _is_bounded(wider)[prepared.joint] else (-3.15, 3.15)
    others = np.delete(wider, prepared.joint, axis=0)[:: -1 if prepared.form.backwards else 1]
    limit_rows, program = _limit_rows(others, prepared.form.signs), prepared.program
    rows, sign = (program.angle_rows, program.radicand_rows, limit_rows), 1.0 if prepared.joint == 6 else -1.0
    count, empty = affine_module().exclude_slices(float(low), float(high), sign, program.steps, X, *rows, BUDGET)
    return Slices(prepared.joint, count, empty)


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
    X[ROTATION:CONSTANTS] = [_affine_row(x) for row in (*R, t) for x in row]
    return prepared, X


def _has_free_revolutes(arm: Chain) -> bool:
    return arm.coupling is None and all(kind == "revolute" for kind in arm.joint_types)


def _prepare(arm: Chain) -> PreparedArm | str:
    for joint in (6, 0) if arm.dof == 7 and _has_free_revolutes(arm) else ():
        form = recognize_structure(np.delete(arm.screws, joint, axis=1), arm.home)
        if form is not None:
            omega, v = np.split(arm.screws[:, joint], 2)
            radius = INPUT_ERROR * max(1.0, form.length)
            locked = [*enclose_array(omega, INPUT_ERROR), *enclose_array(np.cross(omega, v), radius)]
            constants = enclose_array(form.constants, radius).ravel()
            places = [*range(AXIS, ROTATION), *range(CONSTANTS, ROWS)]
            known = {row: x.lower for row, x in zip(places, [*locked, *constants], strict=True) if x.lower == x.upper}
            numbers = np.array([_affine_row(x) for x in (*locked, *constants)])
            program = trace_closed_form(form.kind, (joint == 6) != form.backwards, known)
            return PreparedArm(joint, form, numbers, program)
    return "neither end"


def _affine_row(x: Interval) -> list[float]:
    middle, radius = middle_and_radius(x)
    return [middle, 0.0, radius]


def _limit_rows(limits: Array, signs: Array) -> Array:
    bounded = _is_bounded(limits)
    low, high = np.where(bounded, limits.T, 0.0)
    middle, least = 0.5 * (low + high), np.where(bounded, np.cos(0.5 * (high - low)) - COSINE_ROUNDING, -2.0)
    return np.column_stack([np.cos(middle), signs * np.sin(middle), least])


def _is_bounded(limits: Array) -> Array:
    bounded: Array = (np.diff(limits).ravel() < 2 * np.pi) & (np.abs(limits).max(axis=1) < 1e5)
    return bounded
