"""A ball around a configuration that holds exactly one exact solution, or why none is shown.

Newton's step with a fixed matrix, N(x) = x − P F(q + C x), maps the ball |x| ≤ r into itself where

    η − (1 − g) r + ½ b r² ≤ 0,     η = |P F(q)|,   g = |I − P J C|,   b = |P| K |C|²,

and brings any two points of |x| < (1 − g) / b nearer to each other. K bounds the second derivative of F. So the
smaller root r holds one fixed point, a zero of F, and the larger ball no other. The root is real where
h = b η / (1 − g)² ≤ ½ (claims 21.5 and 21.6). P need not be exact: g tells how well it inverts J C.
With six joints C = I. With more, its columns span what J can move, and the solution is the one on that slice.

Source: Kantorovich and Akilov, Functional Analysis (1982), ch. 18, in the form of Rump, Verification methods (2010).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.residual import TINY, WIDER, U, residual

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import LARGEST_ANGLE

HELD, NOT_SMALL, NO_INVERSE, FAR, LARGE = 0, 1, 2, 3, 4
"""What is found: the ball; h is too large; the derivative has no good inverse; the target is turned away by more than
60 degrees, or nothing is finite; an angle is too large for its sine."""

RADIUS, ALONE, H, SHARPEST = 0, 1, 2, 3
"""Places in what is found: radius of the ball; of that in which no other solution is; h; 1 / |P|, see `Certificate`."""

FARTHEST = 1.0
"""The balls are no larger, rad and lengths of the arm: K of an arm that slides is meant for these."""

ANOTHER = 0.1
"""Newton steps that lead farther from where they begin, rad or lengths of the arm, lead to another solution."""


def certify(joints: Array, home: Array, loose: float, second: float, q: Array, T: Array, found: Array) -> int:
    """Write the ball around q; return HELD, or why there is none.

    Args:
        joints: See `residual`.
        home: See `residual`.
        loose: See `residual`.
        second: K.
        q: Configuration, rad or lengths of the arm, shape (n,), n ≥ 6.
        T: Target, shape (4, 4).
        found: For the numbers, shape (4,), zeros.
    """
    n = joints.shape[0]
    for i in range(n):
        if not abs(q[i]) <= LARGEST_ANGLE:
            return LARGE
    F, J = np.empty(6), np.empty((6, n))
    e_F, e_J, trace = residual(joints, home, loose, q, T, F, J, np.empty((n, 8)))
    if not trace > 2.0:  # the turn that is missing is less than 60 degrees
        return FAR
    C, widening = np.zeros((n, 6)), 1.0
    M = J
    if n > 6:
        widening = slice_across(J, C)
        if not widening < 1.0 + 1e-9:
            return NO_INVERSE
        M, e_J = np.empty((6, 6)), (e_J + (n + 1.0) * U * length_of(J)) * length_of(C)
        multiply(J, C, M)
    P = np.empty((6, 6))
    if not inverted(M, P):
        return NO_INVERSE
    large = length_of(P) * WIDER
    near = np.empty((6, 6))
    multiply(P, M, near)
    for i in range(6):
        near[i, i] -= 1.0
    g = (length_of(near) + 9.0 * U * (large * length_of(M) + 3.0) + large * e_J) * WIDER
    square, whole = 0.0, 0.0
    for i in range(6):
        step = 0.0
        for k in range(6):
            step += P[i, k] * F[k]
        square += step * step
        whole += F[i] * F[i]
    eta = (math.sqrt(square) + 7.0 * U * large * math.sqrt(whole) + large * e_F) * WIDER
    found[SHARPEST] = 1.0 / large
    rest = (1.0 - g) / WIDER
    if not rest > 0.0:
        return NO_INVERSE
    b = large * second * widening * WIDER
    found[H] = b * eta / (rest * rest) * WIDER
    if not found[H] <= 0.5:
        return NOT_SMALL
    root = math.sqrt(max(0.0, 1.0 - 2.0 * found[H]))
    out = math.sqrt(widening) * WIDER
    found[RADIUS] = 2.0 * eta / (rest * (1.0 + root)) * out * WIDER + TINY
    found[ALONE] = min(rest / b, FARTHEST) / out
    no_half_turn = found[RADIUS] * math.sqrt(n) < 2.0  # with 60 degrees before, F = 0 means that no turn is missing
    return HELD if found[RADIUS] <= found[ALONE] and no_half_turn else NOT_SMALL


def polish(joints: Array, home: Array, loose: float, limits: Array, T: Array, steps: int, q: Array) -> None:
    """Bring a configuration nearer to the target by Newton steps within the limits, until rounding hides what is left.

    Beside a singular configuration a step may overshoot, and those after it come back, so one that is no nearer does
    not end the search.

    Args:
        joints: See `residual`.
        home: See `residual`.
        loose: See `residual`.
        limits: Shape (n, 2), rad or lengths of the arm.
        T: Target, shape (4, 4).
        steps: At most so many.
        q: Configuration, rad or lengths of the arm, shape (n,), n ≥ 6; the best that was seen comes in its place.
    """
    n = joints.shape[0]
    F, J, room, start, best = np.empty(6), np.empty((6, n)), np.empty((n, 8)), q.copy(), q.copy()
    C, M, P, least = np.zeros((n, 6)), np.empty((6, 6)), np.empty((6, 6)), math.inf
    for _ in range(steps + 1):
        rounding, _slope, _trace = residual(joints, home, loose, q, T, F, J, room)
        off, moved = 0.0, 0.0
        for i in range(6):
            off = max(off, abs(F[i]))
        for i in range(n):
            moved = max(moved, abs(q[i] - start[i]))
        if not moved <= ANOTHER:
            break
        if off < least:
            least = off
            for i in range(n):
                best[i] = q[i]
        elif not least > rounding:
            break
        if n > 6:
            slice_across(J, C)
            multiply(J, C, M)
        if not inverted(M if n > 6 else J, P):
            break
        for i in range(n):
            step = 0.0
            for j in range(6):
                for k in range(6):
                    step += (C[i, j] if n > 6 else 1.0 if i == j else 0.0) * P[j, k] * F[k]
            q[i] = min(max(q[i] - step, limits[i, 0]), limits[i, 1])
    for i in range(n):
        q[i] = best[i]


def length_of(A: Array) -> float:
    """Return the root of the sum of all squares, no less than the largest singular value."""
    square = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            square += A[i, j] * A[i, j]
    return math.sqrt(square)


def multiply(A: Array, B: Array, C: Array) -> None:
    """Write A B into C."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            entry = 0.0
            for k in range(A.shape[1]):
                entry += A[i, k] * B[k, j]
            C[i, j] = entry


