"""The drawn door against the motions of its twist."""

import matplotlib.pyplot as plt
import numpy as np

from lessons_lib import lie, plots

HINGE = np.array([-0.9, 0.0, 0.0])
OPEN = np.pi / 2 * np.array([0.0, 0.0, 1.0, 0.0, 0.9, 0.0])


def test_the_door_keeps_its_hinge_only_under_the_exponential():
    figure, (left, right) = plt.subplots(1, 2)
    lost = plots.draw_door(left, plots.pair_motion, HINGE, OPEN)
    kept = plots.draw_door(right, lie.exp_se3, HINGE, OPEN)
    np.testing.assert_allclose(kept, np.tile(HINGE, (5, 1)), rtol=0, atol=1e-15)
    # after a quarter turn the pair has the edge at R·p + v = (0, −0.9, 0) + (0, 0.9 π/2, 0)
    np.testing.assert_allclose(lost[-1], [0.0, 0.9 * (np.pi / 2 - 1), 0.0], rtol=0, atol=1e-15)
    assert left.get_xlabel() == "x [m]" and left.get_aspect() == 1.0
    plt.close(figure)
