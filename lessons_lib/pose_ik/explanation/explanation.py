"""A failed solve with its settings, and what an explanation consists of: causes, their messages, units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib.all_solutions.entry import all_solutions
from lessons_lib.all_solutions.excluded import Slices, slices
from lessons_lib.all_solutions.solutions import Solutions
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.evaluation import Iterate, evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.steps import steps_of
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import counted_components, has_weights, weights_of
from lessons_lib.robots import Chain


@dataclass(frozen=True, eq=False)
class Cause:
    """One reason why a pose was not reached.

    Attributes:
        name: In a few words, for instance "the point is out of reach".
        proven: True if the cause is proven, False if it is suspected.
        sentence: The numbers that support it.
        remedy: What to do.
        q: A configuration that shows it, shape (n,), rad or m; None if there is none.
        is_mistake: True for a likely mistake in the target, in q0 or in the limits.
    """

    name: str
    proven: bool
    sentence: str
    remedy: str
    q: Array | None = None
    is_mistake: bool = False

    def __str__(self) -> str:
        """Return name, certainty, numbers and remedy in one line."""
        certainty = "proven" if self.proven else "likely mistake" if self.is_mistake else "suspected"
        return f"{self.name[:1].upper()}{self.name[1:]} ({certainty}): {self.sentence} {self.remedy}".rstrip()


@dataclass(frozen=True, eq=False)
class Explanation:
    """The causes of a failure, proven ones first; a sequence of `Cause`.

    Attributes:
        causes: The established causes; empty if there are none, or if the pose was reached.
        reached: Whether the pose was reached.
        not_judged: Questions that stay open, with the reason, one sentence each.
        start: If no cause is established: a start from which the pose is solved, shape (n,), or None.
    """

    causes: tuple[Cause, ...]
    reached: bool
    not_judged: tuple[str, ...] = ()
    start: Array | None = None

    def __len__(self) -> int:
        """Return the number of causes."""
        return len(self.causes)

    def __getitem__(self, i: int) -> Cause:
        """Return cause i."""
        return self.causes[i]

    def __iter__(self) -> Iterator[Cause]:
        """Iterate over the causes in order."""
        return iter(self.causes)

    def __str__(self) -> str:
        """Return one line for each cause and for each open question."""
        if self.reached:
            return "The pose is reached."
        known = "" if self.start is None else f" From q0 = {[round(float(x), 4) for x in self.start]} it is solved."
        lines = [str(cause) for cause in self.causes] or [f"No cause is established.{known}"]
        return "\n".join([*lines, *(f"Not judged: {words}." for words in self.not_judged)])

    __repr__ = __str__


POINT, NOTHING = "the point is out of reach", "no configuration"
LIMITS, PLANE = "joint limits exclude it", "fewer than six directions"
REST = "at rest at a singular configuration"

SAYS = {
    POINT: "by {miss}: it is {away} {unit} from the first axis's point {center}; the links allow {bound}.",
    NOTHING: "the arm's equations have no solution ({form}).",
    LIMITS: "without limits there are {count}; each violates a limit: {each}.",
    PLANE: "all axes are parallel to {axis}, so the tip moves in a plane; {parts}.",
    REST: "the smallest singular value is {value}; to first order the tip cannot {lost}.",
}

MOST, LEAST = "at most {most} {unit}", "at least {least} {unit}"

BEYOND, MORE, TIMES = "{joint} by {over} {unit}", " (and {more} more)", " ({k} times)"

TILTED, OFF = "the target is tilted out of it by {tilt}°", "it is {height} off it"

TURN, MOVE = "turn about {axis} of its own axes", "move along {axis} of its own axes"
BOTH = "turn about {axis} while moving {along} {unit} per rad"

FLAT = 1e-6
"""Largest gradient that counts as zero, relative to |error| times |Jacobian|."""

LOST = 1e-6
"""Singular values below this, relative to the largest, count as lost directions."""


def page_messages() -> dict[str, object]:
    """Return the messages under the names that front/src/why.ts uses; arms of a page are in metres."""
    keys = {"point": POINT, "nothing": NOTHING, "limits": LIMITS, "plane": PLANE, "rest": REST}
    says = {key: SAYS[name].replace("{unit}", "m") for key, name in keys.items()}
    bounds = {"most": MOST, "least": LEAST, "tilted": TILTED, "off": OFF, "turn": TURN, "move": MOVE, "both": BOTH}
    bounds = {key: words.replace("{unit}", "m") for key, words in bounds.items()}
    beyond = {"beyond": BEYOND, "more": MORE, "times": TIMES, "flat": FLAT, "lost": LOST}
    return {"names": keys, "says": says, **bounds, **beyond}


def format_length(x: float, unit: str) -> str:
    """Format a length with its unit; metres below 1 m in millimetres."""
    return f"{1000 * x:.4g} mm" if unit == "m" and x < 1.0 else f"{x:.4g} {unit}"


def format_vector(point: Array) -> str:
    """Format a point, a direction or a configuration."""
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in point) + ")"


SEVERAL, FEW = Restarts(50), Restarts(12)
"""Starts for one changed solve, and for each of many."""


@dataclass(frozen=True, eq=False)
class FailureContext:
    """A pose that was not reached, with the arguments of the solve; `solve` is `pose_ik.solve`."""

    arm: Chain
    target: Array
    q0: Array | None  # None if left out or not known
    q: Array  # as returned, within the limits
    status: Status
    start: Array  # where the reported start began
    goal: Goal | None
    method: Stepping | None
    stop: Stop
    solve: Callable[..., Result]

    @cached_property
    def stepping(self) -> Stepping:
        """The method with the goal's weights."""
        return check_problem(self.arm, self.method, self.stop, None, self.goal).method

    @cached_property
    def mask(self) -> Array:
        """1 for each component of the error that the goal counts, shape (6,)."""
        return counted_components(self.stepping)

    @property
    def is_whole_pose(self) -> bool:
        """Whether the goal counts all six components."""
        return bool(self.mask.all())

    @cached_property
    def scales(self) -> Array:
        """Square roots of the weights; without weights, 1 and 1 / arm.length."""
        if has_weights(self.stepping):
            return np.sqrt(weights_of(self.stepping))
        return np.repeat([1.0, 1.0 / self.arm.length], 3)

    @cached_property
    def unlimited(self) -> Chain:
        """The arm without position limits."""
        return self.arm.with_limits(position=np.tile([-np.inf, np.inf], (self.arm.dof, 1)))

    @cached_property
    def center(self) -> Array:
        """Center of the ball that contains every position of the tip, in {s}, shape (3,)."""
        return arm_of(self.arm).reach[1:]

    @cached_property
    def size(self) -> float:
        """Radius around the origin of {s} that the tip cannot leave."""
        return max(arm_of(self.arm).size, 1e-300)

    def at(self, q: Array) -> Iterate:
        """Evaluate error and Jacobian in the frame of the method."""
        steps = steps_of(self.stepping)
        return evaluate(self.arm, self.target, q, steps.frame if steps.split else "body", steps.split)

    def resolve(self, target: Array | None = None, goal: Goal | None = None, limits: bool = True) -> Result:
        """Solve by the default method from several starts, with another target, another goal, or without limits."""
        arm, pose = self.arm if limits else self.unlimited, self.target if target is None else target
        return self.solve(arm, pose, self.q, goal=self.goal if goal is None else goal, starts=SEVERAL)

    def solvable(self, poses: Array) -> NDArray[np.bool_]:
        """Return which of many targets, shape (k, 4, 4), the default method solves from a few starts."""
        # one at a time: a batch would compile another loop
        found = [self.solve(self.arm, pose, self.q, goal=self.goal, starts=FEW).converged for pose in poses]
        return np.array(found, dtype=np.bool_)

    def solve_once(self, arm: Chain, q0: Array, stop: Stop) -> Result:
        """Repeat the solve from one start, with its trace."""
        options = {"goal": self.goal, "method": self.method, "starts": Restarts(0), "trace": True}
        return self.solve(arm, self.target, q0, stop=stop, **options)

    @cached_property
    def several_starts(self) -> Result:
        """The same pose from several starts."""
        return self.resolve()

    @property
    def successful_start(self) -> Array:
        """The start from which `several_starts` reached the pose."""
        return self.several_starts._report[-self.arm.dof :]

    @cached_property
    def solutions(self) -> Solutions | None:
        """All solutions without limits; None if they are not known."""
        return self._all_solutions(limits=False)

    @cached_property
    def solutions_within(self) -> Solutions | None:
        """All solutions within the limits; None if they are not known."""
        return self._all_solutions(limits=True)

    def _all_solutions(self, limits: bool) -> Solutions | None:
        try:
            return all_solutions(self.arm, self.target, limits=limits)
        except ParameterError:
            return None

    @cached_property
    def slices(self) -> Slices | None:
        """Search for solutions within the limits slice by slice; None if the arm has no such form."""
        return slices(self.arm, self.target, self.arm.limits) if self.is_whole_pose else None
