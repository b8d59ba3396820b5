"""Find configurations that reach a pose to rounding, although the exact pose is out of reach."""
# At two simultaneous singularities a rounding of 1e-16 may put the exact pose out of reach. Gauss-Newton steps from the
# nearest configuration of a branch then reach the matrix to its last digit.

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FREE_BITS
from lessons_lib.all_solutions.families import wrap_angles
from lessons_lib.all_solutions.module import to_rounding_module
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.linker import compiled
from lessons_lib.lie.logarithm import log_se3_kernel
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.pseudoinverse import apply_pseudoinverse, rotate_columns
from lessons_lib.robots.revolutions import wrap_joint

TO_ROUNDING = 1 << 15  # bit of a code: the solution reaches the pose to rounding only
REACHED = 2e-15  # largest entry of |T(q) − T_sd|, lengths relative to the arm's
STEPS, RANK = 12, 1e-7  # largest number of Gauss-Newton steps; ratio below which a singular value counts as zero
SWEEPS = 30  # largest number, of rotations of each pair of columns
MAX_START_ERROR = 0.1  # of the pose of a start
SAME_SOLUTION, PATH_STEPS = 1e-6, 8  # distance, rad, of equal configurations; steps of a path between two
STUCK = 1e-3  # share of a step of a path below which it fell back to where it began


@compiled
def largest_difference(T: Array, target: Array, length: float) -> float:
    """Return the largest entry of |T − T_sd|, lengths relative to `length`."""
    largest = 0.0
    for i in range(3):
        for j in range(4):
            difference = abs(T[i, j] - target[i, j]) / (length if j == 3 else 1.0)
            if not difference <= largest:
                largest = difference if difference < math.inf else math.inf  # also for NaN
    return largest


@compiled
def gauss_newton_step(T: Array, J: Array, target: Array, length: float, step: Array) -> float:
    """Write the step of a configuration at T with body Jacobian J; return `largest_difference`."""
    error = largest_difference(T, target, length)
    if not error > REACHED:
        return error
    n, missing, twist = J.shape[1], np.zeros((4, 4)), np.empty(6)
    for i in range(3):
        for j in range(4):
            for k in range(3):
                missing[i, j] += T[k, i] * (target[k, j] - (T[k, 3] if j == 3 else 0.0))
    missing[3, 3] = 1.0
    log_se3_kernel(missing, twist)
    B, W = np.empty((6, n)), np.empty((n, n))
    for i in range(n):
        for k in range(6):
            B[k, i] = J[k, i] / (1.0 if k < 3 else length)
        for k in range(n):
            W[k, i] = 1.0 if k == i else 0.0
    for k in range(3, 6):
        twist[k] = twist[k] / length
    for _sweep in range(SWEEPS):
        if not rotate_columns(B, W, 6):
            break
    apply_pseudoinverse(B, W, 6, False, twist, RANK, step)
    return error


def descend(
    pose_and_jacobian: Callable[[Array], tuple[Array, Array]],
    target: Array,
    q: Array,
    length: float = 1.0,
    within: float = REACHED,
    settled: float = 0.0,
) -> Array | None:
    """Return the result of Gauss-Newton steps, or None if its error exceeds `within`."""
    # They stop if the pose is reached to rounding, or at a step below `settled`. Lengths are divided by `length`; the
    # Jacobian is the body Jacobian.
    step, write_step = np.empty(len(q)), to_rounding_module().gauss_newton_step
    for _ in range(STEPS):
        T, J = pose_and_jacobian(q)
        miss = write_step(T, J, target, length, step)
        if miss <= REACHED:
            return q
        if np.abs(step).max() < settled:
            return q if miss <= within else None
        q = q + step
    return None


@dataclass(frozen=True, eq=False)
class PoseProblem:
    arm: Chain
    target: Array
    length: float  # of the arm

    def error(self, q: Array) -> float:
        """Return the largest entry of |T(q) − T_sd|, lengths relative to the arm's."""
        T = self.arm.forward_kinematics(q)
        return float(to_rounding_module().largest_difference(T, self.target, self.length))

    def nearest(self, q: Array) -> Array | None:
        """Return a nearby configuration that reaches the pose to rounding, or None."""
        return descend(self.arm.pose_and_jacobian, self.target, q, self.length)

    def is_connected(self, a: Array, b: Array) -> bool:
        """Return whether a path of configurations that reach the pose to rounding connects two."""
        difference = wrap_angles(b - a)
        if np.abs(difference).max() < SAME_SOLUTION:
            return True
        q, part = a, difference / PATH_STEPS
        size = np.abs(part).max()
        for _ in range(PATH_STEPS):
            there = self.nearest(q + part)
            if there is None or np.abs(there - q - part).max() > size:
                return False
            if np.abs(there - q).max() < STUCK * size:  # the next step would do the same
                return False
            q = there
        return bool(np.abs(wrap_angles(b - q)).max() < max(SAME_SOLUTION, size))


@compiled
def keep_new_starts(
    starts: Array, codes: Integers, start_count: int, known: Array, known_codes: Integers, count: int
) -> int:
    """Move the isolated starts that are not beside a known isolated solution to the front; return their number."""
    kept = 0
    for i in range(start_count):
        is_known = codes[FIRST_SOLUTION + i] & FREE_BITS != 0
        for k in range(count):
            largest = 0.0
            for j in range(known.shape[1]):
                difference = wrap_joint(starts[i, j] - known[k, j], 0.0, -math.pi, math.pi, 2.0 * math.pi)
                largest = max(largest, abs(difference))
            is_known = is_known or (largest < SAME_SOLUTION and known_codes[FIRST_SOLUTION + k] & FREE_BITS == 0)
        if not is_known:
            codes[FIRST_SOLUTION + kept] = codes[FIRST_SOLUTION + i]
            starts[kept] = starts[i]
            kept += 1
    return kept


def find_solutions_to_rounding(
    problem: PoseProblem, starts: list[tuple[int, Array]], known: list[Array]
) -> list[tuple[int, Array]]:
    """Return code and configuration of each solution to rounding that is not connected to a `known` exact one."""
    # `starts` has the code and the nearest configuration of each branch.
    pairs: list[tuple[int, Array]] = []
    for code, start in starts:
        error = problem.error(start) if np.isfinite(start).all() else np.inf
        q = problem.nearest(start) if error < MAX_START_ERROR else None
        if q is not None and not any(problem.is_connected(one, q) for one in (*known, *(other for _, other in pairs))):
            pairs.append((code | TO_ROUNDING, q))
    return pairs
