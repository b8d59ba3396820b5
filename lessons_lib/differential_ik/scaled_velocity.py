"""One step that keeps its direction: where a limit is in the way, all of it gets slower."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments, checked
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step
from lessons_lib.differential_ik.solving import solve_step
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError
from lessons_lib.extras import need

SHARPEST = 1e-10
"""Tolerance of the linear program, the sharpest that HiGHS takes: of rates, rad/s or m/s."""

BACK = (0.0, 1e-9, 1e-7, 1e-5)
"""Parts of the scale that are given up, one after the other, until rounding leaves room for a step."""


class StepStatus(Enum):
    """How a step that keeps its direction ended."""

    SOLUTION_FOUND = "solution found"
    STUCK = "stuck"


@dataclass(frozen=True)
class ScaledVelocity:
    """What `solve_scaled` found.

    Attributes:
        velocity: v = Δq/dt, shape (nv,), rad/s or m/s; of a floating base its twist (ω, v) in its own frame.
        scale: The part of the speed that is kept, from 0 to 1.
        status: Stuck where the scale is as small as to mean no motion.
    """

    velocity: Array
    scale: float
    status: StepStatus


def solve_scaled(
    configuration: Configuration,
    directions: Iterable[Task],
    dt: float,
    tasks: Iterable[Task] = (),
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
    safety_break: bool = True,
    stuck_below: float = 1e-2,
) -> ScaledVelocity:
    """Return the velocity that follows all directions at the greatest common part of their speed that is allowed.

    J Δq = −s α e for the directions, with one s in [0, 1], as large as limits, barriers and constraints allow. What s
    leaves free is for the tasks, as in `solve_ik`: a `PostureTask` there centres the joints. A limit in `solve_ik`
    bends the way instead: each coordinate goes as far as it may.

    Drake weighs s against the tasks, with a factor of 100; here s comes first. It is found by a linear program, which
    takes a millisecond; a step within all limits takes a tenth of one.

    Args:
        configuration: Where the robot is.
        directions: What to follow, such as a `FrameVelocityTask` or a `FrameTask`. Rows with a cost of zero are left
            out; the size of a cost above zero does not matter.
        dt: Duration of the step, s.
        tasks: What to do with what is left, as well as all of it can be done.
        damping: As in `solve_ik`.
        limits: As in `solve_ik`; those of the configuration and of the velocity if left out, none if empty.
        barriers: As in `solve_ik`.
        constraints: As in `solve_ik`: tasks to be done exactly, whatever becomes of the directions.
        safety_break: As in `solve_ik`.
        stuck_below: Scale below which the robot counts as stuck.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints contradict each other: not even standing still is allowed.
        ParameterError: There is no direction, or something is of another kind.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
        MissingExtra: Limits leave less than all of the velocity, and SciPy is not installed.

    Source: Drake, DoDifferentialInverseKinematics.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    wanted = arguments.members(directions, Task, "directions")
    if not wanted:
        raise ParameterError("directions must hold a task, such as a FrameVelocityTask; solve_ik needs none")
    least = arguments.between(stuck_below, "stuck_below", 0.0, 1.0)
    configuration.check_limits(safety_break=safety_break)
    pairs = [checked.counted_rows(task, configuration) for task in wanted]
    J = np.vstack([J for J, _ in pairs])
    ahead = np.concatenate([-task.gain * e for task, (_, e) in zip(wanted, pairs, strict=True)])
    scale, displacement = _fastest(step, J, ahead)
    status = StepStatus.STUCK if scale < least else StepStatus.SOLUTION_FOUND
    velocity = displacement / step.dt
    velocity.setflags(write=False)
    return ScaledVelocity(velocity, scale, status)


class _Along(Task):
    """The directions as one task that is done to a part."""

    def __init__(self, J: Array, displacement: Array) -> None:  # noqa: N803
        super().__init__()
        self._J, self._error = J, -displacement

    def compute_error(self, configuration: Configuration) -> Array:
        return self._error

    def compute_jacobian(self, configuration: Configuration) -> Array:
        return self._J


def _fastest(step: Step, J: Array, ahead: Array) -> tuple[float, Array]:  # noqa: N803
    """Return the greatest scale, and the step Δq.

    Raises:
        NoSolutionFound: Not even a scale of zero is allowed.
    """
    free = _within_limits(step, J, ahead)
    if free is not None:
        return 1.0, free
    greatest = _greatest_scale(step, J, ahead)
    for part in BACK:
        scale = greatest * (1.0 - part)
        try:
            return scale, _at(step, J, scale * ahead)
        except NoSolutionFound:
            continue
    return 0.0, _at(step, J, 0.0 * ahead)


def _within_limits(step: Step, J: Array, ahead: Array) -> Array | None:  # noqa: N803
    """Return the step at full speed where no limit is in its way; None where one is, or where it takes looking."""
    if step.barriers:
        return None
    try:
        x = _at(replace(step, limits=[]), J, ahead)
    except NoSolutionFound:
        return None
    return x if FeasibleRegion.of(step).keeps_inequalities(x) else None


def _at(step: Step, J: Array, displacement: Array) -> Array:  # noqa: N803
    return solve_step(replace(step, constraints=[*step.constraints, _Along(J, displacement)]))


def _greatest_scale(step: Step, J: Array, ahead: Array) -> float:  # noqa: N803
    """Return the greatest s with J v = s·ahead/dt that a v within all limits has; 0 where there is none.

    The unknowns are v and s, numbers about one.
    """
    need("tasks", "differential_ik.solve_scaled", "scipy")
    from scipy.optimize import linprog

    allowed, n, dt = FeasibleRegion.of(step), J.shape[1], step.dt
    rows, values = [np.hstack([J, -ahead[:, None] / dt])], [np.zeros(len(J))]
    if allowed.A is not None and allowed.b is not None:
        rows.append(np.hstack([allowed.A, np.zeros((len(allowed.A), 1))]))
        values.append(allowed.b / dt)
    G, h = (np.zeros((0, n)), np.zeros(0)) if allowed.G is None or allowed.h is None else (allowed.G, allowed.h)
    bounded = np.isfinite(h)
    found = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.hstack([G, np.zeros((len(G), 1))])[bounded],
        b_ub=h[bounded] / dt,
        A_eq=np.vstack(rows),
        b_eq=np.concatenate(values),
        bounds=[*zip(allowed.lower / dt, allowed.upper / dt, strict=True), (0.0, 1.0)],
        method="highs",
        options={"primal_feasibility_tolerance": SHARPEST, "dual_feasibility_tolerance": SHARPEST},
    )
    return float(min(max(found.x[n], 0.0), 1.0)) if found.success else 0.0
