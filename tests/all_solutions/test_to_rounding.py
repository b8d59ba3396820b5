"""The configuration of a pose is listed near singular configurations as well."""

import math

import numpy as np
import pinocchio
import pytest
from arms import closed_form_arms, largest_difference
from six_r_arms import MANSEUR_DOTY, PUMA_560, from_table, from_the_tip, jaco_2, panda_slice, ur10

from lessons_lib import pose_ik, robots
from tools.benchmarks.models import PinocchioArm

PARTS, REACHED = 16, 4e-15
"""Steps of a path between two configurations, and the pose error of its points, rad and m."""

ELBOW = -math.atan2(0.4318, 0.0203)
SINGULARITIES = [
    (ur10, {2: 0.0, 4: 0.0}),
    (lambda: from_table(PUMA_560, "PUMA 560"), {2: ELBOW, 4: 0.0}),
    (lambda: from_the_tip(from_table(PUMA_560, "PUMA 560")), {3: ELBOW, 1: 0.0}),
    (lambda: from_the_tip(ur10()), {3: 0.0, 1: 0.0}),
    (lambda: panda_slice(-1.1), {1: 0.0, 5: 0.0}),
]

JUST_OUT_OF_REACH = [
    "0.29674578668928575 0.3925009692032684 -2.388477174857707e-16 -1.1063923059818115 9.12569347655086e-08 0.7226",
    "1.5925012527609832 2.770271233384201 -3.521641871976292e-12 -0.6943747240158231 -1.872098547489542e-06 1.2931",
    "-2.063080650795656 -1.3330285855532846 -1.0249762409032406e-08 1.89278847197901 3.1415926536074057 2.38078488",
    "0.35431291234818163 2.9022200861529894 3.151168489490949e-16 3.088502718146378 6.628358049167325e-06 1.715247",
]
"""Configurations of a UR10 whose rounded poses are out of reach of a branch."""


@pytest.mark.parametrize("q", JUST_OUT_OF_REACH)
def test_a_configuration_that_reaches_the_pose_to_rounding_is_listed_and_marked(q):
    arm, q = ur10(), np.array(q.split(), dtype=float)
    T = arm.forward_kinematics(q)
    found = pose_ik.all_solutions(arm, T)
    assert min(largest_difference(one, q) for one in found.q) < 1e-5 and found.residual.max() <= 2e-15
    assert found.complete and found.to_rounding.any()
    assert not any(one.certificate for one, marked in zip(found, found.to_rounding, strict=True) if marked)
    batch = pose_ik.all_solutions_batch(arm, T[None])
    assert np.array_equal(batch.to_rounding[0, : len(found)], found.to_rounding) and batch.counts[0] == len(found)
    assert not batch.to_rounding[0, len(found) :].any() and batch[0].to_rounding.sum() == found.to_rounding.sum()


def test_a_regular_pose_has_no_solution_to_rounding_only():
    for arm in closed_form_arms():
        found = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))
        assert len(found) and not found.to_rounding.any() and not found.to_rounding.flags.writeable


def test_limits_exclude_a_solution_to_rounding():
    q = np.array(JUST_OUT_OF_REACH[0].split(), dtype=float)
    arm = ur10().with_limits(position=[(-math.pi, math.pi)] * 5 + [(-3.0, 0.5)])
    assert len(pose_ik.all_solutions(arm, arm.forward_kinematics(q))) == 0
    found = pose_ik.all_solutions(arm, arm.forward_kinematics(q), limits=False)
    assert len(found) == 1 and found.to_rounding.all()


def distance(rng):
    """Draw a distance from a singularity, rad: zero, or 1e-15 to 1e-4 to either side."""
    return 0.0 if rng.random() < 0.1 else float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-15, -4))


