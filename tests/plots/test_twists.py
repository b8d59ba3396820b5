"""Screws against their geometry, and the drawn door and helix against the motions they stand for."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib import lie, plots

HINGE = np.array([-0.9, 0.0, 0.0])
OPEN = np.pi / 2 * np.array([0.0, 0.0, 1.0, 0.0, 0.9, 0.0])

coordinates = st.floats(-2.0, 2.0, allow_subnormal=False)
points = st.lists(coordinates, min_size=3, max_size=3).map(np.array)


@given(points, points.filter(lambda d: np.linalg.norm(d) > 0.1), coordinates, st.floats(0.1, 3.0))
def test_the_screw_comes_out_of_its_twist_again(point, direction, pitch, angle):
    found, unit, found_pitch = plots.screw_of(lie.screw_axis(point, direction, pitch) * angle)
    np.testing.assert_allclose(unit, direction / np.linalg.norm(direction), rtol=0, atol=1e-12)
    assert found_pitch == pytest.approx(pitch, abs=1e-12)
    np.testing.assert_allclose(np.cross(found - point, unit), 0.0, atol=1e-12)  # both on one line
    assert found @ unit == pytest.approx(0.0, abs=1e-12)  # and nearest to the origin


def test_the_door_keeps_its_hinge_only_under_the_exponential():
    figure, (left, right) = plt.subplots(1, 2)
    lost = plots.draw_door(left, plots.pair_motion, HINGE, OPEN)
    kept = plots.draw_door(right, lie.exp_se3, HINGE, OPEN)
    np.testing.assert_allclose(kept, np.tile(HINGE, (5, 1)), rtol=0, atol=1e-15)
    # after a quarter turn the pair has the edge at R·p + v = (0, −0.9, 0) + (0, 0.9 π/2, 0)
    np.testing.assert_allclose(lost[-1], [0.0, 0.9 * (np.pi / 2 - 1), 0.0], rtol=0, atol=1e-15)
    assert left.get_xlabel() == "x [m]" and left.get_aspect() == 1.0
    plt.close(figure)
