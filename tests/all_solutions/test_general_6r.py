"""General 6R arms: at most sixteen solutions, none lost at random poses."""

import math

import mpmath
import numpy as np
import pytest
from arms import largest_difference
from many_digits import kinematics, nearest_pose
from scipy.optimize import brentq
from six_r_arms import MANSEUR_DOTY, at_random, from_table, from_the_tip, jaco_2

from lessons_lib import lie, pose_ik
from lessons_lib.all_solutions.general_arm import UNLIMITED, General6R


@pytest.mark.parametrize("arm", [at_random(1), from_table(MANSEUR_DOTY, "Manseur"), jaco_2()], ids=lambda a: a.name)
def test_solutions_of_a_random_pose_contain_its_configuration(arm):
    rng, counts, proven = np.random.default_rng(5), [], 0
    for _ in range(16):
        q = rng.uniform(-math.pi, math.pi, 6)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert min(largest_difference(one, q) for one in solutions.q) < 1e-6
        assert solutions.residual.max() < 1e-12
        assert len(solutions) % 2 == 0 and len(solutions) <= 16
        for i, one in enumerate(solutions.q):
            assert all(largest_difference(one, other) > 1e-6 for other in solutions.q[:i])
        counts.append(len(solutions))
        proven += solutions.complete
        assert solutions.complete or "rounding" in solutions.reason
    assert proven > 12
    if arm.name == "Manseur and Doty":
        assert max(counts) == 16


def test_each_elimination_ordering_finds_all_solutions():
    """The determinant has a higher degree for a later kept angle: too few samples would alias its frequencies."""
    arm, rng = at_random(1), np.random.default_rng(7)
    strategy = General6R(arm, arm.home)
    for q in rng.uniform(-math.pi, math.pi, (6, 6)):
        T = arm.forward_kinematics(q)
        everything = pose_ik.all_solutions(arm, T).q
        for ordering in strategy.orderings:
            found = strategy.solve_with(strategy.arguments_of([ordering]), T, UNLIMITED)[0]
            assert all(min(largest_difference(one, other) for other in found) < 1e-6 for one in everything)


def test_all_solutions_near_a_singular_pose_that_two_orderings_miss():
    """Near a singular pose the first orderings agree on two of four solutions."""
    arm = from_the_tip(jaco_2())
    q = np.array([5.77863896e-09, 1.57079632, -1.46236378, 1.82049336, -1.57600730, -2.27516979])
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert min(largest_difference(one, q) for one in solutions.q) < 1e-6 and len(solutions) == 4


@pytest.mark.parametrize("arm", [at_random(1), jaco_2(), from_the_tip(jaco_2())], ids=lambda arm: arm.name)
def test_a_double_solution_at_a_singular_pose_is_listed_once(arm):
    rng, unit, tried = np.random.default_rng(3), np.repeat([1.0, arm.length], 3)[:, None], 0
    while tried < 12:
        q, j, places = rng.uniform(-3.0, 3.0, 6), int(rng.integers(1, 5)), np.linspace(-3.0, 3.0, 24)

        def at(x, q=q, j=j):
            return np.linalg.det(arm.pose_and_jacobian(np.concatenate([q[:j], [x], q[j + 1 :]]))[1] / unit)

        signs = [at(x) < 0.0 for x in places]
        changes = [i for i in range(23) if signs[i] != signs[i + 1]]
        if not changes:
            continue
        q[j] = brentq(at, places[changes[0]], places[changes[0] + 1], xtol=1e-15)
        tried += 1
        with mpmath.workdps(30):
            columns = kinematics(arm, nearest_pose(arm.home)[0], [mpmath.mpf(float(x)) for x in q])[2]
            singular = mpmath.svd_r(mpmath.matrix(columns), compute_uv=False)
            assert singular[5] < 1e-13 < 1e-4 < singular[4]
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert min(largest_difference(one, q) for one in found.q) < 1e-5 and found.residual.max() < 1e-12
        for i, one in enumerate(found.q):
            assert all(largest_difference(one, other) > 1e-4 for other in found.q[:i])


def test_an_unreachable_pose_has_no_solution():
    arm = at_random(1)
    T = arm.forward_kinematics(np.zeros(6))
    T[:3, 3] += 50.0
    assert len(pose_ik.all_solutions(arm, T)) == 0


@pytest.mark.parametrize("arm", [at_random(1), at_random(2), jaco_2(), from_the_tip(jaco_2())], ids=lambda a: a.name)
def test_the_reach_of_an_arm_is_bounded_by_a_chain_that_touches_each_axis(arm):
    chain, rng = General6R(arm, arm.home).chain, np.random.default_rng(4)
    first, last, reach = chain[:3] * arm.length, chain[3:6] * arm.length, chain[6] * arm.length
    moved = arm.forward_kinematics(rng.uniform(-math.pi, math.pi, (5000, 6))) @ lie.inverse(arm.home)
    far = np.linalg.norm(moved[:, :3, :3] @ last + moved[:, :3, 3] - first, axis=1)
    assert 0.8 * reach < far.max() <= reach

    rotation = np.block([[moved[0, :3, :3], np.zeros((3, 1))], [np.zeros(3), 1.0]])
    for part in (0.999, 1.001):
        motion = rotation.copy()
        motion[:3, 3] = first + part * reach * np.array([0.6, 0.0, 0.8]) - rotation[:3, :3] @ last
        solutions = pose_ik.all_solutions(arm, motion @ arm.home)
        assert len(solutions) == 0 or part < 1.0
        assert solutions.complete or part < 1.0


def test_a_joint_at_pi_is_not_at_a_limit_if_it_has_a_full_revolution():
    arm = at_random(1)
    T = arm.forward_kinematics(np.array([math.pi, 0.4, -0.7, 1.1, 0.9, -2.0]))
    assert pose_ik.all_solutions(arm, T).complete and pose_ik.all_solutions(arm, T, limits=False).complete
    bound = arm.with_limits(position=[(-3.0, math.pi), *[(-math.pi, math.pi)] * 5])
    assert "limit" in pose_ik.all_solutions(bound, T).reason


def test_solutions_without_limits_are_in_minus_pi_to_pi():
    arm, rng = at_random(1), np.random.default_rng(8)
    for q in rng.uniform(-3.0, 3.0, (5, 6)):
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q), limits=False).q
        assert len(found) and (found > -math.pi).all() and (found <= math.pi).all()
