"""Goals: the weights, axes and allowed intervals of the components of a pose.

The components of the twist V_b belong to one screw motion. v_b vanishes where p_d − p does, but its components are not
distances along axes while the orientation is wrong. If a weight is zero and the position weights differ, or the goal
names axes other than the body's, the search therefore uses the split error e = (ω, r), with ω = log(RᵀR_d) and
r = p_d − p, and its exact derivative. It reduces e, compares it with the tolerances, and reports it. `axes` selects the
axes of e:

| axes | weights (0, 0, 0, 1, 1, 0) put the tip | weights (1, 1, 0, 1, 1, 1) leave free the rotation about |
|---|---|---|
| "body" | so that its own z axis passes through p_d | its own z axis |
| "space" | on the line through p_d along the z axis of {s} | the z axis of {s} |
| "target" | on the line through p_d along the z axis of {d} | the z axis of {d}, then its own too |
| `Axes` | on the line through p_d along the third of these axes | the third, in {d}, then in {b} too |

"twist" always uses V_b. If one component of ω is masked, |(ω_x, ω_y)| is the tilt of its axis, or up to π/2 times it.
If two are masked, the remaining error is a rotation about an axis perpendicular to the third, seldom a useful task.
Along the body's axes with equal position weights the twist is used, with its exact derivative. For a target out of
reach it minimizes |v_b|; "space" and "target" minimize |p_d − p|.

With intervals the error is e − clip(e), the part of the split error along the axes of {d} that lies outside them: the
displacement to the box of allowed poses. Rows of components inside their intervals are zero. ½ |e − clip(e)|² has a
continuous gradient, and second derivatives that jump at the ends of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_flag, floats
from lessons_lib.errors import ParameterError, how_to_call
from lessons_lib.lie.intervals import Intervals
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik.methods import Method, exact_derivative
from lessons_lib.pose_ik.weights import Axes, apply_weights, check_weights, has_masked_components, uses_split_error

AlongAxes = Literal["body", "space", "target", "twist"] | Axes
NAMED_AXES = ("body", "space", "target", "twist")
Interval: TypeAlias = float | tuple[float | None, float | None] | None
LIKE = "pose_ik.pose(weights), pose_ik.position_only(), pose_ik.orientation_only() or pose_ik.pointing((0, 0, 1))"


@suggest_arguments
@dataclass(frozen=True)
class Goal:
    """The components of the target that count; see `pose`, `position_only`, `orientation_only` and `pointing`.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.position_only() == pose_ik.Goal((0, 0, 0, 1, 1, 1))
    True

    Attributes:
        weights: Six numbers in the order (ω, v), zero or more; a zero masks its component. None for the whole pose,
            without weights.
        axes: The axes of the weights if one of them is zero; None for the axes of the body.
        intervals: Six intervals for the displacement (ω, r) from the target, with ω = log(R_dᵀR), the rotation vector,
            rad, and r = R_dᵀ(p − p_d), the position in the target's axes, in the robot's unit of length. Each is t ≥ 0
            for [−t, t], a pair (lower, upper), or None for a free component. The pose is reached if each component is
            within its interval, to the tolerances of `Stop`; the errors of a result measure the distance outside.

    Raises:
        ParameterError: The weights have another shape, are negative, not finite, or all zero; the axes are unknown, or
            no weight is zero; an interval is empty or not a number, all are free, or they are combined with axes or
            with a weight of zero.
    """

    weights: Sequence[float] | Array | None = None
    axes: AlongAxes | None = None
    intervals: Sequence[Interval] | Array | Intervals | None = None

    def __post_init__(self) -> None:
        """Check the fields."""
        object.__setattr__(self, "weights", check_weights(self.weights))
        if self.intervals is not None:
            self._check_intervals()
        if self.axes is None:
            return
        if not isinstance(self.axes, Axes) and not (isinstance(self.axes, str) and self.axes in NAMED_AXES):
            raise ParameterError(f"axes must be 'body', 'space', 'target', 'twist' or Axes(…), got {self.axes!r}")
        if self.axes != "twist" and not has_masked_components(self):
            raise ParameterError(f"axes={self.axes!r} needs a weight of zero, and no weight is zero: leave axes out")

    def _check_intervals(self) -> None:
        intervals = self.intervals if isinstance(self.intervals, Intervals) else Intervals.of(self.intervals)
        object.__setattr__(self, "intervals", intervals)
        if self.axes not in (None, "target"):
            raise ParameterError(f"intervals are along the axes of the target: leave axes={self.axes!r} out")
        object.__setattr__(self, "axes", None)
        if self.weights is None:
            object.__setattr__(self, "weights", (1.0,) * 6)
        if has_masked_components(self):
            raise ParameterError(
                f"weights of a goal with intervals must be positive, got {self.weights}; to free a component, use the "
                "interval None"
            )

    def of(self, method: Any) -> Any:
        """Return a method that reduces the error of this goal, for a `Method` or an object with a `step`.

        Raises:
            ParameterError: The goal masks components along named axes or has intervals, and the method uses the twist
                in the space frame or its geometric derivative.
        """
        if self.weights is None:
            return method
        if self.intervals is not None and (
            getattr(method, "frame", "body") != "body" or getattr(method, "derivative", None) == "geometric"
        ):
            raise ParameterError(
                f"a goal with intervals uses the split error and its exact derivative, {method!r} uses the twist; "
                "choose a method without frame and geometric derivative, such as GaussNewton() or LevenbergMarquardt()"
            )
        if not isinstance(method, Method):
            return WeightedStepMethod(method, self)
        values = {field.name: getattr(method, field.name) for field in fields(Method)}
        intervals = cast(Intervals | None, self.intervals)
        weighted = WeightedMethod(**values, weights=self.weights, axes=self.axes, intervals=intervals)
        if method.derivative == "geometric" and self.axes not in (None, "twist"):
            raise ParameterError(
                f"the goal names axes ({self.axes}), and {method!r} uses a derivative of the twist: leave out the "
                "derivative of the method"
            )
        if method.frame != "body" and has_masked_components(self) and method.derivative != "geometric":
            raise ParameterError(
                f"{method!r} uses the frame {method.frame!r}, which does not suit a goal with a weight of zero: choose "
                f"pose(weights, axes={method.frame!r}) and no frame, or derivative='geometric'"
            )
        return weighted


@dataclass(frozen=True, repr=False)
class WeightedMethod(Method):
    """A method with the weights, the axes and the intervals of a goal."""

    weights: Sequence[float] | Array | None = None
    axes: AlongAxes | None = None
    intervals: Intervals | None = None

    @property
    def is_exact(self) -> bool:
        """Whether J is the exact derivative of the twist; the split error has a derivative of its own."""
        if uses_split_error(self):
            return False
        return self.derivative == "exact" or (self.derivative is None and has_masked_components(self))


class WeightedStepMethod:
    """A user-defined method with the weights of a goal: the arguments of its `step` are √W A and √W V."""

    def __init__(self, method: Any, goal: Goal) -> None:
        self._method, self.weights, self.axes, self.intervals = method, goal.weights, goal.axes, goal.intervals
        self.frame = getattr(method, "frame", "body")
        self.name = getattr(method, "name", type(method).__name__)

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the method's step for the weighted model, shape (n,)."""
        exact = has_masked_components(self) and not uses_split_error(self) and self.frame == "body"
        A = exact_derivative(jacobian, error) if exact else jacobian
        step: Array = self._method.step(*apply_weights(self, A, error))
        return step


