"""Redundant arms, calibrated arms, and many poses at once."""

import math

import numpy as np
import pytest
from arms import PUMA_560, from_table, largest_difference, ur10

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, TransformError


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


def perturb_axes(arm, rng):
    """Return an arm with slightly perturbed axes, as calibration finds them."""
    screws = arm.screws.copy()
    for j in range(6):
        axis = screws[:3, j]
        point = np.cross(axis, screws[3:, j]) + 1e-4 * rng.normal(size=3)
        axis = axis + 1e-4 * rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        screws[:, j] = np.concatenate([axis, np.cross(point, axis)])
    return robots.from_screws(screws, arm.home, limits=arm.limits, name=f"{arm.name} calibrated")


@pytest.mark.check
@pytest.mark.parametrize("arm", [ur10(), from_table(PUMA_560, "PUMA 560")], ids=lambda arm: arm.name)
def test_a_calibrated_arm_is_solved_as_a_general_6r_arm(arm):
    rng = np.random.default_rng(3)
    real, proven = perturb_axes(arm, rng), 0
    for _ in range(12):
        q = rng.uniform(-math.pi, math.pi, 6)
        solutions = pose_ik.all_solutions(real, real.forward_kinematics(q))
        assert solutions.residual.max() < 1e-12
        assert min(largest_difference(one, q) for one in solutions.q) < 1e-6
        proven += solutions.complete
        assert len(set(solutions.names)) == len(solutions)
    assert proven >= 3


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
