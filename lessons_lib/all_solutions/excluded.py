"""Whether an arm of seven hinges has no answer within limits, shown slice by slice of its first or its last joint.

What is proven is proven of the exact arm and the exact target of proof.py, with every answer of its closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from lessons_lib.all_solutions.enclosed import Enclosed, bounds, enclosed
from lessons_lib.all_solutions.proof import RADIUS, exact_motion
from lessons_lib.all_solutions.recognition import EXACT
from lessons_lib.all_solutions.structure import Structure, structure_of
from lessons_lib.all_solutions.traced import AXIS, CONSTANTS, ROTATION, ROWS, Line, line
from lessons_lib.arrays import Array
from lessons_lib.certificates import angles
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.robots import Chain

BUDGET = 3000
"""Slices that are looked at, at most."""

SLACK = 1e-9
"""By how much limits are widened, rad: an answer at a limit is not outside."""

ROUNDED = 4e-15
"""More than the cosine of a limit is off."""

_HERE, _KEY = "lessons_lib.all_solutions", "slices"


@dataclass(frozen=True)
class Slices:
    """What slices of a joint's range tell of a pose.

    Attributes:
        joint: Which one is cut, 0 for the first.
        count: How many slices were looked at.
        empty: Whether it is proven that none holds an answer within the limits; otherwise it is not decided.
    """

    joint: int
    count: int
    empty: bool


@dataclass(frozen=True, eq=False)
class Cut:
    """An arm and the joint that is cut.

    Attributes:
        joint: 0 for the first, or 6 for the last.
        form: The closed form of the others.
        numbers: Axis and a point of that joint, and the constants of the form, as along.py has them.
        line: The form as a straight line, which is given the joint's turn, and the motion without it.
    """

    joint: int
    form: Structure
    numbers: Array
    line: Line


def slices(arm: Chain, target: Array, limits: Array, budget: int = BUDGET) -> Slices | None:
    """Return whether it is proven that no answer is within limits; None of an arm of which slices tell nothing.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4), position in m; it stands for the pose with the nearest rotation.
        limits: Of the joints, rad, shape (7, 2).
        budget: How many slices are looked at, at most.
    """
    found = given(arm, target)
    if found is None:
        return None
    cut, X = found
    wider = limits + np.array([-SLACK, SLACK])
    low, high = wider[cut.joint] if _bounded(wider)[cut.joint] else (-3.15, 3.15)
    sides = _sides(np.delete(wider, cut.joint, axis=0)[:: -1 if cut.form.backwards else 1], cut.form.signs)
    sign, told = 1.0 if cut.joint == 6 else -1.0, cut.line
    run = _module().looked_through
    return Slices(cut.joint, *run(float(low), float(high), sign, told.steps, X, told.turns, told.roots, sides, budget))


def given(arm: Chain, target: Array) -> tuple[Cut, Array] | None:
    """Return how an arm is cut, and the numbers with which its line begins, but for the joint's turn."""
    cut: Any = arm.prepared.get(_KEY)
    if cut is None:
        cut = _cut(arm)
        arm.prepare(_KEY, cut)
    if not isinstance(cut, Cut):
        return None
    X = cut.line.numbers.copy()
    X[AXIS:ROTATION], X[CONSTANTS:ROWS] = np.split(cut.numbers, [ROTATION - AXIS])
    R, t = exact_motion(target, arm.home, cut.joint == 6, float)
    X[ROTATION:CONSTANTS] = [_centered(x) for row in (*R, t) for x in row]
    return cut, X


def _cut(arm: Chain) -> Cut | str:
    """Return how an arm is cut, at the end that leaves the other joints a closed form; else that none does."""
    for joint in (6, 0) if arm.dof == 7 and all(kind == "revolute" for kind in arm.joint_types) else ():
        form = structure_of(np.delete(arm.screws, joint, axis=1), arm.home)
        if form is not None and form.off <= EXACT:
            omega, v = np.split(arm.screws[:, joint], 2)
            radius = RADIUS * max(1.0, form.length)
            held = [*enclosed(omega, RADIUS), *enclosed(np.cross(omega, v), radius)]
            constants = enclosed(form.constants, radius).ravel()
            places = [*range(AXIS, ROTATION), *range(CONSTANTS, ROWS)]
            known = {place: x.lower for place, x in zip(places, [*held, *constants], strict=True) if x.lower == x.upper}
            numbers = np.array([_centered(x) for x in (*held, *constants)])
            return Cut(joint, form, numbers, line(form.kind, (joint == 6) != form.backwards, known))
    return "neither end"


def _centered(x: Enclosed) -> list[float]:
    """Return a number between bounds as one of along.py."""
    low, high = bounds(x)
    middle = 0.5 * (low + high)
    return [middle, 0.0, 0.0 if low == high else float(np.nextafter(max(high - middle, middle - low), np.inf))]


def _sides(limits: Array, signs: Array) -> Array:
    """Return what tells of each turn whether it is outside its limits; see `slices.looked_through`."""
    bounded = _bounded(limits)
    low, high = np.where(bounded, limits.T, 0.0)
    middle, least = 0.5 * (low + high), np.where(bounded, np.cos(0.5 * (high - low)) - ROUNDED, -2.0)
    return np.column_stack([np.cos(middle), signs * np.sin(middle), least])


def _bounded(limits: Array) -> Array:
    """Return whether limits leave something out, and are not so far away that their rounding is above SLACK."""
    found: Array = (np.diff(limits).ravel() < 2 * np.pi) & (np.abs(limits).max(axis=1) < 1e5)
    return found


@lru_cache(maxsize=1)
def _module() -> ModuleType:
    """Return the compiled text."""
    parts = (Derived(angles.text), Plain(f"{_HERE}.along"), Plain(f"{_HERE}.slices"))
    return modules.load(Recipe("slices", parts))
