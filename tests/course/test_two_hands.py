"""Two hands and one waist come to rest where the slopes of all tasks cancel."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib.course.tasks import two_hands


def test_the_tasks_take_costs_gain_and_damping() -> None:
    left, right = two_hands.hand_tasks((0.5, 0.0, 1.0), (2.0, 3.0), gain=0.5, lm_damping=0.1)
    assert (left.cost, right.cost, left.gain, right.lm_damping) == (2.0, 3.0, 0.5, 0.1)
    assert (left.frame, right.frame) == two_hands.HANDS
    posture = two_hands.posture_task(0.2, gain=0.3)
    assert (posture.cost, posture.gain) == (0.2, 0.3)
    assert np.array_equal(posture.target_q, two_hands.ready())


def test_at_the_ready_posture_one_step_shows_that_it_rests() -> None:
    at, steps = two_hands.settle([two_hands.posture_task(1.0)])
    assert steps == 1 and np.array_equal(at.q, two_hands.ready())


@pytest.mark.parametrize("posture_cost", [0.1, 1.0])
def test_at_rest_the_slopes_of_all_tasks_cancel(posture_cost: float) -> None:
    tasks = [*two_hands.hand_tasks(costs=(2.0, 1.0)), two_hands.posture_task(posture_cost)]
    at, steps = two_hands.settle(tasks)
    assert 1 < steps < two_hands.MOST_STEPS
    pull = sum(t.gain * t.compute_jacobian(at).T @ (t.cost**2 * t.compute_error(at)) for t in tasks)
    assert np.abs(pull).max() < 1e-9  # a last step below 1e-10 rad, times H, which is below 10


def test_damping_and_a_common_gain_change_the_way_and_not_the_end() -> None:
    ends = []
    for settings in ({}, {"lm_damping": 3.0}, {"gain": 0.5}):
        posture = two_hands.posture_task(0.3, gain=settings.get("gain", 1.0))
        ends.append(two_hands.settle([*two_hands.hand_tasks(costs=(3.0, 1.0), **settings), posture])[0].q)
    assert np.abs(ends[1] - ends[0]).max() < 1e-7  # both stop when a step is below 1e-10 rad, and come nearer slowly
    assert np.abs(ends[2] - ends[0]).max() < 1e-7


def test_constraints_are_kept_within_reach_and_refused_beyond() -> None:
    posture = two_hands.posture_task(1.0, gain=0.3)
    hands = two_hands.hand_tasks((0.63, 0.0, 1.1), gain=0.5)
    at, steps = two_hands.settle([posture], hands)
    assert steps < two_hands.MOST_STEPS
    assert max(np.linalg.norm(hand.compute_error(at)) for hand in hands) < 1e-9
    with pytest.raises(dik.NoSolutionFound, match="contradict each other"):
        two_hands.settle([posture], two_hands.hand_tasks((0.64, 0.0, 1.1), gain=0.5))
