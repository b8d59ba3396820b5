"""The pose-error block: input the pose of the tip and its target, output the twist between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from bdsim.components import FunctionBlock

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.lie import check_transform


class PoseError(FunctionBlock):
    r"""Body twist from one pose to another, and its two norms.

    >>> import numpy as np
    >>> from lessons_lib.blocks import PoseError
    >>> twist, (angle, distance) = PoseError().output(0.0, [np.eye(4), np.eye(4)], None)
    >>> float(angle), float(distance)
    (0.0, 0.0)

    :blockname:`POSEERROR`

    :inputs: 2
    :outputs: 2
    :states: 0

    .. list-table::
        :header-rows: 1

        *   - Port type
            - Port number
            - Types
            - Description
        *   - Input
            - 0, Pose
            - ndarray(4,4), SE3
            - pose of the tip, m
        *   - Input
            - 1, Target
            - ndarray(4,4), SE3
            - target of the tip, m
        *   - Output
            - 0, Twist
            - ndarray(6)
            - :math:`V_b = \log(T_{sb}^{-1} T_{sd})`, (ω, v), rad and m
        *   - Output
            - 1, Error
            - ndarray(2)
            - :math:`\Vert\omega_b\Vert` in rad, and the distance of the two origins in m

    :seealso: :class:`DifferentialIK`
    """

    nin = 2
    nout = 2
    inlabels = ("Pose", "Target")
    outlabels = ("Twist", "Error")

    def __init__(self, **blockargs: Any) -> None:
        """Make the block.

        :param blockargs: :meth:`common block options <bdsim.Block.__init__>`
        :type blockargs: dict
        """
        super().__init__(**blockargs)

    def output(self, t: float, u: list[Any], x: Array) -> list[Any]:
        """Return [Twist, Error] for [Pose, Target].

        Raises:
            TransformError: One of them is not a pose, or not finite.
        """
        tip, target = check_transform(u[0], f"Pose of {self.name}"), check_transform(u[1], f"Target of {self.name}")
        twist = lie.log_se3(lie.inverse(tip) @ target)
        distance = float(np.linalg.norm(target[:3, 3] - tip[:3, 3]))
        return [twist, np.array([float(np.linalg.norm(twist[:3])), distance])]
