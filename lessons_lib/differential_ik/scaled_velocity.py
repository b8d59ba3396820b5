"""A step that keeps its direction: if a limit is active, the whole velocity is scaled down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments, checks
from lessons_lib.differential_ik.barriers import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step
from lessons_lib.differential_ik.solving import solve_step
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError
from lessons_lib.extras import need
from lessons_lib.other_libraries import suggest_arguments

LP_TOLERANCE = 1e-10
"""Tolerance of the linear program on rates, rad/s or m/s, the smallest that HiGHS accepts."""

SCALE_REDUCTIONS = (0.0, 1e-9, 1e-7, 1e-5)
"""Relative reductions of the scale, tried in turn until a step is feasible despite rounding."""


class StepStatus(Enum):
    """Status of a step that keeps its direction."""

    SOLUTION_FOUND = "solution found"
    STUCK = "stuck"


@dataclass(frozen=True)
class ScaledVelocity:
    """Result of `solve_scaled`.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.FrameVelocityTask("tool0")
    >>> task.set_target([0, 0, 0, 0.1, 0, 0], dt=0.01)
    >>> dik.solve_scaled(at, [task], dt=0.01).velocity.shape
    (6,)

    Attributes:
        velocity: v = Δq/dt, shape (nv,), rad/s or m/s; of a floating base its twist (ω, v) in its own frame.
        scale: Factor of the speed, from 0 to 1.
        status: STUCK if the scale is below `stuck_below`.
    """

    velocity: Array
    scale: float
    status: StepStatus


@suggest_arguments
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
    """Return the velocity that follows all directions at the largest common scale of their speed.

    J Δq = −s α e for the directions, with one s in [0, 1], as large as limits, barriers and constraints allow.
    The tasks use the remaining freedom, as in `solve_ik`; a `PostureTask`, for example, centres the joints. In
    `solve_ik` a limit changes the direction instead, because each coordinate goes as far as it can.

    Drake weighs s against the tasks, with a factor of 100; here s comes first. A linear program finds it in about a
    millisecond; a step within all limits takes a tenth of one.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.FrameVelocityTask("tool0")
    >>> task.set_target([0, 0, 0, 0.1, 0, 0], dt=0.01)  # 0.1 m/s along its own x axis
    >>> dik.solve_scaled(at, [task], dt=0.01).status.name
    'SOLUTION_FOUND'

    Args:
        configuration: Configuration of the robot.
        directions: Tasks to follow, such as a `FrameVelocityTask` or a `FrameTask`. Rows with a cost of zero are
            ignored; the size of a positive cost does not matter.
        dt: Duration of the step, s.
        tasks: Tasks that use the remaining freedom, weighed by their costs.
        damping: As in `solve_ik`.
        limits: As in `solve_ik`.
        barriers: As in `solve_ik`.
        constraints: As in `solve_ik`; they hold at any scale.
        safety_break: As in `solve_ik`.
        stuck_below: Scale below which the status is STUCK.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints contradict each other even at a scale of zero.
        ParameterError: There is no direction, or an argument has the wrong type.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
        MissingExtra: A limit is active, and SciPy is not installed.

    Source: Drake, DoDifferentialInverseKinematics.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    tasks_to_follow = arguments.members(directions, Task, "directions")
    if not tasks_to_follow:
        raise ParameterError("directions must contain at least one task; use solve_ik for tasks alone")
    least = arguments.between(stuck_below, "stuck_below", 0.0, 1.0)
    configuration.check_limits(safety_break=safety_break)
    pairs = [checks.read_weighted_rows(task, configuration) for task in tasks_to_follow]
    J = np.vstack([J for J, _ in pairs])
    desired = np.concatenate([-task.gain * e for task, (_, e) in zip(tasks_to_follow, pairs, strict=True)])
    scale, displacement = _maximize_scale(step, J, desired)
    status = StepStatus.STUCK if scale < least else StepStatus.SOLUTION_FOUND
    velocity = displacement / step.dt
    velocity.setflags(write=False)
    return ScaledVelocity(velocity, scale, status)


class _ScaledDirections(Task):
    def __init__(self, J: Array, displacement: Array) -> None:  # noqa: N803
        super().__init__()
        self._J, self._error = J, -displacement

    def compute_error(self, configuration: Configuration) -> Array:
        return self._error

    def compute_jacobian(self, configuration: Configuration) -> Array:
        return self._J

    def __repr__(self) -> str:
        return "the directions at a scale of zero"  # no error leaves at another scale


def _maximize_scale(step: Step, J: Array, desired: Array) -> tuple[float, Array]:  # noqa: N803
    """Return the largest scale and its step Δq; raise NoSolutionFound if a scale of zero is infeasible."""
    full = _full_speed_step(step, J, desired)
    if full is not None:
        return 1.0, full
    greatest = _greatest_scale(step, J, desired)
    for reduction in SCALE_REDUCTIONS:
        scale = greatest * (1.0 - reduction)
        try:
            return scale, _step_at(step, J, scale * desired)
        except NoSolutionFound:
            continue
    return 0.0, _step_at(step, J, 0.0 * desired)


def _full_speed_step(step: Step, J: Array, desired: Array) -> Array | None:  # noqa: N803
    """Return the step at full speed if there are no barriers and no limit is active, else None."""
    if step.barriers:
        return None
    try:
        x = _step_at(replace(step, limits=[]), J, desired)
    except NoSolutionFound:
        return None
    return x if FeasibleRegion.of(step).keeps_inequalities(x) else None


def _step_at(step: Step, J: Array, displacement: Array) -> Array:  # noqa: N803
    return solve_step(replace(step, constraints=[*step.constraints, _ScaledDirections(J, displacement)]))


def _greatest_scale(step: Step, J: Array, desired: Array) -> float:  # noqa: N803
    """Return the largest s for which some v within all limits has J v = s·desired/dt, or 0 if there is none."""
    need("tasks", "differential_ik.solve_scaled", "scipy")
    from scipy.optimize import linprog

    region, n, dt = FeasibleRegion.of(step), J.shape[1], step.dt
    rows, values = [np.hstack([J, -desired[:, None] / dt])], [np.zeros(len(J))]
    if region.A is not None and region.b is not None:
        rows.append(np.hstack([region.A, np.zeros((len(region.A), 1))]))
        values.append(region.b / dt)
    G, h = (np.zeros((0, n)), np.zeros(0)) if region.G is None or region.h is None else (region.G, region.h)
    bounded = np.isfinite(h)
    solution = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.hstack([G, np.zeros((len(G), 1))])[bounded],
        b_ub=h[bounded] / dt,
        A_eq=np.vstack(rows),
        b_eq=np.concatenate(values),
        bounds=[*zip(region.lower / dt, region.upper / dt, strict=True), (0.0, 1.0)],
        method="highs",
        options={"primal_feasibility_tolerance": LP_TOLERANCE, "dual_feasibility_tolerance": LP_TOLERANCE},
    )
    return float(min(max(solution.x[n], 0.0), 1.0)) if solution.success else 0.0
