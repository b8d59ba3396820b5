"""Frames in which a joint's axis is a coordinate axis: there a rotation mixes two rows and leaves the third alone.

All of this is done on numbers, when a chain is derived. What is no number here never enters the derivation.

Every frame is a rotation to all the guard digits, not to those of its input: the next one is made of directions seen
from it, so that what is missing from a right angle or from a unit length would double with every joint.
"""

import sympy as sp

SNAP = 1e-15
"""A component of a unit axis below this is rounding: the sine or cosine of π/2 in somebody's table."""


def whole(w: sp.Expr) -> sp.Expr:
    """Return 0, 1 or −1 for a component of a unit vector that is one of them but for rounding; others as they are."""
    return sp.Integer(round(float(w))) if w.is_number and abs(float(w) - round(float(w))) < SNAP else w


def snapped(axis: sp.Matrix) -> sp.Matrix:
    """Return a unit 3-column with its rounding taken out, of unit length once more."""
    kept = axis.applyfunc(lambda w: sp.Integer(0) if abs(float(w)) < SNAP else w)
    if coordinate_axis(kept) is not None:
        return kept.applyfunc(sp.sign)
    return kept / sp.sqrt(kept.dot(kept)) if kept.atoms(sp.Float) else kept


def first_frame(R: sp.Matrix, axes: list[sp.Matrix]) -> sp.Matrix:
    """Return the frame in which the recursion starts: {s}, or that of the tip where the last axis fits it alone."""
    if not axes or coordinate_axis(snapped(axes[-1])) is not None:
        return sp.eye(3)
    return orthonormal(R) if coordinate_axis(snapped(R.T * axes[-1])) is not None else sp.eye(3)


def orthonormal(R: sp.Matrix) -> sp.Matrix:
    """Return a rotation of numbers, given to the digits of its input, to the guard digits: Gram and Schmidt's way.

    It begins with the column that has the most zeros, which stay.
    """
    if not R.atoms(sp.Float):
        return R
    first = max(range(3), key=lambda k: [entry.is_zero for entry in R[:, k]].count(True))
    second, third = (first + 1) % 3, (first + 2) % 3
    x, y = snapped(sp.Matrix(R[:, first])), sp.Matrix(R[:, second])
    y = y - x.dot(y) * x
    y = y / sp.sqrt(y.dot(y))
    columns = {first: x, second: y, third: x.cross(y)}
    return sp.Matrix.hstack(*(columns[k] for k in range(3)))


def coordinate_axis(axis: sp.Matrix) -> int | None:
    """Return k where a snapped unit 3-column is e_k or −e_k, None where it is neither."""
    places = [k for k in range(3) if axis[k] != 0]
    return places[0] if len(places) == 1 else None


def rotation_about(k: int, cosine: sp.Expr, sine: sp.Expr) -> sp.Matrix:
    """Return the rotation about the coordinate axis e_k whose cosine and sine are given."""
    a, b = (k + 1) % 3, (k + 2) % 3
    R = sp.eye(3)
    R[a, a], R[a, b] = cosine, -sine
    R[b, a], R[b, b] = sine, cosine
    return R


def angle_onto_plane(k: int, axis: sp.Matrix) -> sp.Expr:
    """Return the angle about e_k after which a further rotation about one coordinate axis reaches `axis`.

    Zero where one of the two components beside e_k vanishes already.
    """
    a, b = (k + 1) % 3, (k + 2) % 3
    return sp.Integer(0) if 0 in (axis[a], axis[b]) else sp.atan2(axis[b], axis[a])


def rotation_onto(axis: sp.Matrix) -> sp.Matrix:
    """Return a rotation C of numbers with a column ±`axis`, with as many zeros as can be.

    An axis in a coordinate plane needs a rotation about one coordinate axis; another one needs one more before.
    """
    zeros = [k for k in range(3) if axis[k] == 0]
    if not zeros:
        angle = angle_onto_plane(2, axis)
        first = rotation_about(2, sp.cos(angle), sp.sin(angle))
        return first * rotation_onto(snapped(first.T * axis))
    k = zeros[0]
    return rotation_about(k, axis[(k + 1) % 3], axis[(k + 2) % 3])


def without_rounding(length: sp.Expr, *parts: sp.Expr) -> sp.Expr:
    """Return 0 for a number that is nothing but the rounding of the numbers it was made of, `length` otherwise."""
    if not length.is_number:
        return length
    size = max((abs(float(part)) for part in parts if part.is_number), default=0.0)
    return sp.Integer(0) if abs(float(length)) <= SNAP * size else length


def with_guard_digits(matrix: sp.Matrix) -> sp.Matrix:
    """Return `matrix` with its floating-point numbers as they are, but computed with to 40 digits from here on."""
    return matrix.applyfunc(lambda x: sp.Float(x, 40) if x.is_Float else x)
