"""Errors of invalid arguments: what is wrong with the value and what is allowed."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError, TransformError
from lessons_lib.pose_ik import Restarts
from lessons_lib.trajectories import (
    Follower,
    interpolate,
    path_between,
    rest_to_rest,
    retime,
    through,
    time_scaling,
    trace,
    unwrap,
)

UR10 = robots.ur10()
ARM = UR10.with_limits(acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
NARROW = robots.planar_2r().with_limits([(-1.0, 1.0)] * 2, 1.0, 1.0)
Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
POSES = UR10.forward_kinematics(Q + 0.05 * np.arange(5)[:, None])
ROWS = np.random.default_rng(8).uniform(-2, 2, (6, 6))
TILTED = pose_ik.pose(intervals=(0.1, 0.1, None, 0.0, 0.0, 0.0))


def replace_entry(index, value):
    """Return the poses with another value at an index."""
    poses = POSES.copy()
    poses[index] = value
    return poses


def bent(first):
    """Return configurations whose smooth curve leaves a limit."""
    return np.array([[0, 0], [first, 0], [first, 0.5], [0, 0.5]])


CALLS = [
    (lambda: trace(UR10, []), TransformError, r"waypoints must be at least one pose, .* got none"),
    (lambda: trace(UR10, replace_entry((3, 0, 3), np.nan)), TransformError, "waypoint 4 must be finite"),
    (lambda: trace(UR10, replace_entry((4, 3, 3), np.inf)), TransformError, "waypoint 5 must be finite"),
    (lambda: trace(UR10, POSES[0]), TransformError, r"must be poses, .*\(4, 4\); put a single pose in a list"),
    (lambda: trace(UR10, 5), TransformError, r"waypoints must be poses, shape \(k, 4, 4\), got 5"),
    (lambda: trace(UR10, [POSES[0], np.eye(3)]), TransformError, r"waypoint 2 must have shape \(4, 4\), got \(3, 3\)"),
    (lambda: trace(UR10, [POSES[0], 2 * np.eye(4)]), TransformError, "waypoint 2: the last row must be"),
    (lambda: trace(UR10, POSES, [0.0] * 5), ConfigurationError, r"q of UR10 must have shape \(6,\), got \(5,\)"),
    (lambda: trace(UR10, POSES, [9.0] * 6), ConfigurationError, "joint 'shoulder pan' of UR10 is at 9, outside"),
    (lambda: trace(UR10, POSES, [9.0] * 6, branches="best"), ConfigurationError, "outside its limits"),
    (lambda: interpolate(np.eye(3), np.eye(4), 0.5), TransformError, r"start must have shape \(4, 4\), got \(3, 3\)"),
    (lambda: interpolate(np.eye(4), np.diag([1.0, 1, -1, 1]), 0.5), TransformError, "part of end is a reflection"),
    (lambda: retime(ROWS[:, :5], ARM), ConfigurationError, r"must have shape \(m, 6\), got \(6, 5\)"),
    (lambda: retime(9 * ROWS, ARM), ConfigurationError, "outside its limits"),
    (lambda: retime(bent(0.99), NARROW), ConfigurationError, r"\d the smooth curve moves joint .* to 1\.\d+, outside"),
    (lambda: retime(bent(-0.99), NARROW), ConfigurationError, r"2 and 3 the smooth curve .* to -1\.\d+, outside"),
    (lambda: retime(ROWS, ARM, velocity=-1.0), LimitsError, "velocity limit of 'shoulder pan' must be .*got -1"),
    (lambda: rest_to_rest(ARM, Q, np.full(6, 9.0), jerk=9.0), ConfigurationError, "outside its limits"),
    (lambda: rest_to_rest(ARM, 0 * Q, Q, jerk=0.0), LimitsError, "jerk must be positive"),
    (lambda: rest_to_rest(ARM, 0 * Q, Q, jerk=[1.0, 2.0]), LimitsError, "jerk must be positive"),
    (lambda: Follower(UR10, Q), LimitsError, "acceleration limits of UR10 must be finite"),
    (lambda: Follower(UR10, Q[:5], acceleration=10.0), ConfigurationError, "shape"),
    (lambda: unwrap(UR10, [0, 0, 7, 0, 0, 0], 0 * Q), ConfigurationError, "joint 'elbow' of UR10 is at 7, outside its"),
    (lambda: unwrap(UR10, 0 * Q, np.zeros(5)), ConfigurationError, r"q of UR10 must have shape \(6,\), got \(5,\)"),
]
VALUES = [
    (lambda: trace("ur10", POSES), "arm must be a chain, got a str; make one with robots.ur10"),
    (lambda: trace(UR10, POSES, on_failure="raise"), "on_failure must be one of 'stop', 'skip', 'go on', got 'raise'"),
    (lambda: trace(UR10, POSES, start="home"), "start must be one of 'previous', 'ahead', 'first', got 'home'"),
    (lambda: trace(UR10, POSES, rng=3), "rng must be a generator"),
    (lambda: trace(UR10, POSES, stop=1e-6), "stop must be a Stop"),
    (lambda: trace(UR10, POSES, progress="no"), "progress must be True or False, got"),
    (lambda: trace(UR10, POSES, branches="all"), "branches must be .*, got 'all'"),
    (lambda: trace(UR10, POSES, branches="best", method=pose_ik.NewtonRaphson()), "method"),
    (lambda: trace(UR10, POSES, branches="best", on_failure="go on"), "go on"),
    (lambda: trace(robots.panda(), POSES, branches="best"), "isolated"),
    (lambda: trace(UR10, POSES, branches="best", goal=pose_ik.pose()), "leave goal out"),
    (lambda: trace(UR10, POSES, branches="best", goal="pointing"), "goal must be a Goal"),
    (lambda: trace(UR10, POSES, branches="best", goal=TILTED), "needs a goal without intervals"),
    (lambda: interpolate(np.eye(4), np.eye(4), [[0.5]]), r"s must be a number or have shape \(m,\), got \(1, 1\)"),
    (lambda: interpolate(np.eye(4), np.eye(4), np.inf), "s must be finite, got inf"),
    (lambda: interpolate(np.eye(4), np.eye(4), 0.5, "linear"), "how must be 'screw' or 'decoupled', got 'linear'"),
    (lambda: through(POSES[:1]), "waypoints must be two or more poses, got 1"),
    (lambda: through(POSES, 0.0), "seconds must be one positive number or 4 of them, got 0.0"),
    (lambda: through(POSES, [1.0, 1.0, 1.0]), r"or 4 of them, got \[1.0, 1.0, 1.0\]"),
    (lambda: through(POSES, how="fast"), "how must be 'screw' or 'decoupled', got 'fast'"),
    (lambda: through(POSES, scaling="fast"), "time scaling must be one of .*, got 'fast'"),
    (lambda: through(POSES, scaling="trapezoidal", ramp=0.7), "ramp must be .* got 0.7"),
    (lambda: through(POSES)([0.0, 1.0]), r"t must be one number, in s, got shape \(2,\)"),
    (lambda: through(POSES)(np.nan), "t must be finite"),
    (lambda: through(POSES).at([[0.0]]), r"times must be a number or have shape \(m,\), got \(1, 1\)"),
    (lambda: through(POSES).sampled(0.0), "rate must be positive and finite, in Hz, got 0.0"),
    (lambda: path_between(POSES, 2, how=np.eye(2)), "how must be .* got array"),
    (lambda: path_between(POSES[0], POSES[1], 9), "pieces must be a whole number, got a pose; put the poses in a list"),
    (lambda: path_between(POSES, 0), "pieces must be a whole number from 1 to .*, got 0"),
    (lambda: path_between(POSES, 10**50), "pieces must be .*, got 1000"),
    (lambda: time_scaling(0.5, "septic"), "time scaling must be one of linear, cubic, quintic, .*got 'septic'"),
    (lambda: time_scaling(0.5, order=3), "order must be 0 for s, 1 for its velocity or 2 for its acceleration, got 3"),
    (lambda: time_scaling(0.5, order=True), "order must be .* got True"),
    (lambda: time_scaling(0.5, ramp=0.0), r"ramp must be a fraction of the duration in \(0, 0.5\], got 0.0"),
    (lambda: time_scaling(0.5, ramp=np.nan), "ramp must be .* got nan"),
    (lambda: time_scaling([0.0, np.nan]), r"tau must be finite, got \[0.0, nan\]"),
    (lambda: retime(ROWS, UR10), "joint 'shoulder pan' of UR10 has no acceleration limit"),
    (lambda: retime(ROWS), "chain must be the arm if path is an array of configurations, got None"),
    (lambda: retime(ROWS[[0, 0]], ARM), "path must have two different configurations"),
    (lambda: retime(ROWS, ARM).slowed(0.0), "factor must be positive and finite, got 0.0"),
    (lambda: retime(ROWS, ARM).at(np.nan), "times must be finite"),
    (lambda: retime(trace(UR10, replace_entry((3, 0, 3), 9.0)), acceleration=1.0), "path must be reached to its"),
    *(
        (lambda x=x: retime(ROWS, ARM, start_speed=x), "start_speed must be finite and at least 0")
        for x in (-0.1, True)
    ),
    *(
        (lambda x=x: retime(ROWS, ARM, end_speed=x), "end_speed must be finite and at least 0")
        for x in (np.inf, "fast")
    ),
    *((lambda x=x: retime(ROWS, ARM, tolerance=x), "tolerance must be") for x in (-1e-3, np.nan, [1e-3] * 3, "1e-3")),
    (lambda: rest_to_rest(ARM, 0 * Q, Q, jerk=np.nextafter(0.0, 1.0), velocity=1e300), "Ruckig finds no motion of"),
    *(
        (lambda r=r: Follower(UR10, Q, r, acceleration=9.0), "rate must be positive and finite")
        for r in (0.0, np.inf, True, "fast")
    ),
    (lambda: Follower("ur10", Q), "chain must be a chain, got a"),
    *((lambda x=x: Follower(UR10, Q, smoothing=x, acceleration=9.0), "smoothing must be fin") for x in (-0.1, "0.1")),
    *(
        (lambda v=v: Follower(FLAT, [0, 0], start_velocity=v), "planar 2R must be 2")
        for v in ([0.1], [np.nan, 0.0], "x")
    ),
]
STATES = [
    ({"start_velocity": [1.1, 0.0]}, "start_velocity of joint 'joint 1' of planar 2R must be between -1 and 1,"),
    ({"end_velocity": [0.0, -1.1]}, "end_velocity of joint 'joint 2' of planar 2R must be between -1 and 1, got"),
    ({"end_acceleration": [2.1, 0.0]}, "end_acceleration of joint 'joint 1' .* between -2 and 2, got 2.1"),
    ({"start_velocity": [1.0, 0.0], "start_acceleration": [1.0, 0.0]}, "between -1 and 0.95 with this"),
    ({"end_velocity": [1.0, 0.0], "end_acceleration": [-1.0, 0.0]}, "between -1 and 0.95 with this"),
    ({"end_velocity": [np.nan, 0.0]}, "end_velocity of planar 2R must be 2 finite numbers, got"),
    ({"start_acceleration": "hard"}, "start_acceleration must be numbers"),
]
VALUES += [(lambda s=s: rest_to_rest(FLAT, [0, 0], [1, 1], jerk=10.0, **s), words) for s, words in STATES]
REFUSED = [*CALLS, *((call, ParameterError, words) for call, words in VALUES)]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED)
def test_an_invalid_argument_is_an_error(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_trace_checks_all_waypoints_before_the_first_solve():
    class CountingMethod:
        steps = 0

        def step(self, jacobian, error):
            self.steps += 1
            return np.linalg.pinv(jacobian) @ error

    method = CountingMethod()
    with pytest.raises(TransformError, match="waypoint 5"):
        trace(UR10, replace_entry((4, 0, 0), np.nan), method=method, starts=Restarts(0))
    assert method.steps == 0
