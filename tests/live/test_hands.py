"""The answer of the figure of two hands is right: costs determine the rest position, gain and damping the approach."""

import numpy as np
import pytest

from lessons_lib.course.live import HandsFigure


def rest(**values: float) -> np.ndarray:
    """Return the residuals at rest, mm and degrees."""
    figure = HandsFigure(**values)
    walk = figure.walk()
    assert walk.rests
    return figure.residuals(walk.q[-1]) * [1e3, 1e3, np.degrees(1.0)]


@pytest.mark.parametrize("values", [{"left": 0.1, "right": 0.1, "posture": 0.01}, {"gain": 0.3}, {"damping": 0.3}])
def test_a_tenth_of_all_costs_the_gain_and_the_damping_move_no_resting_place(values: dict[str, float]) -> None:
    np.testing.assert_allclose(rest(**values), rest(), atol=0.01)


def test_each_cost_moves_the_resting_place() -> None:
    left, right, posture = rest()
    assert left == pytest.approx(right), "equal costs favour no hand"
    assert rest(right=10.0)[0] > 1.5 * left and rest(right=10.0)[1] < 0.1 * right
    assert rest(posture=10.0)[2] < 0.01 * posture


def test_without_damping_the_body_does_not_rest_and_with_nearer_targets_both_hands_are_there() -> None:
    assert not HandsFigure(left=3.0, damping=0.0).walk().rests
    assert rest(left_x=0.6, right_x=0.6, posture=0.01)[:2].max() < 1.0


def test_the_first_steps_are_held_back_by_speeds_and_the_last_by_a_range() -> None:
    active = HandsFigure(left=3.0).walk().active
    assert (active[0], active[-1]) == (("waist", "left shoulder pitch"), ("right shoulder roll",))
    assert HandsFigure(left=0.0, right=0.0).walk().active == [()]


def test_constraints_are_kept_as_far_as_the_arms_reach_and_have_no_solution_beyond() -> None:
    near = HandsFigure(hands="constraints", gain=0.1, left_x=0.63, right_x=0.63)
    assert near.residuals(near.walk().q[-1])[:2].max() < 1e-4 and near.walk().rests
    assert HandsFigure(hands="constraints", gain=0.1, left_x=0.64, right_x=0.64).walk().refused
    assert len(HandsFigure(hands="constraints").walk().q) == 1  # the joints are too slow for the first step
