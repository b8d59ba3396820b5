"""The quadratic program of one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments, checked
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.inequalities import stack_rows
from lessons_lib.differential_ik.limits.defaults import default_limits
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.program import QuadraticProgram
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    import qpsolvers


NEAR = 1e-4
"""Costs nearer to each other than this are seen in H: their squares are, and the slopes of what they ask for."""


@dataclass(slots=True)
class Step:
    """What one step is about, checked: see `build_ik` for the meaning of each."""

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
        """Return what a caller asks for.

        Raises:
            ParameterError: dt is not above zero, damping is negative, or something is of another kind.
        """
        if not isinstance(configuration, Configuration):
            raise ParameterError(f"configuration is a {type(configuration).__name__}; make a Configuration(model, q)")
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
        """Return H and c."""
        return sum_objectives(self.configuration, self.tasks, self.damping, self.barriers)

    def costs_are_near(self) -> bool:
        """Return whether no cost is so small beside another that it could be taken for rounding of their squares."""
        least, most = float("inf"), 0.0
        for task in self.tasks:
            low, high = task.cost_range
            least, most = min(least, low), max(most, high)
            if not task.is_least_squares:
                return False
        return least > NEAR * most and not any(barrier.safe_displacement_gain for barrier in self.barriers)

    def equalities(self) -> tuple[Array, Array] | tuple[None, None]:
        """Return A and b of A Δq = b, from the constraints: J Δq = −α e, in the rows whose cost is above zero.

        Raises:
            ParameterError: A task of the caller's own returns other shapes, or something not finite.
        """
        if not self.constraints:
            return None, None
        matrices, values = [], []
        for task in self.constraints:
            J, e = checked.counted_rows(task, self.configuration)
            matrices.append(J)
            values.append(-task.gain * e)
        A = np.vstack(matrices)
        return (A, np.concatenate(values)) if len(A) else (None, None)

    def program(self) -> QuadraticProgram:
        """Return the quadratic program."""
        H, c = self.objective()
        G, h = stack_rows(self.configuration, self.limits, self.dt, self.barriers)
        return QuadraticProgram(H, c, G, h, *self.equalities())


def sum_objectives(
    configuration: Configuration, tasks: Sequence[Task], damping: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array]:
    """Return H, shape (nv, nv), and c, shape (nv,), of ½ Δqᵀ H Δq + cᵀ Δq.

    Raises:
        ParameterError: A task or barrier of the caller's own returns other shapes, or something not finite.
        TargetNotSet: A task has no target.
        FrameNotFound: A task names a frame that the robot does not have.
    """
    H = damping * configuration.identity
    c = np.zeros(len(H))
    for task in tasks:
        task.add_objective(configuration, H, c)
    for barrier in barriers:
        H_barrier, c_barrier = checked.objective_of(barrier, configuration)
        H += H_barrier
        c += c_barrier
    return H, c


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

    Args:
        configuration: Where the robot is.
        tasks: What it should do, as well as all of it can be done.
        dt: Duration of the step, s.
        damping: What any motion costs, [cost]² per squared unit of Δq. With none the solution need not be unique.
        limits: What it may never do; those of the configuration and of the velocity if left out, none if empty.
        barriers: What it may not come too near to.
        constraints: Tasks to be done exactly, as equalities: J Δq = −α e. Rows with a cost of zero are left out, in
            contrast to Pink; the size of a cost above zero does not matter.

    Returns:
        The problem, with H as P and c as q; Δq = v dt, shape (nv,).

    Raises:
        ParameterError: dt is not above zero, damping is negative, or something is of another kind.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
        MissingExtra: qpsolvers, which names the problem's kind, is not installed.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    return step.program().problem("differential_ik.build_ik")
