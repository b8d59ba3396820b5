"""Every status of a solve, and the result that it returns."""

import dataclasses

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib import lie, robots
from lessons_lib.pose_ik import (
    BatchResult,
    Constant,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    Status,
    Stop,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.one_pose import solve_in_python


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_a_target_beyond_the_reach_is_unreachable(ur10, independent_errors, solve):
    target = lie.pose(np.eye(3), [5.0, 0.0, 0.5])
    result = solve(ur10, target)
    assert result.status is Status.UNREACHABLE and not result.converged and result.restarts == 0
    assert result.iterations <= Stop().max_iterations  # one start only
    angle, distance = independent_errors(ur10, result.q, target)
    np.testing.assert_allclose([result.orientation_error, result.position_error], [angle, distance], rtol=1e-9)
    assert distance >= np.linalg.norm(target[:3, 3]) - 2.0


def test_the_ball_of_reach_contains_every_position_of_the_tip(chain):
    radius, center = arm_of(chain).reach[0], arm_of(chain).reach[1:]
    rng = np.random.default_rng(31)
    tips = chain.targets(2000, rng)[0][:, :3, 3]
    farthest = np.linalg.norm(tips - center, axis=1).max()
    assert 0.75 * radius <= farthest <= radius * (1 + 1e-12)  # the bound is not far above the largest distance


def test_the_reach_of_prismatic_joints_and_screws():
    """A prismatic joint along x from 0 to 2 m, then a rotation about z with a hand of 0.5 m: at most 2.5 m."""
    screws = np.array([[0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]], dtype=float).T
    home = lie.pose(np.eye(3), (0.5, 0.0, 0.0))
    arm = robots.from_screws(screws, home, limits=[(0, 2), (-np.pi, np.pi)])
    np.testing.assert_allclose(arm_of(arm).reach, [2.5, 0, 0, 0])
    assert np.isinf(arm_of(robots.from_screws(screws, home)).reach[0])
    corkscrew = robots.from_screws([[0], [0], [1], [0], [0], [0.1]], home, limits=[(-10, 5)])
    np.testing.assert_allclose(arm_of(corkscrew).reach[0], 0.5 + 0.1 * 10)
    assert arm_of(corkscrew).joints[0, 2] == 0.0  # a revolution of a helical joint changes the pose


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_the_last_allowed_step_may_reach_the_pose(planar_2r, solve):
    target, start = planar_2r.forward_kinematics(np.radians([30, 90])), np.radians([0, 30])
    for budget, status in ((3, Status.CONVERGED), (2, Status.MAX_ITERATIONS)):
        stop = Stop(1e-3, 1e-4, max_iterations=budget)
        result = solve(planar_2r, target, start, method=NewtonRaphson(), starts=Restarts(0), stop=stop)
        assert (result.status, result.iterations) == (status, budget)


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_an_outstretched_arm_stalls_if_the_target_is_straight_outward(planar_2r, solve):
    """From q = 0 both joints can only move the tip sideways, so J⁺V is zero."""
    target = lie.pose(np.eye(3), (1.5, 0.0, 0.0))
    result = solve(planar_2r, target, method=NewtonRaphson(), starts=Restarts(0))
    assert result.status is Status.STALLED and result.iterations == 1
    np.testing.assert_allclose(result.q, 0, atol=1e-12)
    assert result.position_error == pytest.approx(0.5)


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_a_solution_outside_the_limits_does_not_count(solve):
    """One joint from -1 to 1 rad and a target at 2 rad: it is reached at once, but outside the limits."""
    arm = robots.from_screws([[0], [0], [1], [0], [0], [0]], np.eye(4), limits=[(-1, 1)])
    target = np.eye(4)
    target[:2, :2] = [[np.cos(2), -np.sin(2)], [np.sin(2), np.cos(2)]]
    result = solve(arm, target, starts=Restarts(5))
    assert result.status is Status.OUTSIDE_LIMITS and result.restarts == 5
    assert -1 <= result.q[0] <= 1
    assert result.orientation_error == pytest.approx(2 - result.q[0])


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_whole_revolutions_are_removed(solve):
    arm = robots.from_screws([[0], [0], [1], [0], [0], [0]], np.eye(4), limits=[(-0.5, 3.5)])
    target = np.eye(4)
    target[:2, :2] = [[np.cos(-2.9), -np.sin(-2.9)], [np.sin(-2.9), np.cos(-2.9)]]
    result = solve(arm, target, [0.1], starts=Restarts(0), trace=True)
    assert result.converged
    np.testing.assert_allclose(result.q, 2 * np.pi - 2.9, atol=2e-6)
    np.testing.assert_allclose(result.trace.q[-1], -2.9, atol=2e-6)


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_steps_that_overflow_end_their_start(solve):
    """The Jacobian of a tip 1e160 m away overflows when it is squared."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]], dtype=float).T
    arm = robots.from_screws(screws, np.eye(4))
    target = lie.pose(np.eye(3), (1e160, 0.0, 0.0))
    result = solve(arm, target, [0.0, 0.5], method=NewtonRaphson(), starts=Restarts(1))
    assert result.status in (Status.NOT_FINITE, Status.MAX_ITERATIONS) and not result.converged
    assert np.isfinite(result.q).all()


Q_TWO = np.array([0.3, -0.9])


@pytest.mark.parametrize("arguments", [{}, {"method": in_python()}, {"method": NewtonRaphson()}], ids=str)
def test_q_stays_read_only(planar_2r, arguments):
    q = solve(planar_2r, planar_2r.forward_kinematics(Q_TWO), [0.1, -0.7], **arguments).q
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        q.setflags(write=True)


def test_a_batch_returns_its_rows_as_results(planar_2r):
    near, far = planar_2r.forward_kinematics(Q_TWO), np.eye(4)
    far[:3, 3] = [9, 0, 0]
    batch = solve_batch(planar_2r, [near, far, near])
    assert isinstance(batch, BatchResult) and len(batch) == 3
    rows = list(batch)
    assert [row.status for row in rows] == [Status.CONVERGED, Status.UNREACHABLE, Status.CONVERGED]
    assert batch[-1].status is Status.CONVERGED and batch[1].position_error == batch.position_error[1]
    assert not rows[0].q.flags.writeable and not np.shares_memory(rows[0].q, batch.q)
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(ValueError, match="read-only"):
        batch.q[0, 0] = 1.0


def test_asdict_converts_a_result(planar_2r):
    T = planar_2r.forward_kinematics([0.3, 0.4])
    result, traced = solve(planar_2r, T), solve(planar_2r, T, trace=True)
    as_dictionary = dataclasses.asdict(result)
    assert as_dictionary["q"].tolist() == result.q.tolist() and as_dictionary["status"] is Status.CONVERGED
    assert as_dictionary["position_error"] == result.position_error and as_dictionary["restarts"] == result.restarts
    assert as_dictionary["trace"] is None
    assert dataclasses.asdict(traced)["trace"]["q"].shape == traced.trace.q.shape
    batch = dataclasses.asdict(solve_batch(planar_2r, T[None]))
    assert batch["converged"].tolist() == [True] and set(batch) == set(as_dictionary) - {"trace"}


def test_only_equal_arguments_share_a_prepared_problem(ur10):
    target = ur10.forward_kinematics(np.full(6, 0.4))
    assert solve(ur10, target, stop=Stop(0.1, 0.1)).position_error > 1e-3 > solve(ur10, target).position_error
    slow, long = LevenbergMarquardt(Constant(0.5)), Stop(max_iterations=200)
    assert solve(ur10, target, method=slow, stop=long).iterations > solve(ur10, target, stop=long).iterations
    before = len(ur10.prepared)
    solve(ur10, target, method=LevenbergMarquardt(Constant(0.5)), stop=Stop(max_iterations=200))
    assert len(ur10.prepared) == before


def test_user_defined_methods_that_compare_equal_take_their_own_steps(planar_2r):
    class Alike:
        def __init__(self, scale):
            self.scale = scale

        def step(self, jacobian, error):
            return self.scale * np.linalg.pinv(jacobian) @ error

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

    target = planar_2r.forward_kinematics([0.5, 1.0])
    counts = [solve(planar_2r, target, [0.4, 0.9], method=Alike(scale)).iterations for scale in (1.0, 0.5)]
    assert counts[0] < counts[1]
