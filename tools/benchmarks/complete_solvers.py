"""Solvers that return all solutions of a pose, behind one signature: target to configurations, shape (k, 6).

Each factory takes the arm and returns such a function. Solutions that a peer marks as least-squares are not counted.
Limits are ignored, and solutions that differ by whole revolutions count once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons_lib import pose_ik
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.models import check_equal

CompleteSolver = Callable[[Array], Array]

APART = 1e-4
"""Solutions that differ by more are distinct, rad."""


def ours(chain: Chain) -> CompleteSolver:
    """Return pose_ik.all_solutions, with one solution of each family."""

    def side(target: Array) -> Array:
        solutions = pose_ik.all_solutions(chain, target, limits=False)
        if not solutions.families:
            return solutions.q
        middles = [family.at(0.5 * sum(family.intervals[0])) for family in solutions.families]
        return np.array([*solutions.q, *middles])

    return side


def eaik(chain: Chain) -> CompleteSolver:
    """Return EAIK from the axes of the arm; one thread."""
    from eaik.IK_HP import HPRobot

    robot = HPRobot(*axes_and_offsets(chain))
    back = chain.home[:3, :3].T
    check_equal(chain, "EAIK", lambda q: rotate_tip(np.asarray(robot.fwdKin(q)), chain.home[:3, :3]))

    def side(target: Array) -> Array:
        solutions = robot.IK(rotate_tip(target, back))
        exact: Array = np.asarray(solutions.Q)[~np.asarray(solutions.is_LS, dtype=bool)]
        return exact

    return side


def ik_geo(chain: Chain) -> CompleteSolver:
    """Return the Rust port of IK-Geo with the decomposition of the arm."""
    from ik_geo import Robot

    make = Robot.three_parallel_two_intersecting if is_parallel(chain) else Robot.spherical_two_intersecting
    if not is_parallel(chain) and _are_parallel(chain, 1, 2):
        make = Robot.spherical_two_parallel
    robot = make(*axes_and_offsets(chain))
    back = chain.home[:3, :3].T

    def place(q: Array) -> Array:
        columns, point = robot.forward_kinematics(list(q))
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = np.transpose(columns), point
        return rotate_tip(T, chain.home[:3, :3])

    check_equal(chain, "IK-Geo", place)

    def side(target: Array) -> Array:
        solutions = robot.get_ik((target[:3, :3] @ back).T.tolist(), target[:3, 3].tolist())
        return np.array([q for q, least_squares in solutions if not least_squares]).reshape(-1, 6)

    return side


def ssik(chain: Chain, native: bool) -> CompleteSolver:
    """Return the module that `ssik build` writes for the arm, in C++ or in Python; its rescue of empty answers is on.

    Raises:
        RuntimeError: This installation of ssik has no C++.
    """
    from ssik import Manipulator
    from ssik._native import native_available
    from ssik.core.codegen import emit_artifact

    if native and not native_available():
        raise RuntimeError("ssik would fall back to Python: its wheel for this platform has no C++")
    arm = Manipulator.from_axes(*axes_and_offsets(chain))
    written: dict[str, Any] = {"__name__": "built_by_ssik"}
    exec(emit_artifact(kb=arm.kinbody, plan=arm.dispatch_plan, module_name="arm_ik").source, written)
    back, solve = chain.home[:3, :3].T, written["solve"]
    check_equal(chain, "ssik", lambda q: rotate_tip(np.asarray(written["fk"](q)), chain.home[:3, :3]))

    def side(target: Array) -> Array:
        solutions = solve(rotate_tip(target, back), respect_limits=False, native=native)
        return np.array([one.q for one in solutions]).reshape(-1, 6)

    return side


def jaik(chain: Chain) -> CompleteSolver:
    """Return jaik's kernel for the UR10, by Numba."""
    from jaik import make_robot

    forward, every, _ = make_robot("ur10", solver="numba")
    back = chain.home[:3, :3].T

    def place(q: Array) -> Array:
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = forward(q)
        return rotate_tip(T, chain.home[:3, :3])

    check_equal(chain, "jaik", place)

    def side(target: Array) -> Array:
        try:
            q, valid = every(target[:3, :3] @ back, np.ascontiguousarray(target[:3, 3]))
        except ZeroDivisionError:
            return np.empty((0, 6))
        exact: Array = np.asarray(q).T[np.asarray(valid)]
        return exact

    return side


def toolbox(chain: Chain, table: Array) -> CompleteSolver:
    """Return the robotics toolbox's answers in closed form, which it derives in SymPy, as it runs them in Python.

    Args:
        chain: The arm.
        table: Its rows (d, a, α) of Denavit and Hartenberg, m and rad.
    """
    from roboticstoolbox import DHRobot, RevoluteDH

    robot = DHRobot([RevoluteDH(d=d, a=a, alpha=alpha) for d, a, alpha in table])
    check_equal(chain, "robotics toolbox", lambda q: robot.fkine(q).A)
    analytic = robot.analytic_ik()

    def side(target: Array) -> Array:
        solutions = analytic._solve_pose(target)
        return np.asarray(solutions.q, dtype=np.float64).reshape(-1, 6)

    return side


def axes_and_offsets(chain: Chain) -> tuple[Array, Array]:
    """Return the axes at q = 0, shape (6, 3), and the steps from point to point of them, shape (7, 3), to the tip.

    The point of an axis is where it meets the next one, as peers expect of a wrist, or the nearest to it.
    """
    k, o = chain.screws[:3].T, np.cross(chain.screws[:3].T, chain.screws[3:].T)
    points = [_nearest(k[i], o[i], k[j], o[j]) for i, j in zip(range(6), (1, 2, 3, 4, 5, 4), strict=True)]
    return np.ascontiguousarray(k), np.diff(np.vstack([np.zeros(3), *points, chain.home[:3, 3]]), axis=0)


def _nearest(k: Array, o: Array, other: Array, there: Array) -> Array:
    """Return the point of an axis that is nearest to another one; to the origin where they are parallel."""
    lengths, _, rank, _ = np.linalg.lstsq(np.column_stack([k, -other]), there - o, rcond=1e-9)
    return o + (lengths[0] if rank == 2 else 0.0) * k


def rotate_tip(T: Array, R: Array) -> Array:
    """Return a pose with another orientation of the tip's frame."""
    other: Array = T.copy()
    other[:3, :3] = T[:3, :3] @ R
    return other


def distinct(answers: Array) -> Array:
    """Return the solutions without those that differ from another by whole revolutions only."""
    kept: list[Array] = []
    for q in answers:
        if all(np.abs(np.remainder(q - other + np.pi, 2.0 * np.pi) - np.pi).max() > APART for other in kept):
            kept.append(q)
    return np.array(kept).reshape(-1, answers.shape[1])


def is_parallel(chain: Chain) -> bool:
    """Return whether axes 2, 3 and 4 are parallel."""
    return _are_parallel(chain, 1, 2) and _are_parallel(chain, 2, 3)


def _are_parallel(chain: Chain, i: int, j: int) -> bool:
    return bool(np.linalg.norm(np.cross(chain.screws[:3, i], chain.screws[:3, j])) < 1e-9)
