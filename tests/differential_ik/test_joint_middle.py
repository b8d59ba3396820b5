"""The distance from the middle of the joints' ranges: its values, its slope, and joints without end."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib import robots

LIMITS = np.array([[-1.0, 3.0], [-np.inf, np.inf], [0.0, np.inf], [-2.0, -1.0]])


def test_in_the_middle_nothing_and_at_a_limit_half() -> None:
    panda = robots.panda()
    assert dik.middle_cost(panda.limits.mean(axis=1), panda.limits) == 0.0
    assert dik.middle_cost(panda.limits[:, 0], panda.limits) == pytest.approx(3.5, rel=1e-14)
    assert dik.middle_cost([3.0, 50.0, -7.0, -1.5], LIMITS) == 0.5


def test_the_gradient_is_the_slope() -> None:
    panda, rng = robots.panda(), np.random.default_rng(2)
    q = panda.random_configuration(rng)
    step = 1e-4  # H is a parabola: differences have no error but rounding, 1e-16/1e-4
    slope = [
        (dik.middle_cost(q + step * e, panda.limits) - dik.middle_cost(q - step * e, panda.limits)) / (2 * step)
        for e in np.eye(7)
    ]
    assert np.allclose(dik.middle_gradient(q, panda.limits), slope, rtol=0, atol=1e-11)


def test_a_joint_without_an_end_counts_nothing() -> None:
    assert dik.middle_gradient([2.0, 9.0, 9.0, -1.5], LIMITS).tolist() == [0.25, 0.0, 0.0, 0.0]


def test_an_end_too_far_for_any_joint_is_none() -> None:
    assert dik.middle_cost([0.0, 5.0], [[0.0, 1e25], [-1e30, 1e30]]) == 0.0
