"""Basins of attraction of the planar 2R: the solution that each start leads to, and the number of steps."""
# Only the position counts, so there are two solutions, elbow up and down. The target's orientation has zero weight and
# points away from the base, so that neither elbow is nearer to it.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib import robots
from lessons_lib.arrays import Array, ReadOnly, is_whole
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    GaussNewton,
    LevenbergMarquardt,
    Restarts,
    Stop,
    TrustRegion,
    position_only,
    solve_batch,
)
from lessons_lib.pose_ik.damping import Chan, Constant

ONE_START = Stop(orientation=1e-6, position=1e-6, max_iterations=100)
"""The stopping rule of the solve from one start."""

TIP = (0.366, 1.366)
"""The target of Modern Robotics' Example 6.1, x and y in m."""

NOWHERE, POSITIVE, NEGATIVE = 0, 1, 2
"""The outcome of a start: no solution, the one with q₂ > 0, or the one with q₂ < 0."""


@dataclass(frozen=True, eq=False, repr=False)
class Basins(ReadOnly):
    """Outcome of every start on a grid; all arrays are read-only."""

    angles: Array  # the grid's values of q₁ and of q₂, (m,), rad, from −π up to just below π
    tip: Array  # the target, x and y, (2,), m
    solutions: Array  # the two configurations that reach it, q₂ > 0 first, (2, 2), rad
    led_to: NDArray[np.int8]  # NOWHERE, POSITIVE or NEGATIVE for the start (angles[i], angles[j]) at [j, i], (m, m)
    iterations: NDArray[np.int16]  # number of steps from that start, (m, m)

    @property
    def shares(self) -> tuple[float, float, float]:
        """Fractions of the starts that lead nowhere, to q₂ > 0 and to q₂ < 0."""
        counts = np.bincount(self.led_to.ravel(), minlength=3) / self.led_to.size
        return float(counts[NOWHERE]), float(counts[POSITIVE]), float(counts[NEGATIVE])

    @property
    def apart(self) -> float:
        """Fraction of the pairs of neighbours, in q₁ or in q₂, that lead to different ends; opposite edges meet."""
        return float(np.mean([self.led_to != np.roll(self.led_to, 1, axis) for axis in (0, 1)]))

    @property
    def mean_steps(self) -> float:
        """Mean number of steps over the starts that lead to a solution; NaN if there are none."""
        solved = self.led_to != NOWHERE
        return float(self.iterations[solved].mean()) if solved.any() else float("nan")

    @property
    def nearest(self) -> float:
        """Fraction of the solved starts that lead to the solution nearer to them modulo 2π."""
        solved = self.led_to != NOWHERE
        starts = np.stack(np.meshgrid(self.angles, self.angles), axis=-1)
        to_each = [np.linalg.norm(_wrap(starts - solution), axis=-1) for solution in self.solutions]
        nearer = np.where(to_each[0] <= to_each[1], POSITIVE, NEGATIVE)
        return float((nearer == self.led_to)[solved].mean()) if solved.any() else float("nan")


def methods() -> dict[str, Any]:
    """Return the methods whose basins lesson 12 shows by name: Newton's step for a position, and damped ones."""
    return {
        "Newton-Raphson": GaussNewton(),
        "LM, constant λ = 0.125": LevenbergMarquardt(Constant(0.125)),
        "LM, Chan": LevenbergMarquardt(Chan(0.1)),
        "LM, trust region": LevenbergMarquardt(TrustRegion()),
    }


ASKED: dict[str, Any] = {"goal": position_only(), "starts": Restarts(0), "stop": ONE_START}
"""The arguments of `solve` for each start on a map: only the tip's position counts, and there are no restarts."""


def basins(method: Any, tip: ArrayLike = TIP, size: int = 1000, stop: Stop = ONE_START) -> Basins:
    """Return the outcome of each start on a grid with `size` starts per side (1000: some seconds); tip in m."""
    if not is_whole(size) or size < 2:
        raise ParameterError(f"size must be an integer of at least 2, got {size!r}")
    point = np.array(tip, dtype=np.float64)
    solutions = robots.planar_2r_solutions(point)
    if len(solutions) != 2:
        raise ParameterError(f"the target must have two solutions, but {point.tolist()} has {len(solutions)}")
    angles: Array = np.asarray(-np.pi + 2.0 * np.pi / size * np.arange(size), dtype=np.float64)
    starts = np.stack(np.meshgrid(angles, angles), axis=-1).reshape(-1, 2)
    targets = np.broadcast_to(_outward(point), (len(starts), 4, 4))
    batch = solve_batch(robots.planar_2r(), targets, starts, method=method, **ASKED | {"stop": stop})
    near = [np.abs(_wrap(batch.q - solution)).max(axis=1) < 1e-2 for solution in solutions]
    led_to = np.select([batch.converged & there for there in near], [POSITIVE, NEGATIVE], NOWHERE).astype(np.int8)
    iterations = batch.iterations.astype(np.int16)
    return Basins(angles, point, solutions, led_to.reshape(size, size), iterations.reshape(size, size))


def _outward(point: Array) -> Array:
    """Return the pose at a point, in m, whose x axis points away from the base, shape (4, 4)."""
    target, (x, y) = np.eye(4), point / np.linalg.norm(point)
    target[:2, :2], target[:2, 3] = [[x, -y], [y, x]], point
    return target


def _wrap(angles: Array) -> Array:
    return angles - 2.0 * np.pi * np.rint(angles / (2.0 * np.pi))
