import re

import numpy as np
import pytest
from figure_page import Figure, in_python, told_to

DRAG = ("elbow of the arm", (-20, 10))

STATES = [
    ({"q1": -60, "q2": 120, "frame": 1}, "the linear model leaves no residual."),
    ({"q1": -60, "q2": 119.98}, "The step turns the joints by 0.0° and 0.02°, and"),
]


def check(figure: Figure) -> None:
    """Check error, columns and projection with the library's logarithm, Jacobian and adjoint, and least squares."""
    now, shown = told_to(figure, in_python("ProjectionFigure")).parts(), figure.table()
    expected = {"V": now.error, "J δ": now.foot, "residual": now.error - now.foot}
    assert max(np.abs(np.array(shown[name]) - twist).max() for name, twist in expected.items()) <= 0.00051
    numbers = [float(number.replace("−", "-")) for number in re.findall(r"(−?\d+\.\d+)°", figure.says)]
    left, carried = now.error - now.foot, now.error - now.carried
    angle = (
        [np.degrees(np.arcsin(min(np.linalg.norm(left) / np.linalg.norm(carried), 1.0)))] if len(numbers) > 2 else []
    )
    assert numbers == pytest.approx([*np.degrees(now.step), *angle], abs=0.051)
