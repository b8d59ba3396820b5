"""Solve a general 6R arm: polish candidates of several elimination orderings by Newton's method, merge duplicates."""

import math

import numpy as np

from lessons_lib.all_solutions.closed_form import NOT_A_POSE, REVOLUTION, motion, wrap_into_limits
from lessons_lib.all_solutions.elimination import (
    EQUATIONS,
    LEFT,
    RIGHT,
    SIZE,
    half_angles,
    last_angle,
    reflect,
    solve_right_side,
    transform_point,
    write_equations,
    write_matrix,
    write_null_vector,
)
from lessons_lib.all_solutions.newton import REACHED, polish_solution, relative_pivot, write_system
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
from lessons_lib.robots.vec3 import dot, minus, rotate_about

MAX_GENERAL_SOLUTIONS = 16  # upper bound on the number of isolated solutions
SAME = 1e-6  # solutions closer than this, rad, are the same
SINGULAR = 0.01
"""Relative pivot below which the pose is near a singular one, where orderings lose solutions."""
MERGE_RADIUS, DISTINCT, BETWEEN = 0.01, 40.0 * REACHED, 3.0 * REACHED
"""Solutions closer than MERGE_RADIUS, rad, may be one. At a double solution the derivative is singular: between two
solutions at a distance d the pose error is about d times the least pivot, below DISTINCT that of Newton's method.
"""
CLEAR, SEARCH_ARCS, RANK = 100.0, 300, 1e-6
"""The zeros are counted in at most SEARCH_ARCS arcs, with CLEAR times the determinant's error, if the pivots of the
eliminated products exceed RANK: below rank eight a solution need not be a zero.
"""
PERTURBATION = 1e-2  # of a pose whose solutions are candidates as well, rad and lengths of the arm
REACH_SLACK = 1e-9  # lengths of the arm
CHECK_ANGLE = 0.7  # rad; there and at the zeros the determinant's error is estimated


def find_known(Q: Array, count: int, q: Array, backwards: bool) -> int:
    """Return the index of a solution that equals a configuration modulo revolutions, or UNKNOWN."""
    for k in range(count):
        if distance(Q[k], q, backwards) < SAME:
            return k
    return UNKNOWN


def distance(a: Array, q: Array, backwards: bool) -> float:
    """Return the distance of two configurations modulo revolutions; `q` may be in the order from the tip."""
    total = 0.0
    for j in range(6):
        between = a[5 - j if backwards else j] - q[j]
        between -= REVOLUTION * math.floor(between / REVOLUTION + 0.5)
        total += between * between
    return math.sqrt(total)


def find_duplicate(Q: Array, count: int, q: Array, backwards: bool, axes: Array, X: Array) -> int:
    """Return the index of a solution that cannot be distinguished from a configuration, or UNKNOWN."""
    J, other, middle = np.empty((6, 7)), np.empty(6), np.empty(6)
    for k in range(count):
        far = distance(Q[k], q, backwards)
        if far < MERGE_RADIUS:
            for j in range(6):
                between = Q[k, 5 - j if backwards else j] - q[j]
                other[j] = q[j] + between - REVOLUTION * math.floor(between / REVOLUTION + 0.5)
                middle[j] = 0.5 * (q[j] + other[j])
            flat = far * max(relative_pivot(axes, X, q), relative_pivot(axes, X, other)) < DISTINCT
            if far < SAME or flat or write_system(axes, X, middle, J) < BETWEEN:
                return k
    return UNKNOWN


