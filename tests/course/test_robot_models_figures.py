"""The sketch of one row draws the row that the library would build from its four numbers."""

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.course.robot_models.figures import ALPHA, THETA, A, D, row_points


def test_the_normal_ends_where_the_row_ends() -> None:
    row = robots.from_dh([(A, ALPHA, D, THETA)], "standard").home
    at = row_points()
    assert at["end"] == pytest.approx(row[:3, 3], abs=1e-15)
    assert at["next"] == pytest.approx(row[:3, 2], abs=1e-15)
    assert at["normal"] == pytest.approx(row[:3, 0], abs=1e-15)


def test_the_normal_is_perpendicular_to_both_axes() -> None:
    at = row_points()
    along = at["end"] - at["foot"]
    assert np.linalg.norm(along) == pytest.approx(A, abs=1e-15)
    assert abs(along[2]) < 1e-15
    assert abs(along @ at["next"]) < 1e-15
