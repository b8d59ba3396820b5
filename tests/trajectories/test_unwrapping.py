"""Whole revolutions bring a joint near to where it was, never out of its limits, and never another pose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib import robots
from lessons_lib.trajectories import unwrap

within = st.lists(st.floats(-6.28, 6.28), min_size=6, max_size=6)


@given(within, within)
def test_no_joint_within_its_limits_could_be_nearer(q: list[float], beside: list[float]) -> None:
    arm = robots.ur10()
    unwrapped = unwrap(arm, q, beside)
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(np.sin(unwrapped), np.sin(q), atol=1e-14)  # to rounding of a few revolutions
    np.testing.assert_allclose(np.cos(unwrapped), np.cos(q), atol=1e-14)
    for other in np.array([unwrapped - 2 * np.pi, unwrapped + 2 * np.pi]):
        allowed = np.abs(other) <= 2 * np.pi
        nearer = np.abs(other - beside) < np.abs(unwrapped - beside) - 1e-12
        assert not (allowed & nearer).any()


def test_a_joint_without_limits_takes_many_revolutions() -> None:
    arm = robots.from_screws([[0], [0], [1], [0], [0], [0]], np.eye(4))
    assert unwrap(arm, [0.5], [20.0])[0] == pytest.approx(0.5 + 6 * np.pi, abs=1e-14)


def test_a_joint_that_slides_or_climbs_as_it_turns_stays() -> None:
    slide, climb = [0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0.1]
    arm = robots.from_screws(np.array([slide, climb]).T, np.eye(4))
    assert unwrap(arm, [0.5, 0.5], [20.0, 20.0]).tolist() == [0.5, 0.5]


def test_a_revolution_onto_a_limit_does_not_leave_it() -> None:
    arm = robots.ur10()
    unwrapped = unwrap(arm, np.zeros(6), np.full(6, 7.0))
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(unwrapped, 2 * np.pi, atol=1e-15)
