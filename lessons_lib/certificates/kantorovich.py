"""Newton-Kantorovich: a ball around a configuration that contains exactly one exact solution."""
# Newton's step with a fixed matrix, N(x) = x − P F(q + C x), maps the ball |x| ≤ r into itself if η − (1 − g) r + ½ b
# r² ≤ 0, with η = |P F(q)|, g = |I − P J C|, b = |P| K |C|², and contracts |x| < (1 − g) / b; K bounds the second
# derivative of F. So the ball of the smaller root r contains one zero of F, and the larger ball no other. The root is
# real if h = b η / (1 − g)² ≤ ½ (claims 20.5, 20.6). If the joints are coupled, θ = A q, K |A|² replaces K. P need not
# be exact: g bounds its error. With six joints C = I; with more, the columns of C span the row space of J, and the
# solution is the one in that slice. Source: Kantorovich and Akilov, Functional Analysis (1982), ch. 18, in the form of
# Rump (2010).

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, UNDERFLOW, U
from lessons_lib.certificates.lu import invert
from lessons_lib.certificates.residual import coupled_residual

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import LARGEST_ANGLE

PROVEN, H_TOO_LARGE, SINGULAR, ROTATED_TOO_FAR, ANGLE_TOO_LARGE = 0, 1, 2, 3, 4
"""Outcomes of `certify`; ROTATED_TOO_FAR: the target is rotated by more than 60°, or a number is not finite."""
RADIUS, UNIQUE_RADIUS, H, SMALLEST = 0, 1, 2, 3
"""Entries of the result: radius of the ball; of the ball without another solution; h; 1 / |P|, see `Certificate`."""
LARGEST_BALL = 1.0  # largest radius, rad and arm lengths, in which K of an arm with prismatic joints holds
LARGEST_CHANGE = 0.1  # of a joint, rad or arm lengths: Newton steps beyond it lead to another solution


def certify(
    joints: Array, home: Array, e_home: float, A: Array, A_norm: float, K: float, q: Array, T: Array, numbers: Array
) -> int:
    """Write the ball around q (n,), n ≥ 6, into `found`, four zeros; return PROVEN or the reason against it."""
    n, coupled = q.shape[0], A.shape[0] > 0
    for i in range(A.shape[0] if coupled else n):
        size = 0.0 if coupled else abs(q[i])
        for j in range(A.shape[1]):
            size += abs(A[i, j] * q[j])
        if not size <= LARGEST_ANGLE:
            return ANGLE_TOO_LARGE
    F, J = np.empty(6), np.empty((6, n))
    e_F, e_J, trace = coupled_residual(joints, home, e_home, A, A_norm, K, q, T, F, J)
    if not trace > 2.0:  # the rotation error is below 60°
        return ROTATED_TOO_FAR
    C, M, P = np.zeros((n, 6)), np.empty((6, 6)), np.empty((6, 6))
    widening = row_space(J, C)
    if not widening < 1.0 + 1e-9:
        return SINGULAR
    if n > 6:
        e_J = (e_J + (n + 1.0) * U * frobenius(J)) * frobenius(C)
    multiply(J, C, M)
    if not invert(M, P):
        return SINGULAR
    large = frobenius(P) * INFLATION
    near = np.empty((6, 6))
    multiply(P, M, near)
    for i in range(6):
        near[i, i] -= 1.0
    g = (frobenius(near) + 9.0 * U * (large * frobenius(M) + 3.0) + large * e_J) * INFLATION
    square, whole = 0.0, 0.0
    for i in range(6):
        step = 0.0
        for k in range(6):
            step += P[i, k] * F[k]
        square += step * step
        whole += F[i] * F[i]
    eta = (math.sqrt(square) + 7.0 * U * large * math.sqrt(whole) + large * e_F) * INFLATION
    numbers[SMALLEST] = 1.0 / large
    rest = (1.0 - g) / INFLATION
    if not rest > 0.0:
        return SINGULAR
    b = large * K * (A_norm * A_norm) * widening * INFLATION
    numbers[H] = b * eta / (rest * rest) * INFLATION
    if not numbers[H] <= 0.5:
        return H_TOO_LARGE
    root = math.sqrt(max(0.0, 1.0 - 2.0 * numbers[H]))
    out, grown = math.sqrt(widening) * INFLATION, max(1.0, A_norm)
    numbers[RADIUS] = 2.0 * eta / (rest * (1.0 + root)) * out * INFLATION + UNDERFLOW
    numbers[UNIQUE_RADIUS] = min(rest / b, LARGEST_BALL / grown) / out
    turned = numbers[RADIUS] * A_norm * math.sqrt(joints.shape[0])
    no_half_turn = turned < 2.0  # so F = 0 excludes a rotation error of 180°
    return PROVEN if numbers[RADIUS] <= numbers[UNIQUE_RADIUS] and no_half_turn else H_TOO_LARGE


def polish(
    joints: Array,
    home: Array,
    e_home: float,
    A: Array,
    A_norm: float,
    K: float,
    limits: Array,
    T: Array,
    steps: int,
    q: Array,
) -> None:
    """Improve q (n,), n ≥ 6, by Newton steps within the limits, until the residual is below its radius."""
    # Near a singular configuration a step may overshoot and later steps return, so a worse step does not stop it.
    n = q.shape[0]
    F, J, start, best = np.empty(6), np.empty((6, n)), q.copy(), q.copy()
    C, M, P, smallest = np.zeros((n, 6)), np.empty((6, 6)), np.empty((6, 6)), math.inf
    for _ in range(steps + 1):
        radius, _slope, _trace = coupled_residual(joints, home, e_home, A, A_norm, K, q, T, F, J)
        error, moved = 0.0, 0.0
        for i in range(6):
            error = max(error, abs(F[i]))
        for i in range(n):
            moved = max(moved, abs(q[i] - start[i]))
        if not moved <= LARGEST_CHANGE:
            break
        if error < smallest:
            smallest = error
            for i in range(n):
                best[i] = q[i]
        elif not smallest > radius:
            break
        row_space(J, C)
        multiply(J, C, M)
        if not invert(M, P):
            break
        for i in range(n):
            step = 0.0
            for j in range(6):
                for k in range(6):
                    step += C[i, j] * P[j, k] * F[k]
            q[i] = min(max(q[i] - step, limits[i, 0]), limits[i, 1])
    for i in range(n):
        q[i] = best[i]


def frobenius(A: Array) -> float:
    """Return the Frobenius norm, an upper bound on the largest singular value."""
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


def row_space(J: Array, C: Array) -> float:
    """Write a basis of the row space of J, orthonormal to rounding, into the columns of C; return a bound on |C|²."""
    # C is the identity for six joints.
    n = J.shape[1]
    if n == 6:
        for k in range(6):
            C[k, k] = 1.0
        return 1.0
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
    error = 0.0
    for k in range(6):
        for m in range(6):
            entry = -1.0 if k == m else 0.0
            for i in range(n):
                entry += C[i, k] * C[i, m]
            error += entry * entry
    return float(1.0 + math.sqrt(error) * INFLATION + 12.0 * (n + 2.0) * U)