def write_candidates(
    X: Array, axes: Array, left: Array, samples: Array, first: int, kept: int, Q: Array
) -> tuple[int, int]:
    """Write a candidate near each solution that one ordering of the elimination finds, in its order of joints."""
    # Return their number, and that of the determinant's zeros, UNKNOWN if its error may hide some. `X` is the motion;
    # `axes`, `left` and `first` are those of `write_equations`, `samples` those of `find_zeros`; `kept` is the kept
    # angle.
    sample_count = samples.shape[1]
    E, A, v, y = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((SIZE, SIZE)), np.empty(SIZE), np.empty(RIGHT)
    write_equations(X, axes, first, left, E)
    reflect(E)
    least, most = abs(E[0, 0]), 0.0
    for k in range(RIGHT):
        least, most = min(least, abs(E[k, k])), max(most, abs(E[k, k]))
    values, fourier, slope = np.empty(sample_count), np.empty(sample_count), np.empty(sample_count)
    for i in range(sample_count):
        write_matrix(E, samples[i, 2], samples[i, 1], A)
        values[i] = factor(A, SIZE, 0.0)
    largest = write_coefficients(values, samples, fourier)
    if not 0.0 < largest < math.inf:
        return 0, UNKNOWN
    write_derivative(fourier, slope)
    angles = np.empty(len(Q))
    count = find_zeros(fourier, slope, samples, angles)
    write_matrix(E, math.sin(CHECK_ANGLE), math.cos(CHECK_ANGLE), A)
    off = abs(factor(A, SIZE, 0.0) - evaluate_with_derivative(fourier, CHECK_ANGLE)[0])
    for n in range(count):
        q = Q[n]
        write_matrix(E, math.sin(angles[n]), math.cos(angles[n]), A)
        off = max(off, abs(factor(A, SIZE, 0.0) - evaluate_with_derivative(fourier, angles[n])[0]))
        write_null_vector(A, v)
        others = half_angles(v)
        q[first + kept] = angles[n]
        q[first + (1 if kept == 0 else 0)], q[first + (1 if kept == 2 else 2)] = others  # noqa: PLR2004
        solve_right_side(E, angles[n], others[0], others[1], y)
        near, far = math.atan2(y[2], y[5]), math.atan2(y[6], y[7])
        q[5 if first == 1 else 0], q[0 if first == 1 else 1] = near, far
        q[first + 3] = last_angle(axes, first, X, q)
    return count, count_simple_zeros(fourier, CLEAR * off, SEARCH_ARCS) if least > RANK * most else UNKNOWN


def solve_general_6r(
    targets: Array,
    home_inverse: Array,
    length: float,
    chain: Array,
    orderings: Integers,
    axes: Array,
    left: Array,
    low: Array,
    high: Array,
    least: int,
    limits: Array,
    Q: Array,
    counts: Integers,
) -> None:
    """Write the solutions of k poses within the limits, sorted, and their number, or NOT_A_POSE."""
    # Each ordering, a row (from the tip or not, first joint on the left, kept angle), is tried on the pose and on a
    # perturbed one, which separates solutions with the same kept angle: `least` orderings, near singular poses three
    # times as many, then more until two tries found each solution, an even number of them, no fewer than the least
    # count of zeros. A try on the pose that finds one solution per zero ends the search, except near singular poses.
    # `chain` is that of `is_too_far`, `low`, `high` are `fourier_samples` for a first and for another kept angle;
    # outputs Q (k, 16, 6) and counts (k,).
    X, Y, roots, starts = np.empty(12), np.empty(12), np.empty((MAX_GENERAL_SOLUTIONS, 6)), np.empty((24, 6))
    X_near, Y_near, least_pivot = np.empty(12), np.empty(12), np.empty(1)
    last, hits = np.empty(MAX_GENERAL_SOLUTIONS), np.empty(MAX_GENERAL_SOLUTIONS)
    for i in range(targets.shape[0]):
        if not is_pose(targets[i], 0):
            counts[i] = NOT_A_POSE
            continue
        write_motion(targets[i], home_inverse, length, X, Y)
        if is_too_far(X, chain):
            counts[i] = 0
            continue
        perturb_motion(X, X_near)
        write_inverse(X_near, Y_near)
        count, most, least_pivot[0] = 0, UNKNOWN, 1.0
        for trial in range(2 * len(orderings)):
            order, is_perturbed = trial // 2, trial % 2 == 1
            least_trials = 6 * least if least_pivot[0] <= SINGULAR else 2 * least
            if count >= most and is_enough(hits, count, trial, least_trials):
                break
            way, ordering = orderings[order], axes[order]
            backwards, first, kept = way[0] == 1, way[1], way[2]
            Z, aside = Y if backwards else X, Y_near if backwards else X_near
            samples = low if kept == 0 else high
            motion_tried = aside if is_perturbed else Z
            total, zeros = write_candidates(motion_tried, ordering, left[order], samples, first, kept, starts)
            count = add_solutions(starts, total, ordering, Z, backwards, trial, roots, count, last, hits, least_pivot)
            if zeros == count and least_pivot[0] > SINGULAR and not is_perturbed:
                break
            if zeros != UNKNOWN:
                most = zeros if most == UNKNOWN else min(most, zeros)
        counts[i] = write_within_limits(roots, count, limits, Q[i])


