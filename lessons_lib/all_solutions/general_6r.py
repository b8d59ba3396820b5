"""Solve a general 6R arm: candidates from several eliminations, polished by Newton's method, duplicates merged.

The orderings of the elimination come from general_arm.py, candidates from elimination.py and trig_polynomial.py.
"""

import math

import numpy as np

from lessons_lib.all_solutions.closed_form import NO_POSE, TURN, motion, wrap_into_limits
from lessons_lib.all_solutions.elimination import (
    EQUATIONS,
    LEFT,
    RIGHT,
    SIZE,
    half_angles,
    last_angle,
    reflect,
    write_equations,
    write_matrix,
    write_null_vector,
    write_right,
)
from lessons_lib.all_solutions.newton import REACHED, pivot, polished, write_system
from lessons_lib.all_solutions.trig_polynomial import (
    UNKNOWN,
    count_simple_zeros,
    evaluate_with_derivative,
    find_zeros,
    write_coefficients,
    write_derivative,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.lu import factor
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.vec3 import turned

ANSWERS = 16  # upper bound on the number of isolated solutions
SAME = 1e-6  # solutions closer than this, rad, are the same
SINGULAR = 0.01
"""Ratio of a pivot to the largest entry below which the pose is near a singular one, where orderings lose solutions."""
NEAR_BY, DISTINCT, BETWEEN = 0.01, 40.0 * REACHED, 3.0 * REACHED
"""Closer solutions, rad, are tested for being one: where two merge at a distance d the derivative becomes singular, and
between them the pose is missed by about the least pivot hits d; below DISTINCT that is Newton's residual.
"""
CLEAR, SEARCH_ARCS, RANK = 100.0, 300, 1e-6
"""Zeros are counted if they exceed the determinant's error by CLEAR, in at most SEARCH_ARCS arcs, and if the pivots of
the eliminated products exceed RANK: without rank eight a solution may make no zero.
"""
ASIDE = 1e-2  # distance of a perturbed pose whose solutions are candidates too, rad and lengths of the arm
CHECKED_AT = 0.7  # angle, rad, at which the determinant's error is estimated besides its zeros


def find_known(Q: Array, count: int, q: Array, backwards: bool) -> int:
    """Return the index of a solution that equals a configuration up to revolutions, or UNKNOWN."""
    for k in range(count):
        if distance(Q[k], q, backwards) < SAME:
            return k
    return UNKNOWN


def distance(a: Array, q: Array, backwards: bool) -> float:
    """Return the distance of two configurations up to revolutions; `q` may be in the order from the tip."""
    total = 0.0
    for j in range(6):
        between = a[5 - j if backwards else j] - q[j]
        between -= TURN * math.floor(between / TURN + 0.5)
        total += between * between
    return math.sqrt(total)


def find_duplicate(Q: Array, count: int, q: Array, backwards: bool, axes: Array, X: Array) -> int:
    """Return the index of a solution that cannot be distinguished from a configuration, or UNKNOWN."""
    J, other, middle = np.empty((6, 7)), np.empty(6), np.empty(6)
    for k in range(count):
        far = distance(Q[k], q, backwards)
        if far < NEAR_BY:
            for j in range(6):
                between = Q[k, 5 - j if backwards else j] - q[j]
                other[j] = q[j] + between - TURN * math.floor(between / TURN + 0.5)
                middle[j] = 0.5 * (q[j] + other[j])
            flat = far * max(pivot(axes, X, q), pivot(axes, X, other)) < DISTINCT
            if far < SAME or flat or write_system(axes, X, middle, J) < BETWEEN:
                return k
    return UNKNOWN


def write_candidates(
    X: Array, axes: Array, left: Array, around: Array, first: int, kept: int, Q: Array
) -> tuple[int, int]:
    """Write a configuration near each solution that one ordering of the elimination finds, in its order."""
    # Return how many; and the number of zeros of the determinant, UNKNOWN if its error may hide some. `X` is the
    # motion, `axes`, `left` and `first` belong to `write_equations`, `around` to `write_zeros`; `kept` is the kept
    # angle.
    places = around.shape[1]
    E, A, v, y = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((SIZE, SIZE)), np.empty(SIZE), np.empty(RIGHT)
    write_equations(X, axes, first, left, E)
    reflect(E)
    least, most = abs(E[0, 0]), 0.0
    for k in range(RIGHT):
        least, most = min(least, abs(E[k, k])), max(most, abs(E[k, k]))
    values, fourier, slope = np.empty(places), np.empty(places), np.empty(places)
    for i in range(places):
        write_matrix(E, around[i, 2], around[i, 1], A)
        values[i] = factor(A, SIZE, 0.0)
    largest = write_coefficients(values, around, fourier)
    if not 0.0 < largest < math.inf:
        return 0, UNKNOWN
    write_derivative(fourier, slope)
    angles = np.empty(len(Q))
    count = find_zeros(fourier, slope, around, angles)
    write_matrix(E, math.sin(CHECKED_AT), math.cos(CHECKED_AT), A)
    off = abs(factor(A, SIZE, 0.0) - evaluate_with_derivative(fourier, CHECKED_AT)[0])
    for n in range(count):
        q = Q[n]
        write_matrix(E, math.sin(angles[n]), math.cos(angles[n]), A)
        off = max(off, abs(factor(A, SIZE, 0.0) - evaluate_with_derivative(fourier, angles[n])[0]))
        write_null_vector(A, v)
        others = half_angles(v)
        q[first + kept] = angles[n]
        q[first + (1 if kept == 0 else 0)], q[first + (1 if kept == 2 else 2)] = others  # noqa: PLR2004
        write_right(E, angles[n], others[0], others[1], y)
        near, far = math.atan2(y[2], y[5]), math.atan2(y[6], y[7])
        q[5 if first == 1 else 0], q[0 if first == 1 else 1] = near, far
        q[first + 3] = last_angle(axes, first, X, q)
    return count, count_simple_zeros(fourier, CLEAR * off, SEARCH_ARCS) if least > RANK * most else UNKNOWN


def solve_general_6r(
    targets: Array,
    back: Array,
    length: float,
    ways: Integers,
    axes: Array,
    left: Array,
    low: Array,
    high: Array,
    least: int,
    limits: Array,
    Q: Array,
    counts: Integers,
) -> None:
    """Write the solutions within the limits of k poses, sorted, and how many there are, or NO_POSE."""
    # Each ordering, a row of `ways` (from the tip or not, first joint on the left, kept angle), is tried on the pose
    # and on a perturbed one, which separates solutions with the same kept angle: `least` orderings, near singular poses
    # three times as many, then more until two tries found each solution, an even number of them, no fewer than the
    # least count of zeros. A try on the pose that finds one solution per zero ends the search, except near singular
    # poses. `low`, `high` are `fourier_samples` for a first and for another kept angle; outputs Q (k, 16, 6) and counts
    # (k,).
    X, Y, found, starts = np.empty(12), np.empty(12), np.empty((ANSWERS, 6)), np.empty((24, 6))
    X_near, Y_near, flattest = np.empty(12), np.empty(12), np.empty(1)
    last, hits = np.empty(ANSWERS), np.empty(ANSWERS)
    for i in range(targets.shape[0]):
        if not is_pose(targets[i], 0):
            counts[i] = NO_POSE
            continue
        write_motion(targets[i], back, length, X, Y)
        write_aside(X, X_near)
        write_inverse(X_near, Y_near)
        count, most, flattest[0] = 0, UNKNOWN, 1.0
        for trial in range(2 * len(ways)):
            order, is_aside = trial // 2, trial % 2 == 1
            least_trials = 6 * least if flattest[0] <= SINGULAR else 2 * least
            if count >= most and is_enough(hits, count, trial, least_trials):
                break
            backwards, first, kept, ordering = ways[order, 0] == 1, ways[order, 1], ways[order, 2], axes[order]
            Z, aside = Y if backwards else X, Y_near if backwards else X_near
            samples = low if kept == 0 else high
            total, zeros = write_candidates(
                aside if is_aside else Z, ordering, left[order], samples, first, kept, starts
            )
            count = add_solutions(starts, total, ordering, Z, backwards, trial, found, count, last, hits, flattest)
            if zeros == count and flattest[0] > SINGULAR and not is_aside:
                break
            if zeros != UNKNOWN:
                most = zeros if most == UNKNOWN else min(most, zeros)
        counts[i] = write_within_limits(found, count, limits, Q[i])


def add_solutions(
    starts: Array,
    total: int,
    axes: Array,
    Z: Array,
    backwards: bool,
    trial: int,
    found: Array,
    count: int,
    last: Array,
    hits: Array,
    flattest: Array,
) -> int:
    """Polish candidates, add the new ones to `found`, count tries per solution; return how many there are."""
    for n in range(total):
        q = starts[n]
        place = find_known(found, count, q, backwards)
        if place == UNKNOWN and polished(axes, Z, q, flattest):
            place = find_duplicate(found, count, q, backwards, axes, Z)
            if place == UNKNOWN and count < ANSWERS:
                for j in range(6):
                    angle = q[5 - j if backwards else j]
                    found[count, j] = angle - TURN * math.ceil(angle / TURN - 0.5)
                place, last[count], hits[count] = count, UNKNOWN, 0.0
                count += 1
        if place != UNKNOWN and last[place] != trial:
            last[place] = trial
            hits[place] += 1.0
    return count


def is_enough(hits: Array, count: int, trials: int, least: int) -> bool:
    """Return whether two tries found each solution, an even number of them."""
    if trials < least or count % 2 == 1:
        return False
    for k in range(count):
        if hits[k] < 2.0:
            return False
    return True


def write_motion(T: Array, back: Array, length: float, X: Array, Y: Array) -> None:
    """Write the motion from home to a pose, in lengths of the arm, and its inverse."""
    R, t = motion(T, back)
    for i in range(3):
        X[4 * i + 3] = (t[0] if i == 0 else t[1] if i == 1 else t[2]) / length
    X[0], X[1], X[2] = R[0]
    X[4], X[5], X[6] = R[1]
    X[8], X[9], X[10] = R[2]
    write_inverse(X, Y)


def write_inverse(X: Array, Y: Array) -> None:
    """Write the inverse of a motion."""
    for i in range(3):
        for j in range(3):
            Y[4 * i + j] = X[4 * j + i]
        Y[4 * i + 3] = -(X[i] * X[3] + X[4 + i] * X[7] + X[8 + i] * X[11])


def write_aside(X: Array, Z: Array) -> None:
    """Write a motion perturbed by ASIDE, about an axis that is parallel to none of a usual arm."""
    c, s, k = math.cos(ASIDE), math.sin(ASIDE), (0.48, 0.6, 0.64)
    for j in range(4):
        Z[j], Z[4 + j], Z[8 + j] = turned(k, c, s, (X[j], X[4 + j], X[8 + j]))
    Z[3], Z[7], Z[11] = Z[3] + ASIDE * k[1], Z[7] + ASIDE * k[2], Z[11] + ASIDE * k[0]


def write_within_limits(found: Array, count: int, limits: Array, Q: Array) -> int:
    """Write the solutions within the limits, sorted by their joints; return how many."""
    kept, signs, q = 0, np.empty(6), np.empty(6)
    for j in range(6):
        signs[j] = 1.0
    for i in range(count):
        if wrap_into_limits(found[i], signs, False, limits, q):
            place = kept
            while place > 0 and is_before(q, Q[place - 1]):
                for j in range(6):
                    Q[place, j] = Q[place - 1, j]
                place -= 1
            for j in range(6):
                Q[place, j] = q[j]
            kept += 1
    return kept


def is_before(a: Array, b: Array) -> bool:
    """Return whether a row precedes another one, by the first entries that differ."""
    for j in range(len(a)):
        if a[j] != b[j]:
            return bool(a[j] < b[j])
    return False
