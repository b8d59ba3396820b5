import re

import numpy as np
import pytest
from figure_page import Figure, in_python, told_to

DRAG = ("damped step", (-60, 0))

STATES = [({"damping": 0.001}, "leaves an error of less than 0.001."), ({"damping": 0}, "leaves an error of 0.000.")]


def check(figure: Figure) -> None:
    """Check the damped step with NumPy's least squares, without the gain; and its length and remaining error."""
    damped = told_to(figure, in_python("TradeoffFigure")).compute_step()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    for i, cells in enumerate(shown):
        expected = damped.newton[i], damped.step[i], damped.left[i]
        assert np.abs(np.array(cells[1:], dtype=float) - expected).max() <= 0.00051
    length, rest = np.linalg.norm(damped.step), np.linalg.norm(damped.left)
    assert [float(number) for number in re.findall(r"\d+\.\d+", figure.says)] == pytest.approx(
        [length, rest], abs=0.0051
    )
