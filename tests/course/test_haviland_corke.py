"""Haviland and Corke's experiment, repeated: their figures come out within the spread of random poses."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import pose_ik
from lessons_lib.arrays import Array
from lessons_lib.course import haviland_corke
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import BatchResult
from lessons_lib.robots import Chain


def test_the_ur5_stands_at_home_where_its_denavit_hartenberg_rows_say() -> None:
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


def test_all_poses_share_one_start_as_theirs_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the start is within the arm's range, not home."""
    starts = []

    def spy(chain: Chain, targets: Array, q0: Array, **choices: Any) -> BatchResult:
        starts.append(q0)
        return pose_ik.solve_batch(chain, targets, q0, **choices)

    monkeypatch.setattr(haviland_corke, "solve_batch", spy)
    haviland_corke.repeat(3)
    assert len(starts) == len(haviland_corke.PUBLISHED)
    for start in starts:
        assert start.shape == (6,)
        assert np.array_equal(start, starts[0]), "every method begins where the first did"
        assert np.all(np.abs(start) <= np.pi)
        assert np.any(start != 0.0)


def test_the_rows_of_newton_and_gauss_newton_say_how_theirs_invert() -> None:
    """Their table has both variants of both methods; 1102 and 1073 failures belong to these."""
    variants = {row.failures: (row.method, row.variant) for row in haviland_corke.PUBLISHED if row.variant}
    assert variants == {1102: ("newton", "inv"), 1073: ("gauss-newton", "pinv")}


def test_no_pose_is_no_experiment() -> None:
    with pytest.raises(ParameterError, match="poses is 0; at least one pose is needed"):
        haviland_corke.repeat(0)
    with pytest.raises(ParameterError, match="poses is 1.5; at least one pose is needed"):
        haviland_corke.repeat(1.5)  # type: ignore[arg-type]
