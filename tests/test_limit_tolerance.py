"""Configurations outside a limit by float32 rounding are accepted and clipped; larger violations are refused."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots.joint_limits import LIMIT_TOLERANCE
from lessons_lib.trajectories import Follower, rest_to_rest, retime, trace, unwrap

FAST = {"velocity": 1.0, "acceleration": 2.0}


def sliding(unit):
    """Return a gantry, in metres or millimetres, whose limits float32 cannot represent."""
    screws = np.vstack([np.zeros((3, 3)), np.eye(3)])
    limits = unit * np.array([[-1.1003, 1.1003], [-0.7001, 0.7001], [0.1, 0.9001]])
    return robots.from_screws(screws, np.eye(4), limits=limits, name="gantry")


SLIDING = sliding(1000.0).with_limits(velocity=1000.0, acceleration=2000.0)
ARMS = {"Panda": robots.panda().with_limits(**FAST), "millimetres": SLIDING}


def at_rounded_limits(arm):
    """Return a float32 configuration at the limits, with a joint outside, and the clipped configuration."""
    sides = []
    for lower, upper in arm.limits:
        rounded = np.float32([lower, upper])
        outside = rounded[0] < lower, rounded[1] > upper
        sides.append(rounded[1] if outside[1] else rounded[0] if outside[0] else np.float32(0.5 * (lower + upper)))
    q = np.array(sides, dtype=np.float32)
    clipped = np.clip(q.astype(float), *arm.limits.T)
    assert (clipped != q).any()
    return q, clipped


def middle(arm):
    return 0.5 * arm.sampling_limits.sum(axis=1) + 0.01


def pose_of(arm):
    return arm.forward_kinematics(middle(arm))


ENTRIES = {
    "check_within_limits": lambda arm, q: arm.check_within_limits(q),
    "solve": lambda arm, q: pose_ik.solve(arm, pose_of(arm), q).q,
    "solve by Newton": lambda arm, q: pose_ik.solve(arm, pose_of(arm), q, method=pose_ik.NewtonRaphson()).q,
    "solve near": lambda arm, q: pose_ik.solve(arm, pose_of(arm), q, starts=pose_ik.Near()).q,
    "solve nearest": lambda arm, q: pose_ik.solve(arm, pose_of(arm), q, starts=pose_ik.Nearest(3)).q,
    "solve in Python": lambda arm, q: solve_in_python(arm, pose_of(arm), q, starts=pose_ik.Restarts(2)).q,
    "solve_batch": lambda arm, q: pose_ik.solve_batch(arm, [pose_of(arm)] * 2, q).q,
    "solve_batch, a row": lambda arm, q: pose_ik.solve_batch(arm, [pose_of(arm)] * 2, np.array([middle(arm), q])).q,
    "trace": lambda arm, q: trace(arm, [pose_of(arm)], q).configurations,
    "retime": lambda arm, q: retime([middle(arm), q], arm).configurations[-1],
    "rest_to_rest": lambda arm, q: rest_to_rest(arm, middle(arm), q, jerk=1e6).ends[1],
    "Follower": lambda arm, q: Follower(arm, q).q,
    "unwrap": lambda arm, q: unwrap(arm, q, q),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", ARMS)
def test_a_limit_rounded_to_float32_is_accepted_and_clipped(name, entry):
    arm = ARMS[name]
    rounded, clipped = at_rounded_limits(arm)
    result = np.atleast_2d(np.asarray(ENTRIES[entry](arm, rounded), dtype=float))
    assert (arm.limits[:, 0] <= result).all() and (result <= arm.limits[:, 1]).all()
    np.testing.assert_array_equal(result, np.atleast_2d(ENTRIES[entry](arm, clipped)))


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", ARMS)
def test_a_larger_violation_of_a_limit_is_refused_with_its_size(name, entry):
    arm = ARMS[name]
    q = middle(arm)
    slack = LIMIT_TOLERANCE * max(1.0, arm.limits[0, 1])
    q[0] = arm.limits[0, 1] + 0.9 * slack
    ENTRIES[entry](arm, q)
    q[0] = arm.limits[0, 1] + 1.1 * slack
    with pytest.raises(ConfigurationError, match=f"outside its limits .* by {q[0] - arm.limits[0, 1]:.3g}"):
        ENTRIES[entry](arm, q)


def test_a_preferred_posture_is_clipped():
    arm = ARMS["Panda"]
    rounded, clipped = (pose_ik.solve(arm, pose_of(arm), prefer=one).q for one in at_rounded_limits(arm))
    np.testing.assert_array_equal(rounded, clipped)


def test_a_slice_accepts_a_rounded_limit():
    arm = robots.panda()
    solutions = pose_ik.all_solutions(arm, pose_of(arm))
    value = float(np.float32(arm.limits[6, 1]))
    assert value != arm.limits[6, 1]
    held = solutions.slice(value)
    assert all((arm.limits[:, 0] <= q).all() and (q <= arm.limits[:, 1]).all() for q in held.q)
    with pytest.raises(ConfigurationError, match="outside its limits .* by 0.1"):
        solutions.slice(arm.limits[6, 1] + 0.1)
