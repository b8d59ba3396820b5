"""The quadruped stands on its feet, and two hands and one waist come to rest."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.course.floating_base import standing
from lessons_lib.course.floating_base.stance import stand_at
from lessons_lib.course.floating_base.standing import LEGS, feet_of, margin_of, quadruped, trunk_pose
from lessons_lib.course.floating_base.support import support_margin, support_polygon
from lessons_lib.course.point_task import PointTask
from lessons_lib.course.tasks import two_hands

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])


@pytest.mark.parametrize("height", [0.12, 0.3, 0.4])
def test_each_foot_stands_below_its_hip_and_the_trunk_is_level(height):
    configuration = standing.at_ease(height)
    feet = feet_of(configuration)
    assert_allclose(feet[:, 2], 0.0, atol=1e-15)
    assert_allclose(feet[:, :2], [[0.2, 0.14], [0.2, -0.14], [-0.2, 0.14], [-0.2, -0.14]], atol=1e-15)
    assert_allclose(configuration.get_transform_frame_to_world("trunk"), trunk_pose(height), atol=0)
    configuration.check_limits()


def test_a_point_task_is_the_derivative_of_its_error():
    tree = quadruped()
    q = tree.random_configuration(np.random.default_rng(181))
    task = PointTask("rear_left_foot", 1.0)
    task.set_target([0.1, -0.2, 0.3])

    def error(q):
        return task.compute_error(dik.Configuration(tree, q))

    J, h = task.compute_jacobian(dik.Configuration(tree, q)), 1e-6
    steps = h * np.eye(tree.nv)
    by_differences = [(error(tree.integrate(q, d)) - error(tree.integrate(q, -d))) / (2 * h) for d in steps]
    assert_allclose(J, np.transpose(by_differences), atol=1e-9)  # rounding of 1e-16 over 1e-6, and h² are both below


def test_hard_feet_hold_to_the_second_order_of_a_step_and_the_trunk_arrives():
    configuration = standing.at_ease()
    before, target = feet_of(configuration), trunk_pose(0.2, 0.03, -0.04, 0.1, -0.1, 0.2)
    way = lie.log_se3(lie.inverse(trunk_pose()) @ target)
    poses = [trunk_pose() @ lie.exp_se3(s * way) for s in np.linspace(0.0, 1.0, 200)]
    rows = standing.follow(configuration, [*poses, target, target], standing.feet_down(configuration))
    slips = [np.abs(feet_of(dik.Configuration(quadruped(), q)) - before).max() for q in rows]
    assert 0.0 < max(slips) < 2e-5  # m: a step of 1/200 of the way, squared, times legs of 0.4 m
    assert slips[-1] < 1e-12
    assert_allclose(configuration.get_transform_frame_to_world("trunk"), target, atol=1e-9)


def test_the_polygon_is_the_convex_hull_counter_clockwise():
    corners = support_polygon([*SQUARE, [1.0, 1.0]])
    assert sorted(map(tuple, corners)) == sorted(map(tuple, SQUARE))
    following = np.roll(corners, -1, axis=0)
    assert np.sum(corners[:, 0] * following[:, 1] - corners[:, 1] * following[:, 0]) / 2 == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("point", "margin"),
    [([1.0, 1.0], 1.0), ([0.25, 1.0], 0.25), ([0.0, 1.0], 0.0), ([-0.5, 1.0], -0.5), ([1.0, 2.5, 9.0], -0.5)],
)
def test_the_margin_is_the_way_to_the_nearest_edge(point, margin):
    assert support_margin(SQUARE, point) == pytest.approx(margin, abs=1e-15)
    with_heights = np.column_stack([SQUARE, [0.0, 5.0, -1.0, 2.0]])
    assert support_margin(with_heights, point) == pytest.approx(margin, abs=1e-15)


def test_a_margin_above_zero_means_that_all_forces_push():
    rng = np.random.default_rng(182)
    for _ in range(200):
        feet, point = rng.uniform(-1, 1, (3, 2)), rng.uniform(-1, 1, 2)
        forces = np.linalg.solve(np.vstack([feet.T, np.ones(3)]), [*point, 1.0])
        assert (support_margin(feet, point) > 0.0) == bool((forces > 0.0).all())


def test_a_stance_within_reach_is_reached_with_all_feet_in_place():
    pose = trunk_pose(0.25, 0.02, 0.05, 0.1, -0.1, 0.3)
    stance = stand_at(pose)
    configuration = dik.Configuration(quadruped(), stance.q)
    assert_allclose(configuration.get_transform_frame_to_world("trunk"), pose, atol=1e-9)
    assert_allclose(feet_of(configuration), feet_of(standing.at_ease()), atol=1e-6)
    assert stance.legs == LEGS and stance.slip < 1e-6 and max(stance.short_of) < 1e-9
    assert stance.margin == margin_of(configuration)


@pytest.mark.parametrize("leg", LEGS)
def test_a_lifted_foot_is_up_and_the_others_are_down(leg):
    stance = stand_at(trunk_pose(), lifted=leg)
    heights = dict(zip(LEGS, feet_of(dik.Configuration(quadruped(), stance.q))[:, 2], strict=True))
    assert heights.pop(leg) == pytest.approx(0.08, abs=1e-6)
    assert max(map(abs, heights.values())) < 1e-6
    assert leg not in stance.legs and len(stance.legs) == 3
    assert (stance.margin > 0.0) == leg.startswith("front")  # the knees point back, and bring the weight back


@pytest.mark.parametrize("pose", [trunk_pose(0.6), trunk_pose(0.02), trunk_pose(0.3, 0.5), trunk_pose(0.38, roll=0.5)])
def test_the_feet_stay_in_place_at_the_limit_of_the_legs(pose):
    stance = stand_at(pose)
    assert max(stance.short_of) > 1e-3
    assert stance.slip < 1e-6
    dik.Configuration(quadruped(), stance.q).check_limits()


@pytest.mark.parametrize("height", [0.08, 0.09, 0.1, 0.105])
def test_the_trunk_goes_down_until_the_knees_reach_their_limit(height):
    knee = quadruped().lower[9]
    assert stand_at(trunk_pose(height)).q[2] == pytest.approx(standing.LEG * np.cos(knee / 2), abs=3e-4)


def test_the_tasks_take_costs_gain_and_damping():
    left, right = two_hands.hand_tasks((0.5, 0.0, 1.0), (2.0, 3.0), gain=0.5, lm_damping=0.1)
    assert (left.cost, right.cost, left.gain, right.lm_damping) == (2.0, 3.0, 0.5, 0.1)
    assert (left.frame, right.frame) == two_hands.HANDS
    posture = two_hands.posture_task(0.2, gain=0.3)
    assert (posture.cost, posture.gain) == (0.2, 0.3)
    assert np.array_equal(posture.target_q, two_hands.ready())


def test_at_the_ready_posture_one_step_shows_that_it_rests():
    at, steps = two_hands.settle([two_hands.posture_task(1.0)])
    assert steps == 1 and np.array_equal(at.q, two_hands.ready())


@pytest.mark.parametrize("posture_cost", [0.1, 1.0])
def test_at_rest_the_slopes_of_all_tasks_cancel(posture_cost):
    tasks = [*two_hands.hand_tasks(costs=(2.0, 1.0)), two_hands.posture_task(posture_cost)]
    at, steps = two_hands.settle(tasks)
    assert 1 < steps < two_hands.MOST_STEPS
    pull = sum(t.gain * t.compute_jacobian(at).T @ (t.cost**2 * t.compute_error(at)) for t in tasks)
    assert np.abs(pull).max() < 1e-9  # a last step below 1e-10 rad, times H, which is below 10


def test_damping_and_a_common_gain_change_the_way_and_not_the_end():
    ends = []
    for settings in ({}, {"lm_damping": 3.0}, {"gain": 0.5}):
        posture = two_hands.posture_task(0.3, gain=settings.get("gain", 1.0))
        ends.append(two_hands.settle([*two_hands.hand_tasks(costs=(3.0, 1.0), **settings), posture])[0].q)
    assert np.abs(ends[1] - ends[0]).max() < 1e-7  # both stop when a step is below 1e-10 rad, and come nearer slowly
    assert np.abs(ends[2] - ends[0]).max() < 1e-7


def test_constraints_are_kept_within_reach_and_refused_beyond():
    posture = two_hands.posture_task(1.0, gain=0.3)
    hands = two_hands.hand_tasks((0.63, 0.0, 1.1), gain=0.5)
    at, steps = two_hands.settle([posture], hands)
    assert steps < two_hands.MOST_STEPS
    assert max(np.linalg.norm(hand.compute_error(at)) for hand in hands) < 1e-9
    with pytest.raises(dik.NoSolutionFound, match="contradict each other"):
        two_hands.settle([posture], two_hands.hand_tasks((0.64, 0.0, 1.1), gain=0.5))