@suggest_arguments
def pose(
    weights: Sequence[float] | Array | None = None,
    axes: AlongAxes | None = None,
    intervals: Sequence[Interval] | Array | None = None,
) -> Goal:
    """Return the goal of minimizing ½ VᵀWV: the whole pose, its weighted components, or a pose within intervals.

    `pose(intervals=(0.17, 0, 0, 0, 0, (0, 0.1)))` allows a roll of ±0.17 rad about the target's x axis, and positions
    up to 0.1 along its z axis.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.pose((1, 1, 1, 100, 100, 100)).weights
    (1.0, 1.0, 1.0, 100.0, 100.0, 100.0)

    Args:
        weights: As in `Goal`.
        axes: As in `Goal`.
        intervals: As in `Goal`.

    Raises:
        ParameterError: As in `Goal`.
    """
    return Goal(weights, axes, intervals)


def position_only() -> Goal:
    """Return the goal of the target's position with any orientation.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), goal=pose_ik.position_only()).converged
    True
    """
    return Goal((0.0, 0.0, 0.0, 1.0, 1.0, 1.0))


def orientation_only() -> Goal:
    """Return the goal of the target's orientation at any position.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), goal=pose_ik.orientation_only()).converged
    True
    """
    return Goal((1.0, 1.0, 1.0, 0.0, 0.0, 0.0))


@suggest_arguments
def pointing(axis: ArrayLike, position: bool = True) -> Goal:
    """Return the goal of aligning an axis of the tool with the target's; the rotation about it is free.

    With a welding torch, a drill or a camera the rotation about the axis does not matter, which leaves a six-joint arm
    one redundant degree of freedom.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), goal=pose_ik.pointing((0, 0, 1))).converged
    True

    Args:
        axis: Direction in {b}, shape (3,), not zero: (0, 0, 1) for the z axis of the tip.
        position: Whether the position counts as well.

    Raises:
        ParameterError: The axis is not three finite numbers, or zero; position is not True or False.
    """
    arrow = floats(axis, "axis must be three numbers, a direction in the tool's frame {b}", ParameterError)
    if arrow.shape != (3,) or not np.isfinite(arrow).all() or not arrow.any():
        raise ParameterError(f"axis must be a direction (x, y, z) in {{b}}, finite and not zero, got {arrow.tolist()}")
    linear = (1.0, 1.0, 1.0) if check_flag("position", position) else (0.0, 0.0, 0.0)
    return Goal((1.0, 1.0, 0.0, *linear), Axes.with_third(arrow))


def check_goal(goal: object) -> None:
    if not isinstance(goal, Goal):
        raise ParameterError(f"goal must be a Goal, such as {LIKE}, got {goal!r}{how_to_call(goal, LIKE)}")
