"""The figure of lesson 11: solved poses and steps over the number of each damping rule."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course
from lessons_lib.course.levenberg_marquardt.figures import NORMAL_975


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (1, 10), (5, 10), (951, 1000), (1000, 1000)])
def test_at_the_ends_of_the_interval_the_count_is_just_plausible(successes: int, trials: int) -> None:
    rate = successes / trials
    low, high = course.wilson_interval(successes, trials)
    assert low <= rate <= high
    for end in (low, high):  # the normal test of a probability p: (rate − p)² = z² p (1 − p) / trials
        assert (rate - end) ** 2 == pytest.approx(NORMAL_975**2 * end * (1 - end) / trials, abs=1e-12)


def test_each_rule_is_a_curve_with_error_bars_and_newton_is_a_line() -> None:
    left, right = Figure().subplots(1, 2)
    solved, steps = {"Chan": [900, 950], "constant": [800, 100]}, {"Chan": [9, 8], "constant": [15, np.nan]}
    chan, constant = course.draw_sweep((left, right), [0.1, 1.0], solved, steps, 1000, (890, 16.0))
    assert chan.get_xydata().tolist() == [[0.1, 90.0], [1.0, 95.0]]
    assert constant.get_xydata().tolist() == [[0.1, 80.0], [1.0, 10.0]]
    assert chan.get_marker() != constant.get_marker()  # colour is not the only difference
    bars = left.containers[0].lines[2][0].get_segments()
    ends = np.array([course.wilson_interval(count, 1000) for count in (900, 950)])
    np.testing.assert_allclose(np.asarray(bars)[:, :, 1] / 100, ends)
    assert (left.get_xscale(), right.get_yscale()) == ("log", "log")
    assert [line.get_ydata()[0] for line in (left.lines[-1], right.lines[-1])] == [89.0, 16.0]
