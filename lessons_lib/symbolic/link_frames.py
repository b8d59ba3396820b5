"""Link frames in which a joint axis is a coordinate axis, so that its rotation mixes only two rows."""
# Frames are computed from numbers and orthonormalized to all guard digits: each is built from directions in the
# previous one, so that errors would double with every joint.

import sympy as sp

SNAP = 1e-15
"""A smaller component of a unit axis is rounding, for instance of cos(π/2) in a table of parameters."""


def round_unit_component(w: sp.Expr) -> sp.Expr:
    """Return 0, 1 or −1 for a component of a unit vector that equals it up to rounding; others unchanged."""
    return sp.Integer(round(float(w))) if w.is_number and abs(float(w) - round(float(w))) < SNAP else w


def snap(axis: sp.Matrix) -> sp.Matrix:
    """Return a unit 3-column without rounding errors near zero, normalized."""
    kept = axis.applyfunc(lambda w: sp.Integer(0) if abs(float(w)) < SNAP else w)
    if coordinate_axis(kept) is not None:
        return kept.applyfunc(sp.sign)
    return kept / sp.sqrt(kept.dot(kept)) if kept.atoms(sp.Float) else kept


def first_frame(R: sp.Matrix, axes: list[sp.Matrix]) -> sp.Matrix:
    """Return the first frame of the recursion: {s}, or the tip's if only there the last axis is a coordinate axis."""
    if not axes or coordinate_axis(snap(axes[-1])) is not None:
        return sp.eye(3)
    return orthonormalize(R) if coordinate_axis(snap(R.T * axes[-1])) is not None else sp.eye(3)


def orthonormalize(R: sp.Matrix) -> sp.Matrix:
    """Orthonormalize a rotation of numbers to all guard digits by Gram-Schmidt, from the column with most zeros."""
    if not R.atoms(sp.Float):
        return R
    first = max(range(3), key=lambda k: [entry.is_zero for entry in R[:, k]].count(True))
    second, third = (first + 1) % 3, (first + 2) % 3
    x, y = snap(sp.Matrix(R[:, first])), sp.Matrix(R[:, second])
    y = y - x.dot(y) * x
    y = y / sp.sqrt(y.dot(y))
    columns = {first: x, second: y, third: x.cross(y)}
    return sp.Matrix.hstack(*(columns[k] for k in range(3)))


def coordinate_axis(axis: sp.Matrix) -> int | None:
    """Return k if a snapped unit 3-column is e_k or −e_k, else None."""
    places = [k for k in range(3) if axis[k] != 0]
    return places[0] if len(places) == 1 else None


def rotation_about(k: int, cosine: sp.Expr, sine: sp.Expr) -> sp.Matrix:
    """Return the rotation about the coordinate axis e_k with the given cosine and sine."""
    a, b = (k + 1) % 3, (k + 2) % 3
    R = sp.eye(3)
    R[a, a], R[a, b] = cosine, -sine
    R[b, a], R[b, b] = sine, cosine
    return R


def angle_onto_plane(k: int, axis: sp.Matrix) -> sp.Expr:
    """Return the angle about e_k after which one rotation about a coordinate axis reaches `axis`; 0 if not needed."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return sp.Integer(0) if 0 in (axis[a], axis[b]) else sp.atan2(axis[b], axis[a])


def rotation_onto(axis: sp.Matrix) -> sp.Matrix:
    """Return a rotation of numbers with a column ±`axis` and as many zeros as possible."""
    zeros = [k for k in range(3) if axis[k] == 0]
    if not zeros:
        angle = angle_onto_plane(2, axis)
        first = rotation_about(2, sp.cos(angle), sp.sin(angle))
        return first * rotation_onto(snap(first.T * axis))
    k = zeros[0]
    return rotation_about(k, axis[(k + 1) % 3], axis[(k + 2) % 3])


def without_rounding(length: sp.Expr, *parts: sp.Expr) -> sp.Expr:
    """Return 0 for a number that is only the rounding error of the given parts, `length` otherwise."""
    if not length.is_number:
        return length
    size = max((abs(float(part)) for part in parts if part.is_number), default=0.0)
    return sp.Integer(0) if abs(float(length)) <= SNAP * size else length


def with_guard_digits(matrix: sp.Matrix) -> sp.Matrix:
    """Return `matrix` with its floating-point numbers extended to 40 digits."""
    return matrix.applyfunc(lambda x: sp.Float(x, 40) if x.is_Float else x)
