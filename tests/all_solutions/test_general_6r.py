"""General 6R arms: at most sixteen solutions, none lost at random poses."""

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from arms import ALL_AROUND, drawn, turned_apart
from many_digits import kinematics, nearest_pose
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from six_r_arms import MANSEUR_DOTY, at_random, from_table, from_the_tip, jaco_2

from lessons_lib import pose_ik, robots
from lessons_lib.all_solutions.general_arm import UNLIMITED, EliminationOrdering, General6R, fourier_samples
from lessons_lib.all_solutions.module import general_6r_module
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN


@pytest.mark.parametrize(
    "arm", [at_random(1), from_table(MANSEUR_DOTY, "Manseur and Doty"), jaco_2()], ids=lambda arm: arm.name
)
def test_a_random_pose_has_its_configuration_among_the_answers(arm):
    rng, counts, proven = np.random.default_rng(5), [], 0
    for _ in range(16):
        q = rng.uniform(-math.pi, math.pi, 6)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert min(turned_apart(one, q) for one in solutions.q) < 1e-6
        assert solutions.residual.max() < 1e-12
        assert len(solutions) % 2 == 0 and len(solutions) <= 16
        for i, one in enumerate(solutions.q):
            assert all(turned_apart(one, other) > 1e-6 for other in solutions.q[:i])
        counts.append(len(solutions))
        proven += solutions.complete
        assert solutions.complete or "rounding" in solutions.reason
    assert proven > 12
    if arm.name == "Manseur and Doty":
        assert max(counts) == 16


def test_each_way_to_read_an_arm_in_general_position_finds_every_answer():
    """The determinant of an angle in the middle has a higher degree: too few places would take one wave for another."""
    arm, rng = at_random(1), np.random.default_rng(7)
    strategy = General6R(arm)
    for q in rng.uniform(-math.pi, math.pi, (6, 6)):
        T = arm.forward_kinematics(q)
        everything = pose_ik.all_solutions(arm, T).q
        for way in strategy.orderings:
            found = strategy.found(strategy.numbers([way]), T, UNLIMITED)[0]
            assert all(min(turned_apart(one, other) for other in found) < 1e-6 for one in everything)


def test_many_poses_have_the_answers_that_each_has_alone():
    arm, rng = from_table(MANSEUR_DOTY, "Manseur and Doty"), np.random.default_rng(5)
    targets = arm.forward_kinematics(rng.uniform(-math.pi, math.pi, (8, 6)))
    many = pose_ik.all_solutions_batch(arm, targets)
    assert many.counts.max() > 8  # more than a closed form has
    for k, T in enumerate(targets):
        alone = pose_ik.all_solutions(arm, T)
        assert np.array_equal(many.q[k, : many.counts[k]], alone.q) and np.isnan(many.q[k, many.counts[k] :]).all()
        assert (np.diff(alone.q[:, 0]) >= 0.0).all()


def test_a_way_that_finds_few_is_not_believed():
    """Beside a singular pose the first ways agree on two of four answers."""
    arm = from_the_tip(jaco_2())
    q = np.array([5.77863896e-09, 1.57079632, -1.46236378, 1.82049336, -1.57600730, -2.27516979])
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert min(turned_apart(one, q) for one in solutions.q) < 1e-6 and len(solutions) == 4


def test_a_way_whose_zeros_are_not_all_found_is_not_believed():
    """Two zeros of the first way's determinant hide between places where its slopes look plain; it has eight."""
    arm = from_the_tip(jaco_2())
    T = arm.forward_kinematics(np.array([0.748437, 0.757097, -0.405638, -0.262069, 3.092491, -0.472321]))
    strategy = General6R(arm)
    X, Y, (backwards, way) = np.empty(12), np.empty(12), strategy.orderings[0]
    general_6r_module().write_motion(T, np.linalg.inv(arm.home), arm.length, X, Y)
    told = way.axes, way.left, fourier_samples(8 if way.kept == 0 else 12), way.first, way.kept
    assert general_6r_module().write_candidates(Y if backwards else X, *told, np.empty((24, 6)))[0] == 6
    assert strategy.found(strategy.all_arguments, T, UNLIMITED)[1] == 8


@pytest.mark.parametrize(("kind", "told"), [(0, 1), (1, 3), (2, 1)])
def test_zeros_are_told_only_where_the_determinant_stands_out_of_its_rounding(kind, told):
    """Of these arms, which have closed forms, some ways have a determinant that is zero everywhere, or twice."""
    arm = drawn(kind, np.random.default_rng(1))
    T, unit = arm.forward_kinematics(np.array([0.3, -0.4, 0.7, 0.2, 0.9, -1.1])), np.repeat([1.0, arm.length], 3)
    answers, X, Y, starts = pose_ik.all_solutions(arm, T), np.empty(12), np.empty(12), np.empty((24, 6))
    general_6r_module().write_motion(T, np.linalg.inv(arm.home), arm.length, X, Y)
    known = []
    for first, kept in product((1, 2), range(3)):
        way, table = (
            EliminationOrdering(arm.screws / unit[:, None], first, kept),
            fourier_samples(8 if kept == 0 else 12),
        )
        _, zeros = general_6r_module().write_candidates(X, way.axes, way.left, table, first, kept, starts)
        known += [zeros] * (zeros != UNKNOWN)
    assert answers.complete and known == [len(answers)] * told


