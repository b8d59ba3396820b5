"""What the two tasks about a pose share: six costs, three for the orientation and three for the position."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, checked
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.task import Task, cost_range
from lessons_lib.lie import check_transform


class PoseTask(Task):
    """A task whose error is the twist between two poses.

    Attributes:
        frame: Name of the frame to move.
        cost: Six numbers (orientation, position), [cost]/rad and [cost]/m; the order of our twists, (ω, v).
    """

    def __init__(
        self,
        frame: str,
        position_cost: ArrayLike,
        orientation_cost: ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Take the frame and the two costs, each one number or one for each axis of the frame."""
        halves = [_half(orientation_cost, "orientation_cost"), _half(position_cost, "position_cost")]
        super().__init__(np.concatenate(halves), gain, lm_damping)
        self.frame = frame
        self._target: Array | None = None

    @property
    def cost(self) -> Array:
        """The six costs (orientation, position), read-only; a number that is set counts for all six, None as 1."""
        return self._costs

    @cost.setter
    def cost(self, cost: ArrayLike | None) -> None:
        costs = arguments.costs(1.0 if cost is None else cost, "cost", self._cost_sizes())
        self._costs = np.broadcast_to(costs, (6,))
        self.cost_range = cost_range(costs)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (6,)

    def set_position_cost(self, position_cost: ArrayLike) -> None:
        """Set what a metre costs, [cost]/m: one number, or one for each axis of the frame."""
        self.cost = np.concatenate([self._costs[:3], _half(position_cost, "position_cost")])

    def set_orientation_cost(self, orientation_cost: ArrayLike) -> None:
        """Set what a radian costs, [cost]/rad: one number, or one for each axis of the frame."""
        self.cost = np.concatenate([_half(orientation_cost, "orientation_cost"), self._costs[3:]])

    @property
    def position_cost(self) -> Array:
        """What a metre along each axis of the frame costs, shape (3,), [cost]/m."""
        return self._costs[3:]

    @property
    def orientation_cost(self) -> Array:
        """What a radian about each axis of the frame costs, shape (3,), [cost]/rad."""
        return self._costs[:3]

    def set_target(self, target: ArrayLike) -> None:
        """Set the pose to reach, shape (4, 4), of which a copy is kept.

        Raises:
            TransformError: Not a pose.
        """
        self._target = check_transform(target, f"the target of frame {self.frame!r}")

    def target(self) -> Array:
        """Return the pose to reach, shape (4, 4): the one that is kept, so what is written into it moves the target.

        Raises:
            TargetNotSet: It was not set.
        """
        if self._target is None:
            raise TargetNotSet(self)
        return self._target

    def checked_target(self) -> Array:
        """Return a copy of the pose to reach, shape (4, 4).

        Raises:
            TargetNotSet: It was not set.
            TransformError: What was written into it has left no pose.
        """
        return check_transform(self.target(), f"the target of frame {self.frame!r}")

    def check_added(self, added: bool) -> None:
        """Say why the compiled form could not add this task's objective.

        Raises:
            TransformError: What was written into the target has left no pose.
            ParameterError: The error, the Jacobian or a square of them is not finite.
        """
        if not added:
            self.checked_target()
        checked.check_finite(added, self)

    def __repr__(self) -> str:
        """Return the task with its frame, costs, gain and damping."""
        return (
            f"{type(self).__name__}({self.frame!r}, position_cost={self.position_cost.tolist()}, "
            f"orientation_cost={self.orientation_cost.tolist()}, lm_damping={self.lm_damping:g}, gain={self.gain:g})"
        )


def _half(cost: ArrayLike, name: str) -> Array:
    return np.broadcast_to(arguments.costs(cost, name, (1, 3)), (3,))


@compiled
def product(A: Array, B: Array, C: Array) -> None:
    """Write A B into C for a 6×6 A; columns of zeros are passed over."""
    for j in range(B.shape[1]):
        for i in range(6):
            C[i, j] = 0.0
        for k in range(6):
            if B[k, j] != 0.0:
                for i in range(6):
                    C[i, j] += A[i, k] * B[k, j]
