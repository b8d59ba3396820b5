"""The clearance of a motion is drawn at the given values."""

import matplotlib.pyplot as plt
import numpy as np

from lessons_lib import course


def test_the_curve_and_its_samples_are_in_millimetres() -> None:
    _, ax = plt.subplots()
    at, room = np.linspace(0, 1, 5), np.array([0.03, 0.01, -0.02, 0.01, 0.03])
    curve, dots = course.draw_room(ax, at, room, [0, 1], [0.03, 0.03])
    assert np.allclose(curve.get_ydata(), 1000 * room) and np.allclose(dots.get_ydata(), 30)
    assert ax.get_ylabel() == "clearance [mm]"
    plt.close()
