"""Errors of configurations, tasks and solver, with Pink's names; `PinkError` includes all errors of this library."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lessons_lib.errors import ArgumentError, ConfigurationError, LessonsError, LimitsError, ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.robots.joint_limits import degrees_hint

if TYPE_CHECKING:
    import qpsolvers

    from lessons_lib.differential_ik.solver import QuadraticProgram


PinkError = LessonsError
"""Base class of these errors, by the name that it has in Pink."""


class NotWithinConfigurationLimits(ConfigurationError):
    """A configuration violates its limits.

    Attributes:
        joint: Index of the value in q.
        name: Name of the joint.
        value: Its value, rad or m.
        lower: Lower bound, rad or m.
        upper: Upper bound, rad or m.
    """

    def __init__(self, joint: int, name: str, value: float, lower: float, upper: float) -> None:
        """Name the joint, its value and its limits."""
        self.joint, self.name, self.value, self.lower, self.upper = joint, name, value, lower, upper
        super().__init__(
            f"joint {name!r} is outside its limits: q[{joint}] = {value:.6g} is not in [{lower:.6g}, {upper:.6g}]"
            f"{degrees_hint(value, (lower, upper))}"
        )


class TargetNotSet(LessonsError):
    """A task was computed before its target was set."""

    def __init__(self, task: object) -> None:
        """Name the task and the methods that set its target."""
        self.task = task
        setters = [f"{name}(…)" for name in ("set_target", "set_target_from_configuration") if hasattr(task, name)]
        remedy = f"; call {' or '.join(setters)} first" if setters else ""
        super().__init__(f"{task!r} has no target{remedy}")


class NoPositionLimitProvided(LimitsError):
    """A position barrier has neither p_min nor p_max."""


class NegativeMinimumDistance(ParameterError):
    """A smallest distance is negative."""


class InvalidCollisionPairs(ParameterError):
    """A barrier has more pairs of bodies than the collision model, or an invalid number of them."""


class MeshTouched(ParameterError):
    """A mesh touches something, and the direction that separates them is unknown.

    Attributes:
        pair: The names of the two bodies.
    """

    def __init__(self, pair: tuple[str, str]) -> None:
        """Name the bodies."""
        self.pair = pair
        super().__init__(
            f"{pair[0]!r} touches {pair[1]!r}, one of them a mesh, whose penetration is not computed; choose a larger "
            "d_min, or give the robot spheres, capsules, cylinders or boxes"
        )


class TaskDefinitionError(ParameterError):
    """The arguments of a task do not match each other."""


class TaskJacobianNotSet(ParameterError):
    """The number of columns of a task's matrix differs from the number of the robot's rates."""


class UnknownSolver(ArgumentError):
    """The named solver of quadratic programs is not installed.

    Attributes:
        solver: The given name.
        available: The valid names.
    """

    def __init__(self, solver: object, available: Iterable[str]) -> None:
        """List the solvers that are installed."""
        self.solver, self.available = solver, tuple(available)
        super().__init__(
            f"no QP solver {solver!r} is installed; installed are {', '.join(map(repr, self.available))} "
            "(others: pip install qpsolvers[NAME])"
        )


class NoSolutionFound(LessonsError):
    """No step satisfies all limits, barriers and constraints, or the solver found none.

    Attributes:
        problem: The quadratic program: P, q, G, h, A and b.
        results: The result of a named solver of qpsolvers, or None.
        reason: Description of the cause, as far as known.
        contradiction: A smallest set of limits, barriers and constraints that no step satisfies; empty if all can be
            satisfied. It is computed at the first access.
    """

    def __init__(
        self,
        problem: "QuadraticProgram | qpsolvers.Problem",
        results: "qpsolvers.Solution | None" = None,
        reason: str = "the solver failed without a reason",
        contradiction: Callable[[], tuple[Any, ...]] = tuple,
    ) -> None:
        """State the size of the problem and why it has no solution."""
        self.problem, self.results, self.reason = problem, results, reason
        self._contradiction = contradiction
        rows = [0 if matrix is None else matrix.shape[0] for matrix in (problem.G, problem.A)]
        super().__init__(
            f"no solution with {problem.q.size} unknowns, {rows[0]} inequalities and {rows[1]} equalities: {reason}"
        )

    @cached_property
    def contradiction(self) -> tuple[Any, ...]:
        """A smallest set of limits, barriers and constraints that no step satisfies."""
        return self._contradiction()
