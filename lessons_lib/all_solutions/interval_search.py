"""Search for the intervals of a free joint in which a branch has solutions: compiled, or in Python."""
# `problem` is the argument of `margin_at`, which a Python function replaces for arms without a compiled margin. A
# sample is a value of the free joint, and the margin there.

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
Sample = tuple[float, float]


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
    # Of a 6R arm, `joint` is −1 and the free angle is `sign` times the value. Of a 7R arm, the inputs from
    # `home_inverse` to `length` are ignored, and `sign` is 1. The margins of all branches at an angle, an entry
    # of `values`, are kept in a row of `margins`; values[0] is the number of rows.
    form = (home_inverse, kind, backwards, K, signs, length, sign, branch, (values, margins))
    return find_interval_ends((T, screws, home, joint, limits, unlimited, *form), low, high, ends)


def find_interval_ends(problem: Problem, low: float, high: float, ends: Array) -> int:
    """Write the ends of the closed intervals where a continuous margin is not negative; return their number."""
    # SAMPLES samples, golden sections around extrema, then finer samples next to each end, where joints move fast. An
    # interval is missed if the margin has more than one extremum between two samples.
    samples, width, count = np.empty((MAX_SAMPLES, 2)), (high - low) / SAMPLES, 0
    for k in range(SAMPLES + 1):
        value = high if k == SAMPLES else low + k * width
        count = add_sample(samples, count, (value, margin_at(problem, value)))
    count = add_extrema(problem, samples, count)
    coarse = samples[:count].copy()
    for k in range(coarse.shape[0] - 1):
        if (coarse[k, 1] >= 0.0) != (coarse[k + 1, 1] >= 0.0):
            inside, outside = find_boundary(problem, sample_at(coarse, k), sample_at(coarse, k + 1))
            count, apart = add_sample(samples, add_sample(samples, count, inside), outside), width
            for _ in range(FINER):
                apart = 0.25 * apart
                for side in range(-1, 2, 2):
                    value = inside[0] + side * apart
                    if low < value < high:
                        count = add_sample(samples, count, (value, margin_at(problem, value)))
    count, found = add_extrema(problem, samples, count), 0
    if samples[0, 1] >= 0.0:
        ends[0], found = low, 1
    for k in range(count - 1):
        if (samples[k, 1] >= 0.0) != (samples[k + 1, 1] >= 0.0):
            inside, outside = find_boundary(problem, sample_at(samples, k), sample_at(samples, k + 1))
            ends[found], found = inside[0], found + 1
    if samples[count - 1, 1] >= 0.0:
        ends[found], found = high, found + 1
    return found


def sample_at(samples: Array, k: int) -> tuple[float, float]:
    return samples[k, 0], samples[k, 1]


def add_sample(samples: Array, count: int, sample: Sample) -> int:
    """Insert a sample into the sorted rows, unless its value is there; return the number of rows."""
    place = count
    while place > 0 and samples[place - 1, 0] > sample[0]:
        place -= 1
    if place > 0 and samples[place - 1, 0] == sample[0]:
        return count
    for k in range(count, place, -1):
        samples[k, 0], samples[k, 1] = sample_at(samples, k - 1)
    samples[place, 0], samples[place, 1] = sample
    return count + 1


def add_extrema(problem: Problem, samples: Array, count: int) -> int:
    """Add the extrema between the samples at which the margin may change its sign; return the number of samples."""
    given, last = samples[:count].copy(), count - 1
    for k in range(last + 1):
        before, here, after = sample_at(given, max(k - 1, 0)), sample_at(given, k), sample_at(given, min(k + 1, last))
        sign = 1.0 if here[1] < 0.0 else -1.0
        if here[1] != 0.0 and sign * here[1] >= max(sign * before[1], sign * after[1]):
            count = add_sample(samples, count, refine_extremum(problem, sign, before, here, after))
    return count


def refine_extremum(problem: Problem, sign: float, left: Sample, best: Sample, right: Sample) -> tuple[float, float]:
    """Maximize sign · margin between two samples by golden sections, while it can become positive."""
    while right[0] - left[0] > MIN_WIDTH and sign * best[1] <= 0.0:
        lowest = min(sign * left[1], sign * right[1])
        if sign * best[1] + GROWTH_FACTOR * (sign * best[1] - lowest) < 0.0:
            break
        is_right = right[0] - best[0] > best[0] - left[0]
        value = best[0] + (1.0 - GOLDEN) * ((right[0] if is_right else left[0]) - best[0])
        tried = (value, margin_at(problem, value))
        is_better = sign * tried[1] > sign * best[1]
        worse, best = (best, tried) if is_better else (tried, best)
        left, right = (worse, right) if is_right == is_better else (left, worse)
    return best


def find_boundary(problem: Problem, first: Sample, second: Sample) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the last sample with a solution and the first without, by alternating secant steps and bisections."""
    inside, outside = (first, second) if first[1] >= 0.0 else (second, first)
    for step in range(2 * BISECTIONS):
        value = middle = 0.5 * (inside[0] + outside[0])
        if not min(inside[0], outside[0]) < middle < max(inside[0], outside[0]):
            break
        if step % 2 == 1 and math.isfinite(outside[1]):
            value = inside[0] + (outside[0] - inside[0]) * inside[1] / (inside[1] - outside[1])
            value = middle if value == inside[0] or value == outside[0] else value
        here = (value, margin_at(problem, value))
        inside, outside = (here, outside) if here[1] >= 0.0 else (inside, here)
    return inside, outside
