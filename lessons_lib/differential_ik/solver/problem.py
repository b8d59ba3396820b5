"""Assemble the quadratic program of one step from tasks, limits, barriers and constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments, checks, kernels
from lessons_lib.differential_ik.barriers import Barrier
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.limits.rate_limits import default_limits
from lessons_lib.differential_ik.solver import QuadraticProgram
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.other_libraries import suggest_arguments

if TYPE_CHECKING:
    import qpsolvers

Rows = tuple[Array, Array]


@dataclass(slots=True)
class Step:
    """The checked arguments of one step; see `build_ik` for their meaning."""

    configuration: Configuration
    tasks: list[Task]
    dt: float
    damping: float
    limits: list[Limit]
    barriers: list[Barrier]
    constraints: list[Task]

    @classmethod
    def read(
        cls, configuration: Any, tasks: Any, dt: Any, damping: Any, limits: Any, barriers: Any, constraints: Any
    ) -> Step:
        """Check the arguments and return the step."""
        check_configuration(configuration)
        return cls(
            configuration,
            arguments.members(tasks, Task, "tasks"),
            arguments.time_step(dt),
            arguments.between(damping, "damping", 0.0, float("inf")),
            list(default_limits(configuration.model)) if limits is None else arguments.members(limits, Limit, "limits"),
            arguments.members(barriers, Barrier, "barriers"),
            arguments.members(constraints, Task, "constraints"),
        )

    def objective(self) -> tuple[Array, Array]:
        return sum_objectives(self.configuration, self.tasks, self.damping, self.barriers)

    def equalities(self) -> Rows | tuple[None, None]:
        """Return A and b of A Δq = b: J Δq = −α e of the constraints, in the rows whose cost is above zero."""
        if not self.constraints:
            return None, None
        matrices, values = [], []
        for task in self.constraints:
            J, e = checks.read_weighted_rows(task, self.configuration)
            matrices.append(J)
            values.append(-task.gain * e)
        A = np.vstack(matrices)
        return (A, np.concatenate(values)) if len(A) else (None, None)

    def program(self) -> QuadraticProgram:
        """Return the quadratic program, with every limit as rows."""
        H, c = self.objective()
        G, h = stack_rows(self.configuration, self.limits, self.dt, self.barriers)
        return QuadraticProgram(H, c, G, h, *self.equalities())


@dataclass(slots=True)
class FeasibleRegion:
    """The steps with lower ≤ Δq ≤ upper, G Δq ≤ h and A Δq = b; None for no rows."""

    step: Step
    lower: Array
    upper: Array
    G: Array | None
    h: Array | None
    A: Array | None
    b: Array | None

    @classmethod
    def of(cls, step: Step) -> FeasibleRegion:
        """Return the region that the limits, barriers and constraints of a step define."""
        lower, upper, (G, h) = box_and_rows(step.configuration, step.limits, step.dt, step.barriers)
        return cls(step, lower, upper, G, h, *step.equalities())

    def rows(self) -> tuple[Array, Array, Array, Array]:
        """Return G, h, A and b, with zero rows in place of None."""
        none = np.zeros((0, len(self.lower))), np.zeros(0)
        G, h = none if self.G is None or self.h is None else (self.G, self.h)
        return G, h, *(none if self.A is None or self.b is None else (self.A, self.b))

    def keeps_inequalities(self, x: Array) -> bool:
        """Return whether a step lies in the box and satisfies G Δq ≤ h."""
        inside: bool = kernels.module().is_within(x, self.lower, self.upper, 0.0)
        return inside and (self.G is None or self.h is None or bool((self.G @ x <= self.h).all()))

    def names(self) -> list[str]:
        """Name the source of each upper bound, lower bound, row of G and row of A."""
        step, sources = self.step, list[str]()
        rates = step.configuration.model.v_names
        box = [self.lower.copy(), self.upper.copy()]
        others: list[Limit | Barrier] = [
            *(limit for limit in step.limits if not limit.narrow_box(step.configuration, step.dt, *box)),
            *step.barriers,
        ]
        for side in ("upper", "lower"):
            sources += [f"the {side} bound of {name!r}" for name in rates]
        for other in others:
            pair = checks.read_inequalities(other, step.configuration, step.dt)
            sources += [] if pair is None else [repr(other)] * len(pair[1])
        for task in step.constraints:
            sources += [repr(task)] * len(checks.read_weighted_rows(task, step.configuration)[1])
        return sources


def sum_objectives(
    configuration: Configuration, tasks: Sequence[Task], damping: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array]:
    """Return H, shape (nv, nv), and c, shape (nv,), of ½ Δqᵀ H Δq + cᵀ Δq."""
    H = damping * configuration.identity
    c = np.zeros(len(H))
    for task in tasks:
        task.add_objective(configuration, H, c)
    for barrier in barriers:
        H_barrier, c_barrier = checks.read_objective(barrier, configuration)
        H += H_barrier
        c += c_barrier
    return H, c


def stack_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> Rows | tuple[None, None]:
    """Return G, shape (k, nv), and h, shape (k,), of G Δq ≤ h, or (None, None) if nothing is limited."""
    sources: list[Limit | Barrier] = [*limits, *barriers]
    pairs = [checks.read_inequalities(source, configuration, dt) for source in sources]
    rows = [pair for pair in pairs if pair is not None]
    if not rows:
        return None, None
    return np.vstack([G for G, _ in rows]), np.concatenate([h for _, h in rows])


def box_and_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array, Rows | tuple[None, None]]:
    """Return the bounds on Δq from limits on single rates, and G and h of all other limits and barriers."""
    lower, upper = (bound.copy() for bound in no_bounds(len(configuration.identity))[:2])
    others = [limit for limit in limits if not limit.narrow_box(configuration, dt, lower, upper)]
    rows = stack_rows(configuration, others, dt, barriers) if others or barriers else (None, None)
    return lower, upper, rows


@lru_cache(maxsize=64)
def no_bounds(n: int) -> tuple[Array, Array, Array]:
    """Return n times −∞, n times ∞, and n zeros, shared by all callers."""
    return np.full(n, -np.inf), np.full(n, np.inf), np.zeros(n)


@suggest_arguments
def build_ik(
    configuration: Configuration,
    tasks: Iterable[Task],
    dt: float,
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
) -> qpsolvers.Problem:
    """Return the quadratic program of one step: minimise ½ Δqᵀ H Δq + cᵀ Δq subject to G Δq ≤ h and A Δq = b.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.PostureTask(cost=1.0)
    >>> task.set_target([0] * 6)
    >>> dik.build_ik(at, [task], dt=0.01).P.shape
    (6, 6)

    Args:
        configuration: Configuration of the robot.
        tasks: Tasks, weighted against each other by their costs.
        dt: Duration of the step, s.
        damping: Cost of any motion, [cost]² per squared unit of Δq. If it is 0 the solution need not be unique.
        limits: Limits of the step; those of configuration and velocity by default, none if empty.
        barriers: Barriers of the step.
        constraints: Tasks to fulfil exactly, as equalities J Δq = −α e. Rows with a cost of zero are ignored, unlike in
            Pink; the size of a positive cost does not matter.

    Returns:
        The problem, with H as P and c as q; Δq = v dt, shape (nv,).

    Raises:
        ParameterError: dt is not above zero, damping is negative, or an argument has the wrong type.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
        MissingExtra: qpsolvers, which defines the class of the problem, is not installed.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    return step.program().problem("differential_ik.build_ik")