def slice_across(J: Array, C: Array) -> float:
    """Write directions that span the rows of J into the columns of C, all but orthonormal; return a bound of |C|²."""
    n = J.shape[1]
    for k in range(6):
        for i in range(n):
            C[i, k] = J[k, i]
        for _ in range(2):
            for m in range(k):
                along = 0.0
                for i in range(n):
                    along += C[i, m] * C[i, k]
                for i in range(n):
                    C[i, k] -= along * C[i, m]
        square = 0.0
        for i in range(n):
            square += C[i, k] * C[i, k]
        for i in range(n):
            C[i, k] = C[i, k] / math.sqrt(square) if square > 0.0 else 0.0
    off = 0.0
    for k in range(6):
        for m in range(6):
            entry = -1.0 if k == m else 0.0
            for i in range(n):
                entry += C[i, k] * C[i, m]
            off += entry * entry
    return float(1.0 + math.sqrt(off) * WIDER + 12.0 * (n + 2.0) * U)


def inverted(M: Array, P: Array) -> bool:
    """Write about the inverse of M, shape (6, 6), into P, by elimination with pivots; return whether there is one."""
    A = M.copy()
    for i in range(6):
        for j in range(6):
            P[i, j] = 1.0 if i == j else 0.0
    for k in range(6):
        top = k
        for i in range(k + 1, 6):
            if abs(A[i, k]) > abs(A[top, k]):
                top = i
        if not abs(A[top, k]) > 0.0:
            return False
        for j in range(6):
            A[k, j], A[top, j] = A[top, j], A[k, j]
            P[k, j], P[top, j] = P[top, j], P[k, j]
        by = 1.0 / A[k, k]
        for j in range(6):
            A[k, j] *= by
            P[k, j] *= by
        for i in range(6):
            if i != k:
                factor = A[i, k]
                for j in range(6):
                    A[i, j] -= factor * A[k, j]
                    P[i, j] -= factor * P[k, j]
    return True
