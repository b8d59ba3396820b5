"""What of a pose is asked for: all of it, its position, its orientation, or where an axis of the tool points.

A goal is six weights and the axes along which they weigh. Both are numbers for the kernels: another tool axis compiles
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.axes import Axes
from lessons_lib.pose_ik.methods import GaussNewton, LevenbergMarquardt, Method
from lessons_lib.pose_ik.weights import check_weights

LIKE = "pose_ik.position_only(), pose_ik.orientation_only() or pose_ik.pointing((0, 0, 1))"


@dataclass(frozen=True)
class Goal:
    """What of the target has to be reached; make one with `position_only`, `orientation_only` or `pointing`.

    Attributes:
        weights: Six numbers in the order (ω, v), zero or more; a zero leaves its component out.
        axes: Along which axes of the target they weigh; None for those of the body, (x, y, z).

    Raises:
        ParameterError: As the weights of a method.
    """

    weights: Sequence[float] | Array
    axes: Axes | None = None

    def __post_init__(self) -> None:
        """Check the weights and keep them as a tuple."""
        object.__setattr__(self, "weights", check_weights(self.weights))

    def method(self, method: Method) -> Method:
        """Return a method with the weights and the axes of this goal.

        Raises:
            ParameterError: It has weights of its own, works in another frame, or is none that can be given weights.
        """
        if not isinstance(method, GaussNewton | LevenbergMarquardt):
            raise ParameterError(
                f"a goal needs weights, which {method!r} has not; use LevenbergMarquardt or GaussNewton"
            )
        if method.weights is not None or method.frame != "body":
            raise ParameterError(
                f"{method!r} says by itself what counts, in which frame; give that or a goal, not both"
            )
        changes: dict[str, Any] = {"weights": self.weights, "frame": "body" if self.axes is None else self.axes}
        if isinstance(method, LevenbergMarquardt) and self.axes is not None:
            changes["derivative"] = None
        return replace(method, **changes)


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
    linear = (1.0, 1.0, 1.0) if position else (0.0, 0.0, 0.0)
    return Goal((1.0, 1.0, 0.0, *linear), Axes.with_third(arrow))


def check_goal(goal: object) -> None:
    """Raise ParameterError unless `goal` is a Goal."""
    if not isinstance(goal, Goal):
        raise ParameterError(f"goal is {goal!r}; it is a Goal, such as {LIKE}")
