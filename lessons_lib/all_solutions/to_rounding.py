"""Find configurations that reach a pose to rounding, although the exact pose is out of reach."""
# At two simultaneous singularities a rounding of 1e-16 may put the exact pose out of reach. Gauss-Newton steps from the
# nearest configuration of a branch then reach the matrix to its last digit.

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.families import wrap_angles
from lessons_lib.arrays import Array
from lessons_lib.lie import log_se3
from lessons_lib.robots.chain import Chain

TO_ROUNDING = 1 << 15  # bit of a code: the solution reaches the pose to rounding only
REACHED = 2e-15  # largest entry of |T(q) − T_sd|, lengths relative to the arm's
STEPS, RANK = 12, 1e-7  # largest number of Gauss-Newton steps; ratio below which a singular value counts as zero
MAX_START_ERROR = 0.1  # of the pose of a start
SAME_SOLUTION, PATH_STEPS = 1e-6, 8  # distance, rad, of equal configurations; steps of a path between two
STUCK = 1e-3  # share of a step of a path below which it fell back to where it began


def largest_entry(difference: Array, length: float) -> float:
    """Return the largest entry of a difference of poses, lengths relative to `length`."""
    return float(max(np.abs(difference[:3, :3]).max(), np.abs(difference[:3, 3]).max() / length))


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
    unit = np.repeat([1.0, length], 3)[:, None]
    for _ in range(STEPS):
        T, J = pose_and_jacobian(q)
        miss = largest_entry(T - target, length)
        if miss <= REACHED:
            return q
        step = np.linalg.pinv(J / unit, rcond=RANK) @ (log_se3(np.linalg.inv(T) @ target) / unit[:, 0])
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
        return largest_entry(self.arm.forward_kinematics(q) - self.target, self.length)

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
