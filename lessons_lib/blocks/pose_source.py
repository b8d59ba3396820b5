"""The pose source: poses held one after the other, or a function of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bdsim.components import EventSource, SourceBlock
from spatialmath import SE3

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie import check_transform


class PoseSource(SourceBlock, EventSource):
    """Poses, one after the other, or a motion.

    >>> import numpy as np
    >>> from lessons_lib.blocks import PoseSource
    >>> (pose,) = PoseSource([np.eye(4)]).output(0.0, [], None)
    >>> pose.shape
    (4, 4)

    :blockname:`POSESOURCE`

    :inputs: 0
    :outputs: 1
    :states: 0

    .. list-table::
        :header-rows: 1

        *   - Port type
            - Port number
            - Types
            - Description
        *   - Output
            - 0, Pose
            - ndarray(4,4)
            - the pose at this time, m

    A row of poses is held one after the other, each for the interval, the last one for ever; a function of time, such
    as a ``trajectories.Motion``, is called at each step.

    .. note:: The block declares an event wherever it changes from one held pose to the next.
    """

    nin = 0
    nout = 1
    outlabels = ("Pose",)

    def __init__(self, poses: Any = None, interval: float = 1.0, **blockargs: Any) -> None:
        """Make the block.

        :param poses: poses, or a function that gives the pose at a time in s
        :type poses: ndarray(k,4,4) or callable
        :param interval: time for which each pose is held, s, defaults to 1.0
        :type interval: float, optional
        :param blockargs: :meth:`common block options <bdsim.Block.__init__>`
        :type blockargs: dict
        """
        if not is_real(interval) or not 0.0 < interval < np.inf:
            raise ParameterError(f"interval must be positive and finite, in s, got {interval!r}")
        super().__init__(**blockargs)
        self.poses: Callable[[float], Any] | Array = poses if callable(poses) else check_poses(poses)
        self.interval = float(interval)

    def start(self, simstate: Any) -> None:
        """Declare the changes, so that the solver does not step across one."""
        super().start(simstate)
        if not callable(self.poses):
            for i in range(1, len(self.poses)):
                simstate.declare_event(self, i * self.interval)

    def output(self, t: float, u: list[Any], x: Array) -> list[Any]:
        """Return [Pose] at time t, s."""
        if callable(self.poses):
            pose = self.poses(t)
            return [pose.A if isinstance(pose, SE3) else pose]
        place = int(np.floor(t / self.interval * (1.0 + 4.0 * np.finfo(np.float64).eps)))  # t may fall just short
        return [self.poses[min(place, len(self.poses) - 1)].copy()]


def check_poses(poses: Any) -> Array:
    """Return the poses, shape (k, 4, 4), k ≥ 1, or raise TransformError with the number of an invalid one."""
    try:
        row = [check_transform(pose, f"pose {place}") for place, pose in enumerate(poses)]
    except TypeError as cause:
        raise TransformError(f"poses must have shape (k, 4, 4), or be a function of time, got {poses!r}") from cause
    if not row:
        raise TransformError("poses must have shape (k, 4, 4) with k ≥ 1, got none")
    return np.array(row)
