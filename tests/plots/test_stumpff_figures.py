"""The two bounds hold for the measured errors, and the switch is where they meet."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import plots
from lessons_lib.plots.stumpff import measured_errors
from lessons_lib.symbolic.stumpff import crossover, recurrence_error, series_error

X = np.logspace(-6, 2, 41)
UNIT = 2.0**-53
TERMS = 12


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_errors_stay_below_their_bounds(n):
    series, recurrence = measured_errors(n, TERMS, X)
    # Horner's scheme rounds too, and more where x is large: there the terms grow to about e^√x before they cancel
    rounding = UNIT * (4.0 + np.exp(np.sqrt(X)))
    assert (series <= np.array([series_error(n, x, TERMS) for x in X]) + rounding).all()
    assert (recurrence <= np.array([recurrence_error(n, x) for x in X]) + 4 * UNIT).all()


def test_the_picture_marks_the_crossover():
    figure, ax = plt.subplots()
    series, recurrence = plots.draw_crossover(ax, 2, TERMS, X)
    assert series.shape == recurrence.shape == X.shape
    switch = crossover(2, TERMS)
    assert any(np.allclose(line.get_xdata(), switch) for line in ax.get_lines())
    assert [text.get_text() for text in ax.texts] == [f"x = {switch:.3g}"]
    assert "c₂" in ax.get_ylabel()
    plt.close(figure)
