"""What can go wrong between a configuration, its tasks and the solver; each error carries its values.

The names are those of Pink. What code written for Pink catches as `PinkError` is caught here, too, and so is all else
that this library raises.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lessons_lib.errors import ArgumentError, ConfigurationError, LessonsError, LimitsError, ParameterError
from lessons_lib.lazy import cached_property

if TYPE_CHECKING:
    import qpsolvers

    from lessons_lib.differential_ik.solver.problem import QuadraticProgram


PinkError = LessonsError
"""The root of these errors, under the name that it has in Pink."""


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
        """Say which joint is outside, where it is and where it may be."""
        self.joint, self.name, self.value, self.lower, self.upper = joint, name, value, lower, upper
        super().__init__(
            f"joint {name!r} is outside its limits: q[{joint}] = {value:.6g} is not in [{lower:.6g}, {upper:.6g}]"
        )


class TargetNotSet(LessonsError):
    """A task was computed before it was told its target."""

    def __init__(self, task: object) -> None:
        """Name the task and what to call."""
        self.task = task
        super().__init__(f"{task!r} has no target; call set_target(…) or set_target_from_configuration(…) first")


class NoPositionLimitProvided(LimitsError):
    """A barrier was to keep a frame between walls, and was given none."""


class NegativeMinimumDistance(ParameterError):
    """Two things were to stay less than nothing apart."""


class InvalidCollisionPairs(ParameterError):
    """As many pairs of bodies were to be kept apart as there are not."""


class MeshTouched(ParameterError):
    """A mesh touches something, and nothing tells in which direction it would part from it.

    Attributes:
        pair: The names of the two bodies.
    """

    def __init__(self, pair: tuple[str, str]) -> None:
        """Name the bodies."""
        self.pair = pair
        super().__init__(
            f"{pair[0]!r} touches {pair[1]!r}, one of them a mesh: how deep and where is not known of meshes; keep "
            "them apart by a larger d_min, or give the robot spheres, capsules, cylinders or boxes"
        )


class TaskDefinitionError(ParameterError):
    """A task was given parts that do not fit each other."""


class TaskJacobianNotSet(ParameterError):
    """The Jacobian that a task was given is one of another robot."""


class UnknownSolver(ArgumentError):
    """A QP solver was named that is not installed.

    Attributes:
        solver: The name that was given.
        available: The names that would have been valid.
    """

    def __init__(self, solver: object, available: Iterable[str]) -> None:
        """List the solvers that are installed."""
        self.solver, self.available = solver, tuple(available)
        super().__init__(
            f"no QP solver {solver!r} is installed; installed are {', '.join(map(repr, self.available))} "
            "(others: pip install qpsolvers[NAME])"
        )


class NoSolutionFound(LessonsError):
    """There is no step that all of limits, barriers and constraints allow, or the solver found none.

    Attributes:
        problem: The quadratic program, for a closer look: P, q, G, h, A and b.
        results: What a solver of qpsolvers returned; None where none was asked.
        reason: Why, as far as it was established.
        contradiction: A smallest set of limits, barriers and constraints that no step keeps together; empty where all
            can be kept, and something else went wrong. It is worked out when it is asked for.
    """

    def __init__(
        self,
        problem: "QuadraticProgram | qpsolvers.Problem",
        results: "qpsolvers.Solution | None" = None,
        reason: str = "the solver gave up, and did not say why",
        contradiction: Callable[[], tuple[Any, ...]] = tuple,
    ) -> None:
        """Say how large the problem was and why it has no solution."""
        self.problem, self.results, self.reason = problem, results, reason
        self._contradiction = contradiction
        rows = [0 if matrix is None else matrix.shape[0] for matrix in (problem.G, problem.A)]
        super().__init__(
            f"no solution with {problem.q.size} unknowns, {rows[0]} inequalities and {rows[1]} equalities: {reason}"
        )

    @cached_property
    def contradiction(self) -> tuple[Any, ...]:
        """A smallest set of limits, barriers and constraints that no step keeps together."""
        return self._contradiction()