def is_connected(oracle, target, q, end):
    """Return whether a path of configurations that reach the pose to rounding connects two."""
    wanted, part = pinocchio.SE3(target), (np.remainder(end - q + math.pi, 2 * math.pi) - math.pi) / PARTS
    for _ in range(PARTS):
        q = there = q + part
        for _ in range(15):
            oracle.forward_kinematics(q)
            error = pinocchio.log6(oracle.data.oMf[oracle.tip].actInv(wanted)).vector
            if np.abs(error).max() <= REACHED:
                break
            J = pinocchio.computeFrameJacobian(oracle.model, oracle.data, q, oracle.tip, pinocchio.ReferenceFrame.LOCAL)
            q = q + np.linalg.lstsq(J, error, rcond=1e-7)[0]
        if np.abs(error).max() > REACHED or np.abs(q - there).max() > np.abs(part).max():
            return False
    return largest_difference(q, end) <= max(1e-6, float(np.abs(part).max()))


def is_listed(arm, singularities, rng):
    """Return whether a configuration at or near both singularities is listed, or connected to a listed one."""
    q = rng.uniform(-math.pi, math.pi, 6)
    for joint, value in singularities.items():
        q[joint] = value + rng.choice([0.0, 0.0, math.pi]) + distance(rng)
    T = arm.forward_kinematics(q)
    solutions, oracle = pose_ik.all_solutions(arm, T), PinocchioArm(arm)
    listed = [*solutions.q, *(family.nearest(q) for family in solutions.families)]
    return any(largest_difference(one, q) < 1e-6 or is_connected(oracle, T, q, one) for one in listed)


@pytest.mark.parametrize("case", range(len(SINGULARITIES)))
def test_the_configuration_of_a_pose_near_two_singularities_is_listed(case):
    arm, singularities = SINGULARITIES[case][0](), SINGULARITIES[case][1]
    assert all(is_listed(arm, singularities, np.random.default_rng(seed)) for seed in range(6))


def right_angles(seed):
    """Return an arm without a closed form whose table has round numbers."""
    rng = np.random.default_rng(seed)
    turns = np.radians([0.0, 90.0, -90.0, 90.0, -90.0, 30.0, 45.0, 60.0])
    rows = [(rng.choice([0, 0.3, 0.5]), rng.choice(turns), rng.choice([0, 0.2, 0.4])) for _ in range(6)]
    return from_table(rows, f"right angles {seed}")


LATTICE = [
    (jaco_2, [-1, 2, 0, -2, 1, 1]),
    (jaco_2, [1, 2, 0, 2, 1, -1]),
    (lambda: from_the_tip(jaco_2()), [1, -1, 2, 2, 1, 0]),
    (lambda: from_table(MANSEUR_DOTY, "Manseur and Doty"), [-1, 2, 2, -1, 2, -1]),
    (lambda: right_angles(3), [0, -1, -1, 2, 1, 0]),
    (lambda: right_angles(3), [1, 1, 1, 2, -1, 1]),
    (lambda: right_angles(7), [2, -1, 0, 2, -1, 2]),
    (lambda: right_angles(11), [-1, -1, 1, 0, 0, 2]),
    (lambda: right_angles(11), [2, 1, 1, 2, 2, -1]),
]
"""Poses at which some orderings lose solutions that share a kept angle, or lack rank eight."""


@pytest.mark.parametrize(("make", "angles"), LATTICE)
def test_solutions_that_share_an_angle_are_found_without_a_closed_form(make, angles):
    arm, q = make(), np.array(angles) * (0.5 * math.pi)
    found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert min(largest_difference(one, q) for one in found.q) < 1e-6 and len(found) % 2 == 0


def test_a_planar_arm_lists_its_configuration_at_every_distance_from_the_edge_of_reach():
    arm = robots.planar_3r(1.0, 0.8, 0.3)
    for k in range(-16, -1):
        for q in ([0.3, 10.0**k, -0.4], [0.3, math.pi - 10.0**k, -0.4]):
            found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
            assert min(largest_difference(one, q) for one in found.q) < 1e-7
