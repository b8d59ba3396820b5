"""Redundant and coupled arms, and many poses at once."""

import math

import numpy as np
import pytest
from arms import largest_difference, ur10
from numpy.testing import assert_allclose
from six_r_arms import differential_wrist

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.robots import Coupling


def test_a_slice_of_the_panda_contains_the_configuration_of_the_pose():
    arm, rng = robots.panda(), np.random.default_rng(1)
    for _ in range(20):
        q = arm.random_configuration(rng)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert len(solutions) == 0 and not solutions.complete
        one = solutions.slice(q[6])
        assert one.complete and (one.q[:, 6] == q[6]).all() and one.residual.max() < 1e-12
        assert min(largest_difference(each, q) for each in one.q) < 1e-6
        assert ((one.q >= arm.limits[:, 0]) & (one.q <= arm.limits[:, 1])).all()


def test_families_of_the_panda_contain_its_configuration():
    arm, rng = robots.panda(), np.random.default_rng(2)
    q = arm.random_configuration(rng)
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert np.abs(solutions.nearest(q) - q).max() < 1e-6
    for family in solutions.families:
        assert family.joint == 6
        for low, high in family.intervals:
            for value in np.linspace(low, high, 5):
                there = family.at(value)
                assert np.abs(arm.forward_kinematics(there) - solutions.target).max() < 1e-12
        with pytest.raises(ConfigurationError, match="no solution"):
            family.at(arm.limits[6, 1] + 0.1)
    with pytest.raises(ConfigurationError, match="outside its limits"):
        solutions.slice(9.0)


def test_batch_solutions_equal_single_solutions():
    arm, rng = ur10(), np.random.default_rng(4)
    q = rng.uniform(-math.pi, math.pi, (40, 6))
    q[7, 4], q[9, 2] = 0.0, 0.0
    targets = arm.forward_kinematics(q)
    targets[11, :3, 3] += 9.0
    many = pose_ik.all_solutions_batch(arm, targets)
    assert len(many) == 40 and many.q.shape == (40, 8, 6)
    for row, one in enumerate(many):
        alone = pose_ik.all_solutions(arm, targets[row])
        assert many.counts[row] == len(one) == len(alone)
        assert (one.q == alone.q).all() and one.names == alone.names
        assert (many.q[row, : len(one)] == one.q).all() and np.isnan(many.q[row, len(one) :]).all()
        assert many.complete[row] == alone.complete
    assert not many.complete[7] and not many.complete[9] and many.complete[11] and many.counts[11] == 0
    with pytest.raises(TransformError, match="3"):
        pose_ik.all_solutions_batch(arm, [targets[0]] * 3 + [np.zeros((4, 4))])


def test_differential_wrist_has_the_solutions_of_the_uncoupled_arm():
    arm, rng = differential_wrist(), np.random.default_rng(1)
    for _ in range(5):
        T = arm.forward_kinematics(arm.random_configuration(rng))
        found, free = pose_ik.all_solutions(arm, T), pose_ik.all_solutions(robots.ur10(), T, limits=False)
        assert found.complete and len(found) == len(free)
        assert_allclose(found.residual, 0.0, atol=1e-12)
        assert found.names == free.names
        turned = np.sin((found.q @ arm.matrix.T - free.q) / 2)
        assert_allclose(turned, 0.0, atol=1e-9)


def test_solutions_use_the_nearest_revolution_within_the_limits():
    limits = [[-3.0, 3.0]] * 4 + [[-6.0, 6.0]] * 2
    arm, rng = differential_wrist(limits), np.random.default_rng(2)
    for _ in range(5):
        q = arm.random_configuration(rng)
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert_allclose(found.nearest(q), q, atol=1e-9)
        for one in found.q:
            arm.check_within_limits(one)
        assert pose_ik.solve(arm, found.target, q + 1e-3, starts=pose_ik.AllBranches()).converged


def test_solutions_that_violate_the_coupling_are_excluded():
    mimic = np.delete(np.eye(6), 3, axis=1)
    mimic[3] = [0, 0, -0.5, 0, 0]  # joint 4 follows joint 3
    ur10 = robots.ur10()
    arm = robots.from_screws(ur10.screws, ur10.home, coupling=Coupling(mimic))
    q = arm.random_configuration(np.random.default_rng(3))
    T = arm.forward_kinematics(q)
    found, free = pose_ik.all_solutions(arm, T), pose_ik.all_solutions(ur10, T, limits=False)
    assert 1 <= len(found) < len(free)
    assert_allclose(np.min(np.abs(np.sin((found.q - q) / 2)).max(axis=1)), 0.0, atol=1e-9)
    assert found.reason == "rounding decides whether the coupling allows a solution of the joints"
    assert not len(pose_ik.all_solutions(arm, ur10.forward_kinematics([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])))