@pytest.mark.parametrize("arm", [at_random(1), jaco_2(), from_the_tip(jaco_2())], ids=lambda arm: arm.name)
def test_no_answer_stands_twice_at_a_singular_pose(arm):
    rng, unit, tried = np.random.default_rng(3), np.repeat([1.0, arm.length], 3)[:, None], 0
    while tried < 12:
        q, j, places = rng.uniform(-3.0, 3.0, 6), int(rng.integers(1, 5)), np.linspace(-3.0, 3.0, 24)

        def at(x, q=q, j=j):
            return np.linalg.det(arm.pose_and_jacobian(np.concatenate([q[:j], [x], q[j + 1 :]]))[1] / unit)

        signs = [at(x) < 0.0 for x in places]
        turns = [i for i in range(23) if signs[i] != signs[i + 1]]
        if not turns:
            continue
        q[j] = brentq(at, places[turns[0]], places[turns[0] + 1], xtol=1e-15)
        tried += 1
        with mpmath.workdps(30):
            columns = kinematics(arm, nearest_pose(arm.home)[0], [mpmath.mpf(float(x)) for x in q])[2]
            singular = mpmath.svd_r(mpmath.matrix(columns), compute_uv=False)
            assert singular[5] < 1e-13 < 1e-4 < singular[4]
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert min(turned_apart(one, q) for one in found.q) < 1e-5 and found.residual.max() < 1e-12
        for i, one in enumerate(found.q):
            assert all(turned_apart(one, other) > 1e-4 for other in found.q[:i])


def test_newtons_method_is_right_where_equations_are_singular():
    axes = np.hstack([np.eye(3)[[0, 1, 2, 0, 1, 2]], np.zeros((6, 3))])  # all through one point
    X, q = np.hstack([np.eye(3), [[1.0], [0.0], [0.0]]]).ravel(), np.full(6, 0.1)
    assert not general_6r_module().polished(axes, X, q, np.ones(1)) and np.isfinite(q).all()
    X[3] = 0.0
    assert general_6r_module().polished(axes, X, q := np.full(6, 0.01), np.ones(1))
    assert np.allclose(np.linalg.multi_dot([rotation(axes[j, :3], q[j]) for j in range(6)]), np.eye(3), atol=1e-12)


def rotation(k, angle):
    return Rotation.from_rotvec(angle * k).as_matrix()


def test_other_starts_find_nothing_that_is_missing():
    arm, rng = at_random(1), np.random.default_rng(6)
    T = arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6))
    solutions, stop = pose_ik.all_solutions(arm, T), pose_ik.Stop(orientation=1e-10, position=1e-10)
    method = pose_ik.LevenbergMarquardt()
    found = [pose_ik.solve(arm, T, rng.uniform(-3.0, 3.0, 6), method=method, stop=stop) for _ in range(60)]
    reached = [result.q for result in found if result.converged]
    assert len(reached) > 20
    assert all(min(turned_apart(one, q) for one in solutions.q) < 1e-5 for q in reached)


def test_a_wrist_that_misses_by_far_is_no_wrist():
    arm = drawn(1, np.random.default_rng(4))
    screws = arm.screws.copy()
    screws[3, 4] += 0.5  # axis 5 no longer meets the others, and is no longer revolute
    screws[:, 4] = np.concatenate([screws[:3, 4], np.cross([0.3, -0.4, 0.9], screws[:3, 4])])
    other = robots.from_screws(screws, arm.home, limits=ALL_AROUND)
    q = np.array([0.3, -0.7, 1.1, 0.4, -0.9, 2.0])
    solutions = pose_ik.all_solutions(other, other.forward_kinematics(q))
    assert "sixteen" in solutions.form and min(turned_apart(one, q) for one in solutions.q) < 1e-6


def test_a_pose_out_of_reach_has_none():
    arm = at_random(1)
    T = arm.forward_kinematics(np.zeros(6))
    T[:3, 3] += 50.0
    assert len(pose_ik.all_solutions(arm, T)) == 0


def test_an_answer_at_half_a_turn_is_at_no_limit_where_joints_turn_all_around():
    arm = at_random(1)
    T = arm.forward_kinematics(np.array([math.pi, 0.4, -0.7, 1.1, 0.9, -2.0]))
    assert pose_ik.all_solutions(arm, T).complete and pose_ik.all_solutions(arm, T, limits=False).complete
    bound = arm.with_limits(position=[(-3.0, math.pi), *[(-math.pi, math.pi)] * 5])
    assert "limit" in pose_ik.all_solutions(bound, T).reason


def test_answers_lie_within_half_a_turn_where_no_limit_asks_for_more():
    arm, rng = at_random(1), np.random.default_rng(8)
    for q in rng.uniform(-3.0, 3.0, (5, 6)):
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q), limits=False).q
        assert len(found) and (found > -math.pi).all() and (found <= math.pi).all()


@pytest.mark.parametrize(("times", "asked", "enough"), [([2, 3], 2, True), ([2, 1], 2, False), ([2, 2], 1, False)])
def test_ways_are_asked_until_two_have_found_each_answer(times, asked, enough):
    text = general_6r_module()
    assert text.is_enough(np.array(times, dtype=float), 2, asked, 2) == enough
    assert not text.is_enough(np.array(times, dtype=float), 1, asked, 2)  # an odd number
