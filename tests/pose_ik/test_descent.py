"""The descent to the least error: its Hessian, its end, and its report."""

import math

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.pose_ik import Status, position_only, solve, solve_batch
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.goal import pointing, pose
from lessons_lib.pose_ik.iteration import scratch_size, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import update_active_set
from lessons_lib.pose_ik.lane_rows import places
from lessons_lib.pose_ik.layout import AT_HESSIAN, EVALUATE, FORM_MODEL
from lessons_lib.pose_ik.least_error import ReadableKernels, variant_of_descent
from lessons_lib.pose_ik.methods import exact_derivative
from lessons_lib.pose_ik.settings import settings_of

GOALS = {
    "twist": pose((0.3, 1.0, 2.0, 4.0, 1.0, 3.0)),
    "masked": position_only(),
    "body": pose((1, 2, 0, 3, 4, 0), "body"),
    "space": pose((1, 2, 0, 3, 4, 0), "space"),
    "axes": pointing((1.0, 2.0, 3.0)),
}


@pytest.fixture(scope="module")
def skew():
    """Two revolute joints with skew axes, a prismatic one between them, and a screw joint."""
    tilt = lie.adjoint(lie.exp_se3([0.4, 0.0, 0.3, 0.5, 0.1, -0.2]))
    screws = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 0.6, 0, 0.8], tilt @ [0, 1, 0, 0, 0, 0], [1, 0, 0, 0.2, -0.3, 0.7]]
    home = lie.exp_se3([0.1, 0.7, -0.2, 0.9, 0.2, 0.4])
    return robots.from_screws(np.array(screws).T, home, limits=[[-2.0, 2.0]] * 4, name="skew")


@pytest.fixture(scope="module")
def coupled(skew):
    """The same joints and three more, driven by four coordinates, in both orders along the chain."""
    A = [[1, 0, 0, 0], [0, 1, 0, 0.5], [-1, 0, 1, 0], [0, 0, 0.3, 1], [0, 0, -0.7, 0], [0, 0.4, 0, 0], [2, 0, 0, 0]]
    screws = np.hstack([skew.screws, skew.screws[:, [2, 0, 3]]])
    return robots.from_screws(screws, skew.home, [[-2.0, 2.0]] * 4, "coupled", coupling=robots.Coupling(A))


@pytest.mark.parametrize("angle", [1e-9, 0.7, 3.0])
@pytest.mark.parametrize(
    "name", ["twist", "axes", *(pytest.param(n, marks=pytest.mark.release) for n in ("masked", "body", "space"))]
)
@pytest.mark.parametrize("arm", ["skew", "coupled"])
def test_the_hessian_is_the_difference_of_gradients(arm, name, angle, request):
    chain = request.getfixturevalue(arm)
    problem = check_problem(chain, None, None, None, GOALS[name])
    variant = variant_of_descent(problem)
    at, run = places(4, variant), ReadableKernels(chain, variant)
    work = workspace(np.zeros(scratch_size(at)), run, at, settings_of(problem))
    here = np.array([0.3, -0.4, 0.8, 0.5])
    by = np.concatenate([angle * np.array([0.6, 0.0, 0.8]), [0.2, -0.3, 0.4]])
    set_target(work, chain.forward_kinematics(here) @ lie.exp_se3(by))

    def model_at(q):
        """Return E, its gradient and its Hessian."""
        work[1][:] = q
        run(work[0], EVALUATE)
        run(work[0], FORM_MODEL)
        A, e = work[3], work[4]
        return 0.5 * e @ e, -A.T @ e, work[0][at[AT_HESSIAN] :][:16].reshape(4, 4).copy()

    steps, h = np.eye(4), 1e-5
    pairs = [(model_at(here + h * d), model_at(here - h * d)) for d in steps]
    # truncation error: h² times a third or fourth derivative; rounding error: over h
    slopes = [(a[0] - b[0]) / (2 * h) for a, b in pairs]
    np.testing.assert_allclose(model_at(here)[1], slopes, atol=1e-8)
    second_differences = [(a[1] - b[1]) / (2 * h) for a, b in pairs]
    np.testing.assert_allclose(model_at(here)[2], second_differences, atol=1e-7)


def translation(x, y):
    return lie.pose(np.eye(3), (x, y, 0.0))


def test_a_descent_leaves_a_stationary_point_that_is_not_a_minimum():
    """At q = 0 the outstretched arm points away from the target, and the gradient vanishes."""
    arm, target = robots.planar_2r(), translation(-9.0, 0.0)

    def error(q):
        twist = lie.log_se3(lie.inverse(arm.forward_kinematics(q)) @ target)
        return 0.5 * float(twist @ twist)

    found = solve(arm, target, [0.0, 0.0])
    assert found.status is Status.UNREACHABLE and error(found.q) < error(np.zeros(2)) - 1.0
    around = [error(found.q + 0.01 * np.array([math.cos(a), math.sin(a)])) for a in np.linspace(0.0, 6.0, 7)]
    assert min(around) > error(found.q)


@pytest.mark.parametrize("options", [{}, {"goal": position_only()}])
def test_a_target_out_of_reach_reports_the_steps_of_its_descent(ur10, options):
    target, q0 = translation(2.5, -1.0), np.array([0.5, -1.0, 1.0, 0.3, 0.7, -0.2])
    found, traced = solve(ur10, target, q0, **options), solve(ur10, target, q0, trace=True, **options)
    batch = solve_batch(ur10, [target] * 2, q0, **options)
    assert found.status is traced.status is Status.UNREACHABLE
    assert 1 <= found.iterations == traced.iterations == batch.iterations[1] <= 30
    np.testing.assert_array_equal(found.q, traced.q)
    np.testing.assert_array_equal(found.q, batch.q[1])
    np.testing.assert_array_equal(traced.trace.q[0], q0)
    np.testing.assert_array_equal(traced.trace.q[-1], traced.q)
    twists = traced.trace.error_twists[:, 3:] if options else traced.trace.error_twists
    assert (np.diff(np.linalg.norm(twists, axis=1)) <= 0.0).all()


def test_a_descent_ends_where_no_free_joint_lowers_the_error(panda):
    """Limits shorten steps in half of these descents."""
    rng, joints, at_limits = np.random.default_rng(4), arm_of(panda).joints, 0
    for _ in range(30):
        target = panda.forward_kinematics(panda.random_configuration(rng)) @ lie.exp_se3(rng.normal(size=6))
        target[:3, 3] *= rng.uniform(2.0, 20.0)
        found = solve(panda, target, panda.random_configuration(rng))
        V, active = lie.log_se3(lie.inverse(panda.forward_kinematics(found.q)) @ target), np.zeros(7)
        A = exact_derivative(panda.body_jacobian(found.q), V)
        assert found.converged or update_active_set(A, V, found.q, joints, active), f"{found}"
        at_limits += int(active.sum())
    assert at_limits > 0
