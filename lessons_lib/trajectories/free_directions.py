"""Choose the free directions of a goal and the branch at each waypoint, so that no step between waypoints is large."""
# Errors whose masked components are sampled, with the others zero, yield poses that meet the goal. Dynamic programming
# over all solutions of the samples finds a path; samples around its poses, at ever smaller spacings, improve it.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from lessons_lib.all_solutions import all_solutions_batch
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie import kernels
from lessons_lib.lie.intervals import Intervals
from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Status, evaluate
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.evaluation import norms
from lessons_lib.pose_ik.layout import ORIENTATION_ERROR, POSITION_ERROR
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.pose_ik.solve_by_branches import make_report
from lessons_lib.pose_ik.weights import Axes, frame_and_split, weights_of
from lessons_lib.robots import Chain
from lessons_lib.trajectories.branches import Branches, BranchPath, find_best_path, unwrap_all
from lessons_lib.trajectories.path import Path

SAMPLES = {1: 72, 2: 15, 3: 7, 4: 4, 5: 3}
"""Samples along each free direction, by the number of free directions."""

HALVINGS, MOST_PASSES = 8, 100
"""Number of times that the spacing of the samples is halved; largest number of passes over the path."""

TOLERANCE = 1e-4
"""Relative reduction of the cost below which the spacing is halved."""

LayerSearch = Callable[..., None]


@dataclass(frozen=True)
class FreeDirections:
    """Poses that meet a goal: the target, displaced in the masked components of the error."""

    arm: Chain
    goal: Goal

    @cached_property
    def masked(self) -> Integers:
        return np.flatnonzero(weights_of(self.goal) == 0.0).astype(np.int64)

    @cached_property
    def _frame(self) -> tuple[str | Axes, bool]:
        frame, split = frame_and_split(self.goal.of(LevenbergMarquardt()))
        assert not isinstance(frame, Intervals)  # check_branches refuses intervals
        return frame, split

    def error(self, T_sd: Array, q: Array) -> Array:  # noqa: N803
        """Return the error in the frame of the goal, including its masked components, shape (6,)."""
        frame, split = self._frame
        return evaluate(self.arm, T_sd, q, frame, split).error_twist

    def poses(self, T_sd: Array, errors: Array) -> Array:  # noqa: N803
        """Return the poses that have some errors, shape (m, 6), from a target; shape (m, 4, 4)."""
        (frame, split), R_d, displaced = self._frame, T_sd[:3, :3], np.empty((len(errors), 4, 4))
        A = R_d if frame == "space" else np.array(frame.rows) if isinstance(frame, Axes) else np.eye(3)
        twists = np.hstack([-errors[:, :3] @ A, np.zeros((len(errors), 3))]) if split else -errors
        for twist, X in zip(twists, displaced, strict=True):
            kernels.module().exp_se3_kernel(twist, X)
        poses: Array = T_sd @ displaced
        if split:
            axes = poses[:, :3, :3] if frame == "body" else R_d @ A.T
            poses[:, :3, 3] -= (axes @ errors[:, 3:, None])[..., 0]
        return poses

    def grid(self, count: int, spacing: Array) -> Array:
        """Return errors on a regular grid around zero, `count` along each masked component, shape (m, 6)."""
        line = np.arange(count) - 0.5 * (count - 1)
        errors = np.zeros((count ** len(self.masked), 6))
        errors[:, self.masked] = np.array(list(product(line, repeat=len(self.masked)))) * spacing
        return errors

    def spacing(self, poses: Array) -> Array:
        """Return the spacing of samples of each masked component, rad or m: they cover ±π, or ± the reach."""
        radius, *centre = arm_of(self.arm).reach
        far = radius + float(np.linalg.norm(poses[:, :3, 3] - centre, axis=1).max())
        extent: Array = np.where(self.masked < 3, np.pi, far)
        return 2.0 * extent / SAMPLES[len(self.masked)]


