"""Prove that all solutions of a closed form are listed, by running it on intervals."""
# Each step of the tree is an equivalence (lesson 19). The target is the pose with the nearest rotation; the constants
# of the exact arm are within INPUT_ERROR. Doubles come first, then DIGITS digits if all axes are along those of {s}.
# Double-doubles solve what doubles cannot; where their rounding decides, or without LLVM, DIGITS digits do.

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, decisions, extended_form, subproblems
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FLAGS, MAX_PLACES, MAX_SOLUTIONS, solve_branches
from lessons_lib.all_solutions.interval import (
    DIGITS,
    INTERVAL_MATH,
    Interval,
    UndecidedComparison,
    atan2,
    enclose_array,
    exact_rotation,
    rebind_math,
)
from lessons_lib.all_solutions.module import double_double_solver, module
from lessons_lib.all_solutions.recognition import EXACT, Structure
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import INPUT_ERROR

DOUBLE_DOUBLE_NOISE = 1e-30  # rounding error of the closed form in double-doubles, relative to a size

DIRECTIONS = [*range(decisions.K1, decisions.K6 + 1), *range(decisions.G1, decisions.H2 + 1)]
"""Rows of the constants that are unit vectors."""


def reason_incomplete(
    structure: Structure, target: Array, home: Array, limits: Array, codes: Integers, flags: int
) -> str:
    """Return the reason why the list of solutions is not proven complete; "" if it is."""
    # `codes` (k,) are those of the listed solutions, `flags` those of all branches.
    if structure.off > EXACT:
        return f"the axes deviate by {structure.off:.1g} from the closed form"
    if (words := describe_boundary(flags)) != "":
        return words
    import mpmath  # loaded if there is something to prove

    reason = ""
    directions = structure.constants[DIRECTIONS]
    axes_are_exact = bool((directions == np.round(directions)).all())  # others are unit vectors to rounding only
    for number in (float, mpmath.mpf) if axes_are_exact else (float,):
        try:
            with mpmath.workdps(DIGITS):
                proven = prove_codes(structure, target, home, limits, number)
        except UndecidedComparison as undecided:
            reason = f"rounding hides {undecided}"
            continue
        return "" if proven == codes.tolist() else "rounding decides the branches"
    return reason


def allocate() -> tuple[Any, Any, Integers]:
    """Return the outputs of `solve_branches` for other numbers than doubles: rotations, scratch, codes."""
    rotations, scratch = np.empty((MAX_SOLUTIONS, 12), dtype=object), np.empty((MAX_PLACES, 7), dtype=object)
    return rotations, scratch, np.zeros(13, dtype=np.int64)


def prove_codes(structure: Structure, target: Array, home: Array, limits: Array, number: Any) -> list[int]:
    """Return the codes of all solutions within the limits, proven; bounds are floats or mpmath numbers."""
    R, t = exact_motion(target, home, structure.backwards, number)
    K = enclose_array(structure.constants, INPUT_ERROR * max(1.0, structure.length) if number is float else 0.0, number)
    at = (Interval.around(number(1.0)), Interval.around(number(0.0)))
    rotations, scratch, codes = allocate()
    length = number(structure.length)
    total = _enclosed_solver()(structure.kind, R, t, K, length, (0.0, 0.0, 0.0), at, rotations, scratch, codes)
    listed = [k for k in range(total) if is_within(angles(rotations[k], atan2), structure, limits)]
    return [int(codes[FIRST_SOLUTION + k]) for k in listed]


