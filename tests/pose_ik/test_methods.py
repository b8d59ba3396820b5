"""The steps of methods: derivatives by finite differences, identities, and user-defined methods."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib import pose_ik
from lessons_lib.lie import inverse, log_se3
from lessons_lib.pose_ik.methods import damped_step, exact_derivative


def test_exact_derivative_is_the_derivative_of_the_error_twist(chain):
    rng = np.random.default_rng(5)
    for _ in range(10):
        q, target = chain.random_configuration(rng), chain.forward_kinematics(chain.random_configuration(rng))
        here = pose_ik.evaluate(chain, target, q)
        if np.linalg.norm(here.error[:3]) > 2.9:  # differences must not straddle the cut of the logarithm at π
            continue
        h = 1e-5  # error h² = 1e-10 of truncation, and eps/h = 2e-11 of rounding
        columns = []
        for direction in np.eye(chain.dof):
            ahead = log_se3(inverse(chain.forward_kinematics(q + h * direction)) @ target)
            behind = log_se3(inverse(chain.forward_kinematics(q - h * direction)) @ target)
            columns.append((behind - ahead) / (2 * h))
        A = exact_derivative(here.jacobian, here.error)
        np.testing.assert_allclose(A, np.column_stack(columns), atol=1e-7 * max(1.0, np.abs(A).max()))


def test_gauss_newton_is_newton_if_the_jacobian_is_invertible(ur10):
    """Because J_l(V) V = V."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        T = ur10.forward_kinematics(ur10.random_configuration(rng))
        here = pose_ik.evaluate(ur10, T, ur10.random_configuration(rng))
        condition = np.linalg.cond(here.jacobian)
        newton = pose_ik.NewtonRaphson().step(here.jacobian, here.error)
        step = pose_ik.GaussNewton().step(here.jacobian, here.error)
        # rounding, amplified by the condition of J and of J_l; 100 eps includes the sums
        tolerance = 100 * np.finfo(float).eps * condition * np.linalg.cond(exact_derivative(np.eye(6), here.error))
        np.testing.assert_allclose(step, newton, rtol=0, atol=tolerance * np.linalg.norm(newton))


@given(st.integers(0, 2**32), st.integers(1, 9), st.floats(1e-6, 10.0))
def test_damped_step_solves_the_normal_equations(seed, joints, damping):
    rng = np.random.default_rng(seed)
    J, V = rng.normal(size=(6, joints)), rng.normal(size=6)
    d = damped_step(J, V, damping)
    normal = J.T @ J + damping * np.eye(joints)
    # the residual of a backward stable solution is rounding, relative to the size of the summands
    size = np.linalg.norm(normal) * np.linalg.norm(d) + np.linalg.norm(J) * np.linalg.norm(V)
    assert np.linalg.norm(normal @ d - J.T @ V) <= 1e-13 * size * max(1.0, 1e-6 / damping)


@pytest.mark.parametrize("rank", [1, 3, 6])
def test_without_damping_the_step_is_the_shortest_least_squares_solution(rank):
    rng = np.random.default_rng(8)
    J = rng.normal(size=(6, rank)) @ rng.normal(size=(rank, 7))
    V = rng.normal(size=6)
    np.testing.assert_allclose(damped_step(J, V, 0.0), np.linalg.lstsq(J, V, rcond=1e-12)[0], atol=1e-12)
    # damping below rounding counts as zero
    np.testing.assert_allclose(damped_step(J, V, 1e-30), np.linalg.lstsq(J, V, rcond=1e-12)[0], atol=1e-9)


def test_trust_region_rejects_every_step_that_raises_the_error(ur10):
    rng = np.random.default_rng(9)
    rejected = 0
    for _ in range(20):
        target, q0 = ur10.forward_kinematics(ur10.random_configuration(rng)), ur10.random_configuration(rng)
        method = pose_ik.LevenbergMarquardt(pose_ik.TrustRegion())
        trace = pose_ik.solve(ur10, target, q0, method=method, starts=pose_ik.Restarts(0), trace=True).trace
        energies = 0.5 * np.sum(trace.error_twists**2, axis=1)
        assert (np.diff(energies)[trace.accepted] < 0).all()
        assert (np.diff(trace.q, axis=0)[~trace.accepted] == 0).all()
        assert (np.diff(trace.damping)[~trace.accepted[:-1]] > 0).all()
        rejected += int(np.sum(~trace.accepted))
    assert rejected > 0


class Transpose:
    """A user-defined method: steepest descent with the step length that minimizes the linear model."""

    def step(self, jacobian, error):
        gradient = jacobian.T @ error
        change = jacobian @ gradient
        return gradient * (gradient @ gradient) / (change @ change)


def test_a_user_defined_method_is_solved(planar_2r):
    target = planar_2r.forward_kinematics([0.5, 1.0])
    stop = pose_ik.Stop(max_iterations=300)
    result = pose_ik.solve(planar_2r, target, [0.3, 0.8], method=Transpose(), stop=stop, trace=True)
    assert result.converged and result.trace.q.shape == (result.iterations + 1, 2)
    assert (result.trace.damping == 0).all() and result.trace.accepted.all()


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_step_that_is_not_finite_ends_its_start(planar_2r, value):
    method = type("Lost", (), {"step": lambda self, jacobian, error: [value, 0.0]})()
    result = pose_ik.solve(planar_2r, np.eye(4), [0.3, 0.4], method=method, starts=pose_ik.Restarts(2))
    assert result.status is pose_ik.Status.NOT_FINITE and np.isfinite(result.q).all() and result.restarts == 2


def test_a_method_that_writes_into_its_arguments_does_not_change_the_search(planar_2r):
    class OverwritingMethod:
        def step(self, jacobian, error):
            step = np.linalg.pinv(jacobian) @ error * 0.1
            error[:], jacobian[:] = 0.0, 0.0
            return step

    target = planar_2r.forward_kinematics([0.5, 1.0])
    options = {"starts": pose_ik.Restarts(0), "stop": pose_ik.Stop(max_iterations=3)}
    result = pose_ik.solve(planar_2r, target, [0.3, 0.4], method=OverwritingMethod(), **options)
    here = pose_ik.evaluate(planar_2r, planar_2r.forward_kinematics([0.5, 1.0]), result.q)
    assert result.orientation_error == np.linalg.norm(here.error[:3]) > 0.01
    assert np.abs(result.q - [0.3, 0.4]).max() > 0.01  # the last iterate is the best, and no error was overwritten by 0
