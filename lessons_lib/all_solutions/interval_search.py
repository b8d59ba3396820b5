"""Search for the intervals of a free joint in which a branch has solutions: compiled, or in Python."""
# `problem`, `branch` and the rows of `values` and `margins` are arguments of `margin_at`, which a Python function
# replaces for arms without a compiled margin. A sample is a value of the free joint, and the margin there.

import math

import numpy as np

from lessons_lib.all_solutions.branch_margins import Problem, margin_at
from lessons_lib.arrays import Array

SAMPLES = 48  # of the free joint's range
GOLDEN = 0.5 * (5.0**0.5 - 1.0)  # of a golden-section search
BISECTIONS, MIN_WIDTH = 45, 1e-9  # to the end of an interval; resolution of such an end, rad
FINER = 8  # number of further samples on each side of an end, each at a quarter of the distance of the one before
GROWTH_FACTOR = 4.0  # bound on how far the margin may rise between two samples, relative to their variation
MAX_SAMPLES, MAX_MARGINS = 4096, 2048  # numbers of samples of a branch, of margins kept for other branches


def find_branch_intervals(
    T: Array,
    screws: Array,
    home: Array,
    joint: int,
    limits: Array,
    unlimited: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    length: float,
    sign: float,
    branch: int,
    low: float,
    high: float,
    values: Array,
    margins: Array,
    ends: Array,
) -> int:
    """Write the ends of the intervals of a branch of a closed form; return their number."""
    # Of a 6R arm, `joint` is −1 and the free angle is `sign` times the value. A 7R arm ignores the inputs from
    # `home_inverse` to `sign`. The rows of `values` and `margins` are kept for other branches; values[0] is their
    # number.
    form = (home_inverse, kind, backwards, K, signs, length, sign)
    problem = (T, screws, home, joint, limits, unlimited, form)
    return find_interval_ends(problem, branch, low, high, values, margins, ends)


def find_interval_ends(
    problem: Problem, branch: int, low: float, high: float, values: Array, margins: Array, ends: Array
) -> int:
    """Write the ends of the closed intervals where a continuous margin is not negative; return their number."""
    # SAMPLES samples, golden sections around extrema, then finer samples next to each end, where joints move fast. An
    # interval is missed if the margin has more than one extremum between two samples.
    samples, width, count, found = np.empty((MAX_SAMPLES, 2)), (high - low) / SAMPLES, 0, 0
    for k in range(SAMPLES + 1):
        value = high if k == SAMPLES else low + k * width
        count = add_sample(samples, count, value, margin_at(problem, branch, value, values, margins))
    count = add_extrema(problem, branch, samples, count, values, margins)
    coarse = np.empty((count, 4))
    for k in range(count - 1):
        if (samples[k, 1] >= 0.0) != (samples[k + 1, 1] >= 0.0):
            coarse[found, 0], coarse[found, 1], coarse[found, 2], coarse[found, 3] = find_boundary(
                problem, branch, sample_at(samples, k), sample_at(samples, k + 1), values, margins
            )
            found += 1
    for i in range(found):
        count = add_sample(samples, count, coarse[i, 0], coarse[i, 1])
        count = add_sample(samples, count, coarse[i, 2], coarse[i, 3])
        apart = width
        for _ in range(FINER):
            apart = 0.25 * apart
            for k in range(2):
                value = coarse[i, 0] + (apart if k == 1 else -apart)
                if low < value and value < high:
                    count = add_sample(samples, count, value, margin_at(problem, branch, value, values, margins))
    count, found = add_extrema(problem, branch, samples, count, values, margins), 0
    if samples[0, 1] >= 0.0:
        ends[0], found = low, 1
    for k in range(count - 1):
        if (samples[k, 1] >= 0.0) != (samples[k + 1, 1] >= 0.0):
            first, second = sample_at(samples, k), sample_at(samples, k + 1)
            ends[found] = find_boundary(problem, branch, first, second, values, margins)[0]
            found += 1
    if samples[count - 1, 1] >= 0.0:
        ends[found] = high
        found += 1
    return found


def sample_at(samples: Array, k: int) -> tuple[float, float]:
    return samples[k, 0], samples[k, 1]


def add_sample(samples: Array, count: int, value: float, margin: float) -> int:
    """Insert a sample into the sorted rows, unless its value is there; return the number of rows."""
    place = count
    while place > 0 and samples[place - 1, 0] > value:
        place -= 1
    if place > 0 and samples[place - 1, 0] == value:
        return count
    for k in range(count, place, -1):
        samples[k, 0], samples[k, 1] = samples[k - 1, 0], samples[k - 1, 1]
    samples[place, 0], samples[place, 1] = value, margin
    return count + 1


def add_extrema(problem: Problem, branch: int, samples: Array, count: int, values: Array, margins: Array) -> int:
    """Add the extrema between the samples at which the margin may change its sign; return the number of samples."""
    given, last = samples[:count].copy(), count - 1
    for k in range(last + 1):
        before, here, after = sample_at(given, max(k - 1, 0)), sample_at(given, k), sample_at(given, min(k + 1, last))
        sign = 1.0 if here[1] < 0.0 else -1.0
        if here[1] != 0.0 and sign * here[1] >= max(sign * before[1], sign * after[1]):
            value, margin = refine_extremum(problem, branch, sign, before, here, after, values, margins)
            count = add_sample(samples, count, value, margin)
    return count


def refine_extremum(
    problem: Problem,
    branch: int,
    sign: float,
    left: tuple[float, float],
    best: tuple[float, float],
    right: tuple[float, float],
    values: Array,
    margins: Array,
) -> tuple[float, float]:
    """Maximize sign · margin between two samples by golden sections, while it can become positive."""
    while right[0] - left[0] > MIN_WIDTH and sign * best[1] <= 0.0:
        lowest = min(sign * left[1], sign * right[1])
        if sign * best[1] + GROWTH_FACTOR * (sign * best[1] - lowest) < 0.0:
            break
        is_right = right[0] - best[0] > best[0] - left[0]
        value = best[0] + (1.0 - GOLDEN) * ((right[0] if is_right else left[0]) - best[0])
        tried = (value, margin_at(problem, branch, value, values, margins))
        is_better = sign * tried[1] > sign * best[1]
        end = best if is_better else tried
        if is_right == is_better:
            left = end
        else:
            right = end
        if is_better:
            best = tried
    return best


def find_boundary(
    problem: Problem,
    branch: int,
    first: tuple[float, float],
    second: tuple[float, float],
    values: Array,
    margins: Array,
) -> tuple[float, float, float, float]:
    """Return the last sample with a solution and the first without, by alternating secant steps and bisections."""
    (inside, positive), (outside, negative) = (first, second) if first[1] >= 0.0 else (second, first)
    for step in range(2 * BISECTIONS):
        value = 0.5 * (inside + outside)
        if not min(inside, outside) < value < max(inside, outside):
            break
        if step % 2 == 1 and math.isfinite(negative):
            secant = inside + (outside - inside) * positive / (positive - negative)
            if secant != inside and secant != outside:
                value = secant
        here = margin_at(problem, branch, value, values, margins)
        if here >= 0.0:
            inside, positive = value, here
        else:
            outside, negative = value, here
    return inside, positive, outside, negative
