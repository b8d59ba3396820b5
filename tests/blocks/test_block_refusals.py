"""Errors of the blocks: invalid parameters when a block is created, invalid signals when they arrive."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.blocks import DampedLeastSquaresIK, DifferentialIK, ForwardKinematics, PoseError, PoseSource
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError, TransformError

POSE, ONES, Q = np.eye(4), np.ones(6), np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])


def ik(**arguments):
    """Return the making of an IK block."""
    return lambda: DampedLeastSquaresIK(**({"robot": "ur10"} | arguments))


def signals(kind, *inputs, robot=None):
    """Return the call of a block named b, whose robot may be replaced after it was made."""

    def call():
        block = kind(name="b") if kind is PoseError else kind("ur10", name="b")
        if robot is not None:
            block.robot = robot
        return block.output(0.0, list(inputs), np.empty(0))

    return call


PARAMETERS = [
    (ik(robot="ur5"), "robot must be a chain, such as .*, a .urdf file, or one of planar_2r, .*got 'ur5'"),
    (ik(robot=None), "robot must be .* got None"),
    (ik(damping=-1.0), "Constant.damping must be finite, zero or more, got -1.0"),
    (ik(damping="much"), "damping must be a policy, such as .*, got 'much'"),
    (ik(max_iterations=0), "Stop.max_iterations must be a whole number from 1"),
    (ik(tolerance=0.0), "Stop.orientation must be positive and finite, got 0.0"),
    (ik(own_guess=1), "own_guess must be True or False, got 1"),
    (ik(restarts=-1), "Restarts.count must be a whole number from 0"),
    (ik(restarts=-1, own_guess=True), "BestOf.restarts must be a whole number from 0"),
    (ik(frame="tool0"), "frame must be a pose, .*, got 'tool0'; links can be named for a"),
    (lambda: PoseSource([POSE], interval=0.0), "interval must be positive and finite"),
    (lambda: ForwardKinematics("ur10", se3=1), "se3 must be True or False, got 1"),
    (lambda: DifferentialIK("ur10", space="s"), "space must be True or False, got 's'"),
    (signals(ForwardKinematics, Q, robot=robots.ur10()), "the robot of b must not change"),
    (signals(DifferentialIK, Q, Q, robot=robots.ur10()), "the robot of b must not change"),
    (signals(DampedLeastSquaresIK, POSE, 0 * Q, Q), "at least one weight must be positive"),
    (signals(DampedLeastSquaresIK, POSE, -ONES, Q), "weights must be finite, zero or more"),
    (signals(DampedLeastSquaresIK, POSE, np.ones(3), Q), r"Weights of b must have shape \(6,\), got \(3,\)"),
    (signals(DampedLeastSquaresIK, POSE, np.nan * Q, Q), "Weights of b must be finite"),
    (
        signals(DampedLeastSquaresIK, POSE, ONES, Q, robot=robots.panda()),
        r"the robot of b must not change, got Chain\('Panda'.*instead of Chain\('UR10'",
    ),
]
CASES = [
    (ik(frame=np.eye(3)), TransformError, r"frame must have shape \(4, 4\), got \(3, 3\)"),
    (ik(robot=robots.urdf_file("ur10"), frame="no_such_link"), FrameNotFound, "no_such_link"),
    (lambda: PoseSource(None), TransformError, r"poses must have shape \(k, 4, 4\), or be a function .*, got None"),
    (lambda: PoseSource([]), TransformError, "poses must have shape \\(k, 4, 4\\) with k ≥ 1, got none"),
    (lambda: PoseSource(POSE), TransformError, r"pose 0 must have shape \(4, 4\), got \(4,\)"),
    (lambda: PoseSource([POSE, np.nan * POSE]), TransformError, "pose 1 must be finite"),
    (signals(ForwardKinematics, Q[:5]), ConfigurationError, r"Config of b must have shape \(6,\)"),
    (signals(DifferentialIK, Q[:5], Q), TransformError, r"Twist of b must have shape \(6,\)"),
    (signals(DifferentialIK, Q, Q[:5]), ConfigurationError, r"Config of b must have shape \(6,\)"),
    (signals(PoseError, np.eye(3), POSE), TransformError, r"Pose of b must have shape \(4, 4\)"),
    (signals(PoseError, POSE, np.nan * POSE), TransformError, "Target of b must be finite"),
    (signals(DampedLeastSquaresIK, 2 * POSE, ONES, Q), TransformError, "Pose of b: the last row must be"),
    (signals(DampedLeastSquaresIK, "up", ONES, Q), TransformError, "a pose must be numbers"),
    (signals(DampedLeastSquaresIK, POSE, ONES, np.zeros(7)), ConfigurationError, r"InitialGuess of b .*shape \(6,\)"),
    (signals(DampedLeastSquaresIK, POSE, ONES, "home"), ConfigurationError, "InitialGuess of b must be 6 numbers, got"),
]
REFUSED = [(call, ParameterError, words) for call, words in PARAMETERS]


@pytest.mark.parametrize(("call", "error", "words"), [*REFUSED, *CASES])
def test_invalid_inputs_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
