"""The differential-IK block: input a velocity of the tip, output joint rates."""

from __future__ import annotations

from typing import Any

from bdsim.components import FunctionBlock

from lessons_lib.arrays import Array
from lessons_lib.blocks.inputs import chain_of, check_same, read_vector
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.pose_ik import Constant, LevenbergMarquardt


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
