"""Haviland and Corke's experiment, repeated: their figures come out within the spread of random poses."""

import numpy as np
import pytest

from lessons_lib.errors import ParameterError
from lessons_lib.studies import haviland_corke


def test_the_ur5_stands_at_home_where_its_denavit_hartenberg_rows_say() -> None:
    """At q = 0 the arm lies along −x: x = a₂ + a₃, y = −d₄ − d₆, z = d₁ − d₅."""
    home = haviland_corke.ur5().home[:3, 3]
    assert home == pytest.approx([-0.425 - 0.39225, -0.10915 - 0.0823, 0.089159 - 0.09465], abs=1e-12)


def test_our_run_agrees_with_theirs() -> None:
    poses = 1000
    for row in haviland_corke.repeat(poses):
        published = row.published
        assert abs(row.median - published.median) <= 2, published
        assert abs(row.looks - published.mean) < 4.0, published
        part = published.failures / haviland_corke.PUBLISHED_POSES
        # four standard deviations of a count of 1,000, and two hundredths because error and rule to stop are not theirs
        assert abs(row.failed - part) < 4.0 * np.sqrt(part * (1.0 - part) / poses) + 0.02, published


def test_no_pose_is_no_experiment() -> None:
    with pytest.raises(ParameterError, match="poses is 0; at least one pose is needed"):
        haviland_corke.repeat(0)