def solve_in_extended_precision(
    structure: Structure, target: Array, home: Array, limits: Array, at: float, Q: Array, codes: Integers
) -> int:
    """Do the same as `solve_closed_form`, with double-doubles or, if these do not decide, with DIGITS digits."""
    numbers = np.array([structure.length, DOUBLE_DOUBLE_NOISE, math.cos(at), math.sin(at)])
    inputs, solver = (target, home, structure.constants, numbers), double_double_solver()
    if solver is not None:
        (T, M, K, given), rotations = map(to_double_doubles, inputs), np.empty((MAX_SOLUTIONS, 12, 2))
        scratch = np.empty((MAX_PLACES, 7, 2))
        count = solver(T, M, structure.kind, structure.backwards, K, given, rotations, scratch, codes)
        rotations = rotations[:, :, 0].copy()
    if solver is None or codes[FLAGS] & decisions.NEEDS_EXTENDED_PRECISION:
        numbers[1] = 0.0
        count, rotations = _solve_in_digits(structure, inputs, codes)
    within = structure.signs, structure.backwards, limits
    return int(module().write_solutions(rotations, count, *within, Q, codes))


def _solve_in_digits(structure: Structure, inputs: tuple[Array, ...], codes: Integers) -> tuple[int, Array]:
    """Return the number of solutions and their rotations, computed with DIGITS digits."""
    import mpmath

    with mpmath.workdps(DIGITS):
        (T, M, K, given), (exact, scratch, _) = map(to_digits, inputs), allocate()
        solve = rebind_math(mpmath, extended_form.solve_extended, *_TEXT, extended_form)
        count = solve(T, M, structure.kind, structure.backwards, K, given, exact, scratch, codes)
    rotations = np.empty(exact.shape)
    rotations[:count] = exact[:count]
    return count, rotations


def to_double_doubles(numbers: Array) -> Array:
    """Return double-doubles equal to doubles, with another axis for their two parts."""
    parts = np.zeros((*numbers.shape, 2))
    parts[..., 0] = numbers
    return parts


def angles(rotations: Any, atan2: Callable[[Any, Any], Any]) -> list[Any]:
    return [atan2(sine, cosine) for cosine, sine in zip(rotations[::2], rotations[1::2], strict=True)]


def middle(x: Interval) -> Any:
    return (x.lower + x.upper) / 2


_TEXT = (subproblems, decisions, closed_form)


@lru_cache(maxsize=1)
def _enclosed_solver() -> Any:
    return rebind_math(INTERVAL_MATH, solve_branches, *_TEXT)


def describe_boundary(flags: int) -> str:
    names = {"shoulder": decisions.SHOULDER, "elbow": decisions.ELBOW, "wrist": decisions.WRIST}
    free = [name for name, bit in names.items() if flags & 8 * bit]
    double = [name for name, bit in names.items() if flags & 64 * bit]
    if free:
        return f"up to rounding, the pose is singular: an angle at the {free[0]} is free"
    if double:
        return f"up to rounding, the pose is at an edge of reach: the two solutions at the {double[0]} merge"
    return ""


def exact_motion(target: Array, home: Array, backwards: bool, number: Any) -> tuple[Any, Any]:
    """Return rotation and translation of T M⁻¹, or of its inverse, as intervals."""
    R = exact_rotation(target[:3, :3], number) @ exact_rotation(home[:3, :3], number).T
    t = enclose_array(target[:3, 3], 0.0, number) - R @ home[:3, 3]
    if backwards:
        R, t = R.T, -(R.T @ t)
    return tuple(map(tuple, R)), tuple(t)


def to_digits(numbers: Array) -> Any:
    """Return mpmath numbers equal to doubles."""
    import mpmath

    return np.vectorize(lambda x: mpmath.mpf(float(x)), otypes=[object])(numbers)


def is_within(rotations: Any, structure: Structure, limits: Array) -> bool:
    """Return whether revolutions bring each joint into its limits, proven."""
    for i in range(6):
        j = 5 - i if structure.backwards else i
        x, lower, upper = rotations[i] * float(structure.signs[i]), float(limits[j, 0]), float(limits[j, 1])
        if upper - lower >= closed_form.REVOLUTION:
            continue
        shift = -closed_form.REVOLUTION * round((float(middle(x)) - 0.5 * (lower + upper)) / closed_form.REVOLUTION)
        x = x + Interval.around(shift, abs(shift) * 2.0**-52)
        if not (x >= lower and x <= upper):
            return False
    return True
