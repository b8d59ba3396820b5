"""The hand on a line past the base agrees with the closed form of the arm, and with differences."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.course import joints_on_line


@pytest.mark.parametrize("d", [0.05, 0.3, 1.2])
def test_the_joints_are_those_of_the_closed_form_and_change_as_differences_do(d: float) -> None:
    s = np.linspace(-1.2, 1.2, 25)
    q, first, second = joints_on_line(s, d)
    for place, row in zip(s, q, strict=True):
        ((one, two), _) = robots.planar_2r_solutions([place, d])
        assert two > 0.0
        np.testing.assert_allclose(row, [one, two], atol=1e-12)
    step = 1e-5
    after, before = joints_on_line(s + step, d), joints_on_line(s - step, d)
    np.testing.assert_allclose((after[0] - before[0]) / (2 * step), first, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose((after[1] - before[1]) / (2 * step), second, rtol=1e-5, atol=1e-5)