def is_too_far(X: Array, chain: Array) -> bool:
    """Return whether a motion takes a point of the last axis farther from one of the first than any configuration."""
    # `chain` has the two points, and the length of a chain between them that touches each axis in turn.
    first, end = (chain[0], chain[1], chain[2]), transform_point(X, (chain[3], chain[4], chain[5]))
    away, far = minus(end, first), chain[6] + REACH_SLACK
    return bool(dot(away, away) > far * far)


def add_solutions(
    starts: Array,
    total: int,
    axes: Array,
    Z: Array,
    backwards: bool,
    trial: int,
    roots: Array,
    count: int,
    last: Array,
    hits: Array,
    least_pivot: Array,
) -> int:
    """Polish candidates, add the new ones to `roots`, count the tries that hit each; return the number of solutions."""
    for n in range(total):
        q = starts[n]
        place = find_known(roots, count, q, backwards)
        if place == UNKNOWN and polish_solution(axes, Z, q, least_pivot):
            place = find_duplicate(roots, count, q, backwards, axes, Z)
            if place == UNKNOWN and count < MAX_GENERAL_SOLUTIONS:
                for j in range(6):
                    angle = q[5 - j if backwards else j]
                    roots[count, j] = angle - REVOLUTION * math.ceil(angle / REVOLUTION - 0.5)
                place, last[count], hits[count] = count, UNKNOWN, 0.0
                count += 1
        if place != UNKNOWN and last[place] != trial:
            last[place] = trial
            hits[place] += 1.0
    return count


def is_enough(hits: Array, count: int, trials: int, least: int) -> bool:
    """Return whether two tries found each solution, and their number is even."""
    if trials < least or count % 2 == 1:
        return False
    for k in range(count):
        if hits[k] < 2.0:
            return False
    return True


def write_motion(T: Array, home_inverse: Array, length: float, X: Array, Y: Array) -> None:
    """Write the motion from home to a pose, in lengths of the arm, and its inverse."""
    R, t = motion(T, home_inverse)
    for i in range(3):
        X[4 * i + 3] = (t[0] if i == 0 else t[1] if i == 1 else t[2]) / length
    X[0], X[1], X[2] = R[0]
    X[4], X[5], X[6] = R[1]
    X[8], X[9], X[10] = R[2]
    write_inverse(X, Y)


def write_inverse(X: Array, Y: Array) -> None:
    for i in range(3):
        for j in range(3):
            Y[4 * i + j] = X[4 * j + i]
        Y[4 * i + 3] = -(X[i] * X[3] + X[4 + i] * X[7] + X[8 + i] * X[11])


def perturb_motion(X: Array, Z: Array) -> None:
    """Write a motion perturbed about an axis that is parallel to no axis of a usual arm."""
    c, s, k = math.cos(PERTURBATION), math.sin(PERTURBATION), (0.48, 0.6, 0.64)
    for j in range(4):
        Z[j], Z[4 + j], Z[8 + j] = rotate_about(k, c, s, (X[j], X[4 + j], X[8 + j]))
    Z[3], Z[7], Z[11] = Z[3] + PERTURBATION * k[1], Z[7] + PERTURBATION * k[2], Z[11] + PERTURBATION * k[0]


def write_within_limits(roots: Array, count: int, limits: Array, Q: Array) -> int:
    """Write the solutions within the limits, sorted by their joints; return their number."""
    kept, signs, q = 0, np.empty(6), np.empty(6)
    for j in range(6):
        signs[j] = 1.0
    for i in range(count):
        if wrap_into_limits(roots[i], signs, False, limits, q):
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
    """Return whether a row precedes another one in lexicographic order."""
    for j in range(len(a)):
        if a[j] != b[j]:
            return bool(a[j] < b[j])
    return False
