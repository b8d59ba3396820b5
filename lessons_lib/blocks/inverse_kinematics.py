"""The inverse-kinematics block: input a pose, output a configuration and a report."""

from __future__ import annotations

from typing import Any

import numpy as np
from bdsim.components import FunctionBlock

from lessons_lib import pose_ik
from lessons_lib.arrays import Array
from lessons_lib.blocks.inputs import chain_of, check_same, is_finite, read_vector
from lessons_lib.errors import ParameterError
from lessons_lib.lie import check_transform
from lessons_lib.pose_ik import BestOf, Constant, LevenbergMarquardt, Restarts, Status, Stop

SAMPLES = 100
"""Number of random configurations from which `own_guess` selects the best."""


class DampedLeastSquaresIK(FunctionBlock):
    r"""Inverse kinematics by damped least squares, of an arm with any number of joints.

    >>> import numpy as np
    >>> from lessons_lib import robots
    >>> from lessons_lib.blocks import DampedLeastSquaresIK
    >>> target = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> q, report = DampedLeastSquaresIK("ur10").output(0.0, [target, np.ones(6), np.zeros(6)], None)
    >>> report["reached"]
    True

    :blockname:`DAMPEDLEASTSQUARESIK`

    :inputs: 3
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
            - target pose of the end effector in {s}, m
        *   - Input
            - 1, Weights
            - ndarray(6)
            - weights of the error, orientation first
        *   - Input
            - 2, InitialGuess
            - ndarray(n)
            - configuration to start from, rad or m
        *   - Output
            - 0, Config
            - ndarray(n)
            - configuration within the limits, rad or m
        *   - Output
            - 1, Info
            - dict
            - status, reached, iterations, restarts, error

    Each step is :math:`d = J^T (J J^T + \lambda^2 I)^{-1} V_b`, with the body error twist :math:`V_b`; the weights
    enter the step itself. ``Info`` holds ``status`` (a ``pose_ik.Status``), ``reached`` (bool), ``iterations``,
    ``restarts`` and ``error``, the ndarray(2) of :math:`\Vert\omega_b\Vert` in rad and :math:`\Vert v_b\Vert` in m at
    ``Config``; the block ITEM selects one of them. If the pose is not reached, ``Config`` is the best configuration
    found. For a pose that is not finite ``Config`` is the guess, with the status ``NOT_FINITE``.

    An initial guess outside the limits is moved to the nearest configuration within them, as a plant may overshoot.

    :seealso: :class:`ForwardKinematics` :class:`DifferentialIK`
    """

    nin = 3
    nout = 2
    inlabels = ("Pose", "Weights", "InitialGuess")
    outlabels = ("Config", "Info")

    def __init__(
        self,
        robot: Any = "ur10",
        frame: Any = None,
        damping: float = 0.125,
        max_iterations: int = 100,
        tolerance: float = 1e-6,
        own_guess: bool = False,
        restarts: int = 0,
        **blockargs: Any,
    ) -> None:
        r"""Create the block.

        :param robot: the arm, a chain, the name of one or a URDF file, defaults to 'ur10'
        :type robot: Chain or str
        :param frame: pose of the end-effector frame in the arm's last, or a link of a URDF file, defaults to None
        :type frame: ndarray or SE3 or str, optional
        :param damping: :math:`\lambda`, or a damping policy of pose_ik, defaults to 0.125
        :type damping: float, optional
        :param max_iterations: steps from one start, at most, defaults to 100
        :type max_iterations: int, optional
        :param tolerance: errors that count as none, in rad and in m, defaults to 1e-6
        :type tolerance: float, optional
        :param own_guess: start from the best of 100 random configurations and the guess, defaults to False
        :type own_guess: bool, optional
        :param restarts: further random starts where the first one fails, at most, defaults to 0
        :type restarts: int, optional
        :param blockargs: :meth:`common block options <bdsim.Block.__init__>`
        :type blockargs: dict
        """
        if not isinstance(own_guess, bool):
            raise ParameterError(f"own_guess must be True or False, got {own_guess!r}")
        super().__init__(**blockargs)
        self.robot = self._made_for = chain_of(robot, frame)
        self.damping = Constant(damping) if isinstance(damping, (int, float, np.number)) else damping
        LevenbergMarquardt(self.damping)  # checks the damping now, not at the first step
        self.stop = Stop(tolerance, tolerance, max_iterations)
        self.starts = BestOf(SAMPLES, restarts) if own_guess else Restarts(restarts)

    def output(self, t: float, u: list[Any], x: Array) -> list[Any]:
        """Return [Config, Info] for [Pose, Weights, InitialGuess].

        Raises:
            TransformError: Pose is finite but not a pose.
            ParameterError: Weights are not six, negative, not finite or all zero, or the robot is another one.
            ConfigurationError: InitialGuess has another length than the robot has joints, or is not finite.
        """
        check_same(self.robot, self._made_for, str(self.name))
        method, goal = LevenbergMarquardt(self.damping), pose_ik.pose(self._weights(u[1]))
        guess = read_vector(u[2], self.robot.dof, f"InitialGuess of {self.name}")
        guess = np.clip(guess, *self.robot.limits.T)
        if not is_finite(u[0]):
            return [guess, _info(Status.NOT_FINITE, 0, 0, np.inf, np.inf)]
        target = check_transform(u[0], f"Pose of {self.name}")
        result = pose_ik.solve(self.robot, target, guess, goal=goal, method=method, starts=self.starts, stop=self.stop)
        errors = (result.orientation_error, result.position_error)
        return [result.q.copy(), _info(result.status, result.iterations, result.restarts, *errors)]

    def _weights(self, value: Any) -> tuple[float, ...]:
        numbers = read_vector(value, 6, f"Weights of {self.name}", ParameterError)
        return tuple(float(number) for number in numbers)


def _info(status: Status, iterations: int, restarts: int, angle: float, distance: float) -> dict[str, Any]:
    """Return the report as a dictionary, which bdsim takes for a bus."""
    return {
        "status": status,
        "reached": status is Status.CONVERGED,
        "iterations": iterations,
        "restarts": restarts,
        "error": np.array([angle, distance]),
    }
