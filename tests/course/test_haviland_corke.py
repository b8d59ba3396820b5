"""Haviland and Corke's experiment, repeated: the results agree within the spread of random poses."""

import numpy as np
import pytest

from lessons_lib.course import haviland_corke


def test_the_ur5_at_home_is_where_its_denavit_hartenberg_rows_say() -> None:
    """At q = 0 the arm lies along −x: x = a₂ + a₃, y = −d₄ − d₆, z = d₁ − d₅."""
    home = haviland_corke.ur5().home[:3, 3]
    assert home == pytest.approx([-0.425 - 0.39225, -0.10915 - 0.0823, 0.089159 - 0.09465], abs=1e-12)


@pytest.mark.check
def test_our_run_agrees_with_theirs() -> None:
    poses = 1000
    for row in haviland_corke.repeat(poses):
        published = row.published
        assert abs(row.median - published.median) <= 2, published
        # counts with a long tail: the mean of a thousand moves by a tenth from one draw of poses and start to another
        assert row.evaluations == pytest.approx(published.mean, rel=0.2), published
        part = published.failures / haviland_corke.PUBLISHED_POSES
        # four standard deviations of a count of 1,000, and three hundredths because the one start is not theirs
        assert abs(row.failed - part) < 4.0 * np.sqrt(part * (1.0 - part) / poses) + 0.03, published
