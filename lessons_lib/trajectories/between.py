"""Many waypoints that lie close: trace some of them, and let the others begin between their solutions.

A warm start makes each solve wait for the one before. Between two solved waypoints nothing has to wait: the straight
line in joint space is a start that is nearer than the last waypoint, and `pose_ik.solve_batch` solves many at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik.arguments import draw_seeds
from lessons_lib.pose_ik.interruption import Halt
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.rows import Rows
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.trajectories.places import PREVIOUS, STOP

TraceRows = Callable[[Problem, Array, Array, Integers, Integers, Array, Halt], int]

EVERY = 20
"""Waypoints from one that is traced to the next."""

FEWEST = 3 * EVERY
"""With fewer waypoints than this there is nothing to gain."""

STRAIGHT = 1.0
"""How far a solution may lie from the line between two traced ones, over their distance: beyond, the arm has jumped."""


def trace_between(
    problem: Problem,
    poses: Array,
    begin: Array,
    seeds: Integers,
    reports: Array,
    trace_rows: TraceRows,
    halt: Halt,
) -> bool:
    """Write the reports of all waypoints, or return False where they cannot all be had in this way without a jump.

    When the halt is asked for, the reports of those that have ended, and are no jump, are written.

    Args:
        problem: How to solve.
        poses: The waypoints, shape (k, 4, 4).
        begin: Where the arm stands, shape (n,), rad or m.
        seeds: One a waypoint, shape (k,).
        reports: Array for the reports, shape (k, 5 + 2 n); see pose_ik/layout.py for the places in a row.
        trace_rows: The loop of the traced ones, compiled or readable.
        halt: What ends the work early.
    """
    if len(poses) < FEWEST or not isinstance(problem.starts, Restarts):
        return False
    marks = np.unique(np.append(np.arange(0, len(poses), EVERY), len(poses) - 1))
    traced = np.empty((len(marks), reports.shape[1]))
    places, counts = np.array([begin, begin, begin]), np.array([PREVIOUS, STOP, 0])
    tried = trace_rows(problem, poses[marks], places, counts, seeds[marks], traced, halt)
    if halt.asked:
        reports[marks[:tried]] = traced[:tried]
        return False
    solved = traced[:tried, layout.STATUS] == layout.CONVERGED
    if tried < len(marks) or not solved.all() or traced[1:, layout.RESTARTS].any():
        return False
    reports[marks] = traced
    q = traced[:, layout.JOINTS : layout.JOINTS + problem.chain.dof]
    others = np.setdiff1d(np.arange(len(poses)), marks, assume_unique=True)
    starts = np.column_stack([np.interp(others, marks, joint) for joint in q.T])
    rows = Rows(replace(problem, starts=Restarts(0)), poses[others], starts, draw_seeds(None, 1), halt)
    rows.solve()
    found = rows.result()
    spans = np.abs(np.diff(q, axis=0)).max(axis=1)[np.searchsorted(marks, others) - 1]
    good = found.converged & (np.abs(found.q - starts).max(axis=1) <= STRAIGHT * spans)
    if not good.all() and not halt.asked:
        return False
    told = reports[others[good]]
    told[:, : layout.JOINTS] = np.column_stack(
        [np.zeros(len(others)), found.iterations, found.restarts, found.orientation_error, found.position_error]
    )[good]
    told[:, layout.JOINTS : layout.JOINTS + problem.chain.dof] = found.q[good]
    reports[others[good]] = told
    return bool(good.all())
