"""`Near` descends from the initial guess, reports a status, and removes unneeded revolutions."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from lessons_lib import lie, robots
from lessons_lib.pose_ik import Near, Restarts, Status, pose, position_only, solve
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.one_pose import solve_in_python


def just_out_of_reach(chain, rng):
    """Return a target 5 mm beyond the outstretched arm of the UR10, and a start a few hundredths of a radian away."""
    q = chain.random_configuration(rng)
    q[2] = 0.0
    target = chain.forward_kinematics(q)
    outward = target[:3, 3] - arm_of(chain).reach[1:]
    target[:3, 3] += 0.005 * outward / np.linalg.norm(outward)
    return target, np.clip(q + rng.uniform(-0.02, 0.02, 6), *chain.limits.T)


def test_a_target_just_out_of_reach_is_approached_near_the_start(ur10):
    """SciPy's bounded least squares finds no smaller error; solutions of the default starts are often far from q0."""
    rng, far = np.random.default_rng(81), 0
    for _ in range(10):
        target, q0 = just_out_of_reach(ur10, rng)

        def residual(q, target=target):
            return lie.log_se3(lie.inverse(ur10.forward_kinematics(q)) @ target)

        result = solve(ur10, target, q0, starts=Near())
        assert result.status in (Status.LOCAL_MINIMUM, Status.CONVERGED)
        assert result.restarts <= 1 and result.iterations <= 50
        assert np.linalg.norm(result.q - q0) < 0.5
        bounds = ur10.limits.T + [[-1e-9], [1e-9]]
        scipy = least_squares(residual, q0, bounds=bounds, xtol=1e-12, ftol=1e-14, gtol=1e-12)
        assert np.sum(residual(result.q) ** 2) <= 2 * scipy.cost * (1 + 1e-6) + 1e-12
        far += np.linalg.norm(solve(ur10, target, q0, starts=Restarts(50)).q - q0) > 1.0
    assert far >= 3


def test_no_step_raises_the_error(panda):
    rng = np.random.default_rng(83)
    for _ in range(10):
        target, q0 = (panda.forward_kinematics(panda.random_configuration(rng)), panda.random_configuration(rng))
        trace = solve(panda, target, q0, starts=Near(), trace=True).trace
        assert (np.diff(np.sum(trace.error_twists**2, axis=1)) <= 0.0).all()
        assert (trace.q >= panda.limits[:, 0]).all() and (trace.q <= panda.limits[:, 1]).all()


def test_near_leaves_a_stationary_point_that_is_not_a_minimum(planar_2r):
    """To first order the outstretched arm cannot move its tip toward the base; the second descent succeeds."""
    target = planar_2r.forward_kinematics([0.0, 0.0])
    target[0, 3] -= 0.3
    for solver in (solve_in_python, solve):
        result = solver(planar_2r, target, np.zeros(2), goal=position_only(), starts=Near())
        assert result.converged and result.restarts == 1


@pytest.mark.parametrize("solver", [solve_in_python, solve])
def test_of_two_equal_minima_the_nearer_one_is_reported(planar_2r, solver):
    """The last joint does not move the tip's position; only the nudge before the second descent moves the joint."""
    last = [0.0, 0.0, 1.0, 0.0, -planar_2r.home[0, 3], 0.0]
    arm = robots.from_screws(np.column_stack([planar_2r.screws, last]), planar_2r.home)
    rng, position = np.random.default_rng(87), pose((0.0, 0.0, 0.0, 1.0, 1.0, 1.0), axes="space")
    for angle in rng.uniform(-2.0, 2.0, 6):
        target, q0 = lie.exp_se3([0.0, 0.0, angle, 0.0, 0.0, 0.0]), np.array([angle, 0.3, 0.2])
        target[:2, 3] = 1.1 * planar_2r.home[0, 3] * np.array([np.cos(angle), np.sin(angle)])
        result = solver(arm, target, q0, goal=position, starts=Near(200))
        assert result.restarts == 1
        np.testing.assert_allclose(result.q, [angle, 0.0, 0.2], atol=1e-4)
