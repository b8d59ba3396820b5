"""The forward-kinematics block: input a configuration, output the pose of the end effector."""

from __future__ import annotations

from typing import Any

from bdsim.components import FunctionBlock
from spatialmath import SE3

from lessons_lib.arrays import Array
from lessons_lib.blocks.inputs import chain_of, check_same, read_vector
from lessons_lib.errors import ParameterError


class ForwardKinematics(FunctionBlock):
    r"""Pose of the end effector of an arm with any number of joints.

    >>> import numpy as np
    >>> from lessons_lib.blocks import ForwardKinematics
    >>> (pose,) = ForwardKinematics("ur10").output(0.0, [np.zeros(6)], None)
    >>> pose.shape
    (4, 4)

    :blockname:`FORWARDKINEMATICS`

    :inputs: 1
    :outputs: 1
    :states: 0

    .. list-table::
        :header-rows: 1

        *   - Port type
            - Port number
            - Types
            - Description
        *   - Input
            - 0, Config
            - ndarray(n)
            - configuration, rad or m
        *   - Output
            - 0, Pose
            - ndarray(4,4), or SE3 with ``se3``
            - pose of the end effector in {s}, m

    The configuration may lie outside the limits.

    :seealso: :class:`DampedLeastSquaresIK`
    """

    nin = 1
    nout = 1
    inlabels = ("Config",)
    outlabels = ("Pose",)

    def __init__(self, robot: Any = "ur10", frame: Any = None, se3: bool = False, **blockargs: Any) -> None:
        """Create the block.

        :param robot: the arm, a chain, the name of one or a URDF file, defaults to 'ur10'
        :type robot: Chain or str
        :param frame: pose of the end-effector frame in the arm's last, or a link of a URDF file, defaults to None
        :type frame: ndarray or SE3 or str, optional
        :param se3: whether to output an SE3, as bdsim's pose blocks need, defaults to False
        :type se3: bool, optional
        :param blockargs: :meth:`common block options <bdsim.Block.__init__>`
        :type blockargs: dict
        """
        if not isinstance(se3, bool):
            raise ParameterError(f"se3 must be True or False, got {se3!r}")
        super().__init__(**blockargs)
        self.robot = self._made_for = chain_of(robot, frame)
        self.se3 = se3

    def output(self, t: float, u: list[Any], x: Array) -> list[Any]:
        """Return [Pose] for [Config].

        Raises:
            ConfigurationError: Config has another length than the robot has joints, or is not finite.
            ParameterError: The robot was replaced.
        """
        check_same(self.robot, self._made_for, str(self.name))
        pose = self.robot.forward_kinematics(read_vector(u[0], self.robot.dof, f"Config of {self.name}"))
        return [SE3(pose, check=False) if self.se3 else pose]
