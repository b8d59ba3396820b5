"""Drake's test cases of differential inverse kinematics, with an arm of seven joints.

Those cases: a direction that is kept within limits; a robot that is stuck; joints that may turn one way only; a
direction beside a constraint and a wall.
"""

import numpy as np
import pytest
from pink_robots import urdf

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots

DT = 1e-3
TWIST = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
"""(ω, v), rad/s and m/s, far beyond the limits of the arm."""

FINGERS = ["panda_finger_joint1"]
Q = np.array([0.155, 0.9, 0.6, -1.5, 1.0, 1.8, -0.7])


def arm(**base):
    tree = robots.load_urdf(urdf("panda"), locked=FINGERS, **base)
    tip = lie.exp_se3([0.0, 0.0, np.pi, 0.0, 0.0, 0.0])
    tip[0, 3] = 0.1
    return tree.with_frame("tip", "panda_link7", tip)


@pytest.fixture(scope="module")
def panda():
    return arm()


def limits(tree):
    """Return limits of position, with a gain of 1, and of velocity."""
    return [dik.ConfigurationLimit(tree, 1.0), dik.VelocityLimit(tree)]


def follow_twist(frame="tip", twist=TWIST, mask=None):
    task = dik.FrameVelocityTask(frame, mask=mask, reference_frame="world")
    task.set_target(twist, DT)
    return task


def in_world(at, v):
    """Return ω and the velocity of the tip's origin in the axes of the world."""
    R = at.get_transform_frame_to_world("tip")[:3, :3]
    twist = at.get_frame_jacobian("tip") @ v
    return np.concatenate([R @ twist[:3], R @ twist[3:]])


def check(at, found, twist=TWIST):
    """Check a step as Drake's `CheckPositiveResult` does: the direction to 1e-6, and the limits."""
    actual = in_world(at, found.velocity)
    assert actual / np.linalg.norm(actual) == pytest.approx(twist / np.linalg.norm(twist), abs=1e-6)
    assert actual == pytest.approx(found.scale * twist, abs=1e-6)
    assert (np.abs(found.velocity) <= at.model.velocity_limits * (1 + 1e-9)).all()
    at.integrate_inplace(found.velocity, DT)
    at.check_limits()


def test_direction_is_kept_where_solve_ik_changes_it(panda):
    at = dik.Configuration(panda, Q)
    found = dik.solve_scaled(at, [follow_twist()], DT, limits=limits(panda))
    assert found.status is dik.StepStatus.SOLUTION_FOUND
    assert 0.01 < found.scale < 0.5
    assert np.abs(found.velocity / panda.velocity_limits).max() == pytest.approx(1.0, abs=1e-6)  # one is at its limit
    check(at, found)
    bent = in_world(at, dik.solve_ik(at, [follow_twist(), dik.DampingTask(1e-3)], DT, limits=limits(panda)))
    cosine = bent @ TWIST / np.linalg.norm(bent) / np.linalg.norm(TWIST)
    assert np.degrees(np.arccos(cosine)) > 10.0


def test_scale_is_the_largest_by_brute_force(panda):
    """Search the one-dimensional null space of a twist: no other rates allow a larger scale."""
    at = dik.Configuration(panda, Q)
    found = dik.solve_scaled(at, [follow_twist()], DT, limits=[dik.VelocityLimit(panda)])
    R = at.get_transform_frame_to_world("tip")[:3, :3]
    J = np.kron(np.eye(2), R) @ at.get_frame_jacobian("tip")
    once, free = np.linalg.pinv(J) @ TWIST, np.linalg.svd(J)[2][-1]
    speeds = panda.velocity_limits
    rates = once + np.linspace(-50.0, 50.0, 200_001)[:, None] * free
    best = np.max(1.0 / np.max(np.abs(rates) / speeds, axis=1))
    assert found.scale == pytest.approx(best, rel=1e-4)
    assert found.scale >= best * (1 - 1e-9)


def test_status_is_stuck_with_too_many_constraints(panda):
    at = dik.Configuration(panda, Q)
    rows = np.zeros((2, 7))
    rows[0, :2], rows[1, 1:3] = (1.0, -1.0), (1.0, -1.0)
    still = dik.LinearVelocityLimit(panda, rows, 0.0, 0.0)
    found = dik.solve_scaled(at, [follow_twist()], DT, limits=[*limits(panda), still])
    assert found.status is dik.StepStatus.STUCK
    assert found.scale < 1e-6
    assert np.abs(rows @ found.velocity).max() < 1e-9


def test_asymmetric_velocity_bounds(panda):
    """The first joint must not move backward, the second only slowly."""
    at = dik.Configuration(panda, Q)
    free = dik.solve_ik(at, [follow_twist()], DT, limits=[])
    lower, upper = np.full(7, -10.0), np.full(7, 10.0)
    first, second = (np.argmax(sign * free) for sign in (1.0, -1.0))
    upper[first], lower[second] = 0.0, -0.05
    bounds = dik.VelocityLimit(panda, [lower, upper])
    for v in (
        dik.solve_ik(at, [follow_twist()], DT, limits=[bounds]),
        dik.solve_ik(at, [follow_twist()], DT, limits=[bounds], verbose=False),  # its rows, through qpsolvers
    ):
        assert (v >= lower - 1e-6).all() and (v <= upper + 1e-6).all()
        assert v[first] == pytest.approx(0.0, abs=1e-6)
        assert v[second] == pytest.approx(-0.05, abs=1e-6)
    one = dik.solve_scaled(at, [follow_twist()], DT, limits=[bounds])
    assert (one.velocity >= lower - 1e-9).all() and (one.velocity <= upper + 1e-9).all()


def test_direction_with_a_constraint_and_a_barrier(panda):
    at = dik.Configuration(panda, Q)
    constraint = dik.JointCouplingTask(["panda_joint1"], [1.0], 1.0, at)
    constraint = dik.LinearHolonomicTask(constraint.A, [Q[0]])  # the first joint stays where it is
    height = at.get_transform_frame_to_world("tip")[2, 3]
    wall = dik.PositionBarrier("tip", [2], p_max=[height + 0.001], gain=10.0)
    options = {"limits": limits(panda), "barriers": [wall], "constraints": [constraint]}
    found = dik.solve_scaled(at, [follow_twist(mask="position")], DT, **options)
    assert found.velocity[0] == pytest.approx(0.0, abs=1e-9)
    assert found.scale == pytest.approx(0.01 / 6.0, rel=1e-5)  # γ h upwards, of 6 m/s
    assert found.status is dik.StepStatus.STUCK
