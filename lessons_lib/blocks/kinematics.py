"""Blocks of kinematics: forward kinematics, the error of a pose, and differential IK."""

from __future__ import annotations

from typing import Any

import numpy as np
from bdsim.components import FunctionBlock
from spatialmath import SE3

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.blocks.inputs import chain_of, check_same, read_vector
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.pose_ik import Constant, LevenbergMarquardt


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


class DifferentialIK(FunctionBlock):
    r"""Joint rates for a velocity of the end effector, by a damped Jacobian.

    >>> import numpy as np
    >>> from lessons_lib.blocks import DifferentialIK
    >>> twist, q = np.array([0.0, 0.0, 0.0, 0.1, 0.0, 0.0]), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> (rates,) = DifferentialIK("ur10").output(0.0, [twist, q], None)
    >>> rates.shape
    (6,)

    :blockname:`DIFFERENTIALIK`

    :inputs: 2
    :outputs: 1
    :states: 0

    .. list-table::
        :header-rows: 1

        *   - Port type
            - Port number
            - Types
            - Description
        *   - Input
            - 0, Twist
            - ndarray(6)
            - velocity (ω, v) of the end effector, rad/s and m/s
        *   - Input
            - 1, Config
            - ndarray(n)
            - configuration, rad or m
        *   - Output
            - 0, Rates
            - ndarray(n)
            - joint rates, rad/s or m/s

    The rates are :math:`\dot q = J^T (J J^T + \lambda^2 I)^{-1} V`. At a singularity they stay below
    :math:`\Vert V\Vert / (2\lambda)`, but the velocity then differs from the input.

    :seealso: :class:`PoseError` :class:`DampedLeastSquaresIK`
    """

    nin = 2
    nout = 1
    inlabels = ("Twist", "Config")
    outlabels = ("Rates",)

    def __init__(
        self,
        robot: Any = "ur10",
        frame: Any = None,
        damping: float = 0.05,
        space: bool = False,
        **blockargs: Any,
    ) -> None:
        r"""Create the block.

        :param robot: the arm, a chain, the name of one or a URDF file, defaults to 'ur10'
        :type robot: Chain or str
        :param frame: pose of the end-effector frame in the arm's last, or a link of a URDF file, defaults to None
        :type frame: ndarray or SE3 or str, optional
        :param damping: :math:`\lambda`, defaults to 0.05
        :type damping: float, optional
        :param space: whether the twist is a space twist, not a body twist, defaults to False
        :type space: bool, optional
        :param blockargs: :meth:`common block options <bdsim.Block.__init__>`
        :type blockargs: dict
        """
        if not isinstance(space, bool):
            raise ParameterError(f"space must be True or False, got {space!r}")
        super().__init__(**blockargs)
        self.robot = self._made_for = chain_of(robot, frame)
        self.method = LevenbergMarquardt(Constant(damping))
        self.space = space

    def output(self, t: float, u: list[Any], x: Array) -> list[Any]:
        """Return [Rates] for [Twist, Config].

        Raises:
            TransformError: Twist is not six finite numbers.
            ConfigurationError: Config has another length than the robot has joints, or is not finite.
            ParameterError: The robot was replaced.
        """
        check_same(self.robot, self._made_for, str(self.name))
        twist = read_vector(u[0], 6, f"Twist of {self.name}", TransformError)
        q = read_vector(u[1], self.robot.dof, f"Config of {self.name}")
        jacobian = self.robot.space_jacobian(q) if self.space else self.robot.body_jacobian(q)
        return [self.method.step(jacobian, twist)]


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
