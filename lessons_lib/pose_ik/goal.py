"""What of a pose is asked for: all of it, its position, its orientation, or where an axis of the tool points.

A goal is six weights, and the axes along which they weigh. Both are numbers for the kernels: another tool axis compiles
nothing.

**A weight of zero** asks which component it leaves out. Those of the twist V_b belong to one motion that does all at
once: v_b vanishes where p_d − p does, but until the orientation comes right its components are distances along no axis.
So where a weight is zero and the weights on the position differ, or axes other than the body's are named, error and
Jacobian are those of the split error e = (ω, r), with ω = log(RᵀR_d) and r = p_d − p, and it is e that is reduced,
compared with the tolerances and reported. The Jacobian is its exact derivative, and `axes` names the axes:

| axes | weights (0, 0, 0, 1, 1, 0) put the tip | weights (1, 1, 0, 1, 1, 1) let it turn about |
|---|---|---|
| "body" | so that its own z axis passes through p_d | its own z axis |
| "space" | on the line through p_d along the z axis of {s} | the z axis of {s} |
| "target" | on the line through p_d along the z axis of {d} | the z axis of {d}, then its own too |
| `Axes` | on the line through p_d along the third of these axes | the third, in {d}, then in {b} too |

"twist" keeps to V_b, whose components are then weighed as they stand.

With one component of ω left out, the others are zero exactly where a turn about that axis is all that is missing;
|(ω_x, ω_y)| is the tilt of that axis, or up to π/2 times it. With two left out, the turn that is missing is one about
an axis across the third: seldom what a task means.

Along the body's axes, with equal weights on the position, the twist stays: v_b = 0 is p = p_d. It needs the exact
derivative, and has it. Out of reach it ends where |v_b| is least, "space" and "target" where |p_d − p| is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_flag, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.methods import Method, exact_derivative
from lessons_lib.pose_ik.weights import Axes, check_weights, leaves_out, splits, weighed

AlongAxes = Literal["body", "space", "target", "twist"] | Axes
NAMED_AXES = ("body", "space", "target", "twist")
LIKE = "pose_ik.pose(weights), pose_ik.position_only(), pose_ik.orientation_only() or pose_ik.pointing((0, 0, 1))"


@dataclass(frozen=True)
class Goal:
    """What of the target has to be reached; make one with `pose`, `position_only`, `orientation_only` or `pointing`.

    Attributes:
        weights: Six numbers in the order (ω, v), zero or more; a zero leaves its component out. None for the whole
            pose, by its tolerances alone.
        axes: Along which axes they weigh, where one of them is zero; None for those of the body.

    Raises:
        ParameterError: Weights of another shape, negative, not finite, or all zero; axes that there are not, or where
            no weight is zero.
    """

    weights: Sequence[float] | Array | None = None
    axes: AlongAxes | None = None

    def __post_init__(self) -> None:
        """Check the weights and keep them as a tuple."""
        object.__setattr__(self, "weights", check_weights(self.weights))
        if self.axes is None:
            return
        if not isinstance(self.axes, Axes) and not (isinstance(self.axes, str) and self.axes in NAMED_AXES):
            raise ParameterError(f"axes are {self.axes!r}; they are 'body', 'space', 'target', 'twist' or Axes(…)")
        if self.axes != "twist" and not leaves_out(self):
            raise ParameterError(f"axes are {self.axes!r}; they are meant where a weight is zero, and none is")

    def of(self, method: Any) -> Any:
        """Return a method that reduces the error of this goal.

        Raises:
            ParameterError: The method is one of the twist in another frame, or by its geometric derivative, and the
                goal leaves components out along axes of its own.
        """
        if self.weights is None:
            return method
        if not isinstance(method, Method):
            return WeighedStep(method, self)
        own = {field.name: getattr(method, field.name) for field in fields(Method)}
        weighed = Weighed(**own, weights=self.weights, axes=self.axes)
        if method.derivative == "geometric" and self.axes not in (None, "twist"):
            raise ParameterError(
                f"the goal names axes, {self.axes}, and {method!r} a derivative of the twist: leave the derivative out"
            )
        if method.frame != "body" and leaves_out(self) and method.derivative != "geometric":
            raise ParameterError(
                f"{method!r} works in {method.frame!r}, and the goal leaves components out: name its axes instead, "
                f"pose(weights, axes={method.frame!r}), or the derivative 'geometric'"
            )
        return weighed


@dataclass(frozen=True, repr=False)
class Weighed(Method):
    """A method with the weights and the axes of a goal: what the search runs."""

    weights: Sequence[float] | Array | None = None
    axes: AlongAxes | None = None

    @property
    def is_exact(self) -> bool:
        """Whether a step is given the exact derivative of the twist; that of the split error comes from the loop."""
        if splits(self):
            return False
        return self.derivative == "exact" or (self.derivative is None and leaves_out(self))


class WeighedStep:
    """A method of the reader's own, for a goal: its `step` is given √W A and √W V."""

    def __init__(self, method: Any, goal: Goal) -> None:
        """Take both."""
        self._method, self.weights, self.axes = method, goal.weights, goal.axes
        self.frame = getattr(method, "frame", "body")
        self.name = getattr(method, "name", type(method).__name__)

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return what the method's own step gives for the weighted model."""
        exact = leaves_out(self) and not splits(self) and self.frame == "body"
        slope = exact_derivative(jacobian, error) if exact else jacobian
        found: Array = self._method.step(*weighed(self, slope, error))
        return found


def pose(weights: Sequence[float] | Array | None = None, axes: AlongAxes | None = None) -> Goal:
    """Return the goal of the whole pose, or of what weights leave of it: the least ½ VᵀWV.

    Arguments and errors are those of `Goal`.
    """
    return Goal(weights, axes)


def position_only() -> Goal:
    """Return the goal that the tip's position is the target's, whatever its orientation."""
    return Goal((0.0, 0.0, 0.0, 1.0, 1.0, 1.0))


def orientation_only() -> Goal:
    """Return the goal that the tip's orientation is the target's, wherever it is."""
    return Goal((1.0, 1.0, 1.0, 0.0, 0.0, 0.0))


def pointing(axis: ArrayLike, position: bool = True) -> Goal:
    """Return the goal that an axis of the tool points as that axis of the target does; the tool may turn about it.

    A welding torch, a drill, a camera: the turn about their axis is free, so a solver has a joint to spare.

    Args:
        axis: In {b}, shape (3,), any length but zero: (0, 0, 1) for the z axis of the tip.
        position: Whether the position is asked for as well.

    Raises:
        ParameterError: The axis is not three finite numbers, or zero.
    """
    arrow = floats(axis, "axis must be three numbers, a direction in the tool's frame {b}", ParameterError)
    if arrow.shape != (3,) or not np.isfinite(arrow).all() or not arrow.any():
        raise ParameterError(f"axis is {arrow.tolist()}; it is a direction (x, y, z) in {{b}}, finite and not all zero")
    linear = (1.0, 1.0, 1.0) if check_flag("position", position) else (0.0, 0.0, 0.0)
    return Goal((1.0, 1.0, 0.0, *linear), Axes.with_third(arrow))


def check_goal(goal: object) -> None:
    """Raise ParameterError unless `goal` is a Goal."""
    if not isinstance(goal, Goal):
        raise ParameterError(f"goal is {goal!r}; it is a Goal, such as {LIKE}")