def trace_free_directions(
    arm: Chain, poses: Array, q0: Array | None, by: Branches, skips: bool, goal: Goal, traced: Path, search: LayerSearch
) -> BranchPath:
    """Return the path that meets a goal with the least largest step, or the shortest."""
    # `traced` is the path of a search that skips waypoints it does not reach. Its solutions are candidates; its reports
    # stay for waypoints without candidates. `search` is the compiled `search_layers`.
    free = FreeDirections(arm, goal)
    spacing = free.spacing(poses)
    errors = free.grid(SAMPLES[len(free.masked)], spacing)
    errors = errors[np.linalg.norm(errors[:, :3], axis=1) <= np.pi]
    layers: list[Array] = []
    solved: list[int] = []
    for i, T_sd in enumerate(poses):
        solutions = all_solutions_batch(arm, free.poses(T_sd, errors)).q
        rows = np.vstack([solutions[np.isfinite(solutions[..., 0])], traced.q[i : i + 1][traced.reached[i : i + 1]]])
        if len(rows):
            layers.append(rows)
            solved.append(i)
        elif not skips:
            break
    reports = no_reports(len(poses) if skips else min(len(solved) + 1, len(poses)), arm.dof)
    reports[:] = traced.reports[: len(reports)]
    here = q0 if q0 is not None else arm_of(arm).home
    if layers:
        q = _find_cheapest_path(arm, layers, q0, by, search)
        paths = [q, traced.q[solved]] if traced.reached[solved].all() else [q]
        q = refine(free, poses[solved], min(paths, key=lambda path: path_cost(path, q0, by)), q0, by, spacing)
        here = q0 if q0 is not None else q[0]
        for i, row, before in zip(solved, q, [here, *q], strict=False):
            reports[i] = make_report(arm, poses[i], row, before, Status.CONVERGED)
            e = free.error(poses[i], row) * (weights_of(goal) > 0.0)
            reports[i, [ORIENTATION_ERROR, POSITION_ERROR]] = norms(e)
    return BranchPath(arm, here.copy(), poses, reports, False, (), by)


def _find_cheapest_path(arm: Chain, layers: list[Array], q0: Array | None, by: Branches, search: LayerSearch) -> Array:
    """Return one row of each layer, each unwrapped beside the previous one, shape (k, n)."""
    nodes, ends = np.vstack(layers), np.cumsum([len(rows) for rows in layers])
    first, joints = ends[0], arm_of(arm).joints
    costs, origins, reached = np.zeros((len(nodes), 2)), np.zeros(len(nodes), dtype=np.int64), nodes.copy()
    if q0 is not None:
        reached[:first] = unwrap_all(nodes[:first], q0, joints)
        moves = reached[:first] - q0
        costs[:first, 1] = np.linalg.norm(moves, axis=1)
        costs[:first, 0] = np.abs(moves).max(axis=1) if by == "best" else costs[:first, 1]
    search(nodes, ends, joints, int(by == "shortest"), costs, origins, reached)
    begin = ends[-2] if len(ends) > 1 else 0
    last = begin + int(np.lexsort((costs[begin:, 1], costs[begin:, 0]))[0])
    nodes_back = [last]
    for _ in layers[1:]:
        nodes_back.append(int(origins[nodes_back[-1]]))
    chosen: Array = reached[nodes_back[::-1]]
    return chosen


def refine(free: FreeDirections, poses: Array, q: Array, q0: Array | None, by: Branches, spacing: Array) -> Array:
    """Reduce the cost of a path by samples around its poses, at ever smaller spacings."""
    count, finest = 9 if len(free.masked) == 1 else 3, spacing * 0.5**HALVINGS
    joints, mask = arm_of(free.arm).joints, weights_of(free.goal) == 0.0
    for _ in range(MOST_PASSES):
        around, errors = free.grid(count, spacing), [free.error(T, row) * mask for T, row in zip(poses, q, strict=True)]
        shifted = [free.poses(T, e + around) for T, e in zip(poses, errors, strict=True)]
        solutions = all_solutions_batch(free.arm, np.concatenate(shifted)).q.reshape(len(q), -1, free.arm.dof)
        layers = []
        for row, rows in zip(q, solutions, strict=True):
            near = unwrap_all(rows[np.isfinite(rows[:, 0])], row, joints)
            near = near[np.argsort(np.abs(near - row).max(axis=1))[: len(around)]]
            layers.append(np.vstack([row, near]))
        better = find_best_path(layers, q0, by)
        costs, q = zip(path_cost(q, q0, by), path_cost(better, q0, by), strict=True), better
        if all(after >= before * (1.0 - TOLERANCE) for before, after in costs):
            spacing = 0.5 * spacing
            if (spacing < finest).all():
                break
    return q


def path_cost(q: Array, q0: Array | None, by: Branches) -> tuple[float, float]:
    """Return the cost of a path (its largest joint change, or its length) and its length."""
    steps = np.diff(q if q0 is None else np.vstack([q0, q]), axis=0)
    length = float(np.linalg.norm(steps, axis=1).sum())
    return (float(np.abs(steps).max(initial=0.0)) if by == "best" else length), length
