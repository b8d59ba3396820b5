"""Prove that all solutions of a closed form are listed, by running it on intervals."""
# Each step of the tree is an equivalence (lesson 19). The target is the pose with the nearest rotation; the constants
# of the exact arm are within INPUT_ERROR. Doubles come first, then DIGITS digits if all axes are along those of {s}.
# Extended precision also solves if doubles cannot.

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, decisions, subproblems
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
from lessons_lib.all_solutions.recognition import EXACT, Structure
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import INPUT_ERROR

Convert = Callable[[Array], Any]
ROUNDED = 10.0 ** (-DIGITS // 2)
"""A matrix that is so far from a rotation is one to DIGITS digits after another step of Newton's iteration."""

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
    total = _rebound_solver("enclosed")(structure.kind, R, t, K, length, (0.0, 0.0, 0.0), at, rotations, scratch, codes)
    listed = [k for k in range(total) if is_within(angles(rotations[k], atan2), structure, limits)]
    return [int(codes[FIRST_SOLUTION + k]) for k in listed]


def solve_in_extended_precision(
    structure: Structure, target: Array, home: Array, limits: Array, at: float, Q: Array, codes: Integers
) -> int:
    """Do the same as `solve_closed_form`, with DIGITS digits, in some hundredths of a second."""
    import mpmath

    with mpmath.workdps(DIGITS):
        R, t = motion(target, home, structure.backwards, to_digits, nearest_rotation)
        K = np.array([[mpmath.mpf(float(x)) for x in line] for line in structure.constants], dtype=object)
        for row in DIRECTIONS:
            K[row] = K[row] / mpmath.norm(mpmath.matrix(K[row].tolist()))  # of the exact arm
        rotations, scratch, _ = allocate()
        free = (mpmath.cos(at), mpmath.sin(at))
        length, tol = mpmath.mpf(structure.length), (closed_form.FREE_BAND, closed_form.EXACT_EDGE_BAND, 0.0)
        row_count = _rebound_solver("digits")(structure.kind, R, t, K, length, tol, free, rotations, scratch, codes)
        q_of = np.array([angles(rotations[i], mpmath.atan2) for i in range(row_count)], dtype=np.float64)
    count, q = 0, np.empty(6)
    for i in range(row_count):
        if closed_form.wrap_into_limits(q_of[i], structure.signs, structure.backwards, limits, q):
            Q[count], codes[FIRST_SOLUTION + count] = q, codes[FIRST_SOLUTION + i]
            count += 1
        else:
            codes[FLAGS] |= closed_form.OUTSIDE_LIMITS
    return count


def angles(rotations: Any, atan2: Callable[[Any, Any], Any]) -> list[Any]:
    return [atan2(sine, cosine) for cosine, sine in zip(rotations[::2], rotations[1::2], strict=True)]


def middle(x: Interval) -> Any:
    return (x.lower + x.upper) / 2


_TEXT = (subproblems, decisions, closed_form)


@lru_cache(maxsize=2)
def _rebound_solver(kind: str) -> Any:
    import mpmath

    return rebind_math(INTERVAL_MATH if kind == "enclosed" else mpmath, solve_branches, *_TEXT)


def describe_boundary(flags: int) -> str:
    names = {"shoulder": decisions.SHOULDER, "elbow": decisions.ELBOW, "wrist": decisions.WRIST}
    free = [name for name, bit in names.items() if flags & 8 * bit]
    double = [name for name, bit in names.items() if flags & 64 * bit]
    if free:
        return f"to rounding, the pose is singular: an angle at the {free[0]} is free"
    return f"to rounding, the pose is at an edge of reach: the two solutions at the {double[0]} merge" if double else ""


def exact_motion(target: Array, home: Array, backwards: bool, number: Any) -> tuple[Any, Any]:
    """Return rotation and translation of T M⁻¹, or of its inverse, as intervals."""
    rotation = partial(exact_rotation, number=number)
    return motion(target, home, backwards, partial(enclose_array, radius=0.0, number=number), rotation)


def motion(target: Array, home: Array, backwards: bool, exact: Convert, rotation: Convert) -> tuple[Any, Any]:
    """Return rotation and translation of T M⁻¹, or of its inverse, in the numbers of `exact` and `rotation`."""
    R = rotation(target[:3, :3]) @ rotation(home[:3, :3]).T
    t = exact(target[:3, 3]) - R @ home[:3, 3]
    if backwards:
        R, t = R.T, -(R.T @ t)
    return tuple(map(tuple, R)), tuple(t)


def to_digits(numbers: Array) -> Any:
    """Return mpmath numbers equal to doubles."""
    import mpmath

    return np.vectorize(lambda x: mpmath.mpf(float(x)), otypes=[object])(numbers)


def nearest_rotation(R: Array) -> Any:
    """Return the rotation nearest to a matrix of doubles, to DIGITS digits, shape (3, 3)."""
    X, error = to_digits(R), np.ones((3, 3))
    while np.abs(error).max() > ROUNDED:  # Newton's iteration for the polar factor squares the error
        error = X.T @ X - np.eye(3)
        X = X - X @ error / 2
    return X


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
