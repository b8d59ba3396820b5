"""The step by orthogonal factors: slow, and right where the problem is badly scaled, singular or empty."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.differential_ik import checked
from lessons_lib.differential_ik.inequalities import box_and_rows, names_of_rows
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.solver.feasible_set import TOLERANCE, FeasibleSet, Infeasible, least_missed
from lessons_lib.differential_ik.solver.least_squares import gather
from lessons_lib.differential_ik.solver.working_set import minimize


@dataclass(slots=True)
class Allowed:
    """What a step may be: lower ≤ Δq ≤ upper, G Δq ≤ h and A Δq = b; None where there are no rows."""

    step: Step
    lower: Array
    upper: Array
    G: Array | None
    h: Array | None
    A: Array | None
    b: Array | None

    @classmethod
    def read(cls, step: Step) -> Allowed:
        """Return what the limits, barriers and constraints of a step say."""
        lower, upper, (G, h) = box_and_rows(step.configuration, step.limits, step.dt, step.barriers)
        return cls(step, lower, upper, G, h, *step.equalities())

    def rows(self) -> tuple[Array, Array, Array, Array]:
        """Return G, h, A and b, without a row where there are none."""
        none = np.zeros((0, len(self.lower))), np.zeros(0)
        G, h = none if self.G is None or self.h is None else (self.G, self.h)
        return G, h, *(none if self.A is None or self.b is None else (self.A, self.b))

    def keeps_rows(self, x: Array) -> bool:
        """Return whether a step keeps the inequalities beside the box."""
        return self.G is None or self.h is None or bool((self.G @ x <= self.h).all())

    def closed(self) -> tuple[Array, Array]:
        """Return the bounds of the box, those that cross by rounding alone made one.

        Raises:
            Infeasible: Two bounds of the same rate leave no room.
        """
        gap = self.lower - self.upper
        if not (gap > 0.0).any():
            return self.lower, self.upper
        sizes = np.maximum(np.abs(self.lower), np.abs(self.upper))
        i = int(np.argmax(gap - TOLERANCE * sizes))
        if gap[i] > TOLERANCE * sizes[i]:
            name = self.step.configuration.model.v_names[i]
            raise Infeasible(
                f"the limits contradict each other for {name!r}: its step is to be at least {self.lower[i]:.6g} and at "
                f"most {self.upper[i]:.6g}, which is {gap[i]:.3g} less"
            )
        middle = 0.5 * (self.lower + self.upper)
        return np.where(gap > 0.0, middle, self.lower), np.where(gap > 0.0, middle, self.upper)

    def feasible_set(self, lower: Array, upper: Array) -> FeasibleSet:
        """Return the steps that are allowed; the upper bounds come first, then the lower ones, then the rows."""
        one, (G, h, A, b) = np.eye(len(lower)), self.rows()
        return FeasibleSet(np.vstack([one, -one, G]), np.concatenate([upper, -lower, h]), A, b, self.names)

    def names(self) -> list[str]:
        """Return the source of each inequality and each equality."""
        step = self.step
        rates = step.configuration.model.v_names
        names = [f"the {side} bound of {name!r}" for side in ("upper", "lower") for name in rates]
        names += names_of_rows(step.configuration, step.limits, step.dt, step.barriers)
        for task in step.constraints:
            names += [repr(task)] * len(checked.counted_rows(task, step.configuration)[1])
        return names


def exact_step(allowed: Allowed, guess: Array | None = None, multipliers: Array | None = None) -> Array | None:
    """Return the least Δq, the shortest where there are many, or None where rounding kept it from being found.

    Args:
        allowed: What the step may be, and what it is for.
        guess: Where to start, a step that is likely to be near.
        multipliers: Those of the box there, and of the rows: not zero for constraints that are likely to be active.

    Raises:
        Infeasible: Limits, barriers and constraints contradict each other.
        Unbounded: The objective falls without end.
    """
    lower, upper = allowed.closed()
    inside = allowed.feasible_set(lower, upper)
    C, d, numbers = inside.reduced
    near = [np.zeros(len(lower))] if guess is None else [guess, np.zeros(len(lower))]
    y = inside.feasible_point([np.clip(x, lower, upper) for x in near])
    active = [] if multipliers is None else _likely_active(multipliers, len(lower), numbers)
    y_least = minimize(gather(allowed.step).along(inside.offset, inside.basis), C, d, y, active)
    if y_least is None:
        return None
    x: Array = np.clip(inside.offset + inside.basis @ y_least, lower, upper)  # at a bound to the last digit
    return x


def prove_feasible(allowed: Allowed) -> None:
    """Return where there is an allowed step.

    Raises:
        Infeasible: There is none.
    """
    lower, upper = allowed.closed()
    allowed.feasible_set(lower, upper).feasible_point([np.clip(np.zeros(len(lower)), lower, upper)])


def _likely_active(multipliers: Array, n: int, numbers: Integers) -> list[int]:
    """Return the constraints that have multipliers, as numbers into those of `reduced`."""
    active = np.concatenate([multipliers[:n] > 0.0, multipliers[:n] < 0.0, multipliers[n:] > 0.0])
    return [k for k, i in enumerate(numbers.tolist()) if i < len(active) and active[i]]


ROOM = 1e-9
"""By how much rows are opened beyond what is missed, of the largest bound: rounding must not close them."""


def nearest_step(step: Step) -> Array:
    """Return Δq in place of one that does not exist, shape (nv,): what contradicts itself is missed by little.

    The box of the rates is kept, but for bounds that cross, which meet in their middle. Of all steps in it those are
    taken that miss rows and constraints least, by the sum of squares of what is missed; of those the cheapest.
    """
    allowed = Allowed.read(step)
    crossed = allowed.lower > allowed.upper
    lower, upper = allowed.lower.copy(), allowed.upper.copy()
    lower[crossed] = upper[crossed] = 0.5 * (lower[crossed] + upper[crossed])
    G, h, A, b = allowed.rows()
    sizes = np.abs(np.concatenate([b, h, lower, upper]))
    unit = float(max(sizes[np.isfinite(sizes)].max(initial=0.0), 1e-12))
    x = least_missed(A, b / unit, G, h / unit, lower / unit, upper / unit) * unit
    room = ROOM * unit
    opened = replace(allowed, lower=lower, upper=upper, h=np.maximum(h, G @ x) + room, b=A @ x)
    best = exact_step(opened, x)
    return x if best is None else best
