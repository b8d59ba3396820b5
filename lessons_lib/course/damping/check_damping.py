import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

from lessons_lib.course.live.arm_data import PLANAR

DRAG = ("λ in the chart", (70, 0))

STATES = [
    ({"arm": PLANAR}, "λ = 0.125"),
    ({"arm": PLANAR, "damping": 0.5, "far": True}, "λ = 0.5"),
    ({"arm": PLANAR, "q1": 30.1, "q2": 90}, "the largest less than 0.01 rad"),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("DampingFigure")), figure.table()
    for damping in (0.0, python.damping, 1.0):
        result = python.solve(damping)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        assert np.abs(np.array(shown[f"λ = {damping:.6g}"]) - (result.iterations, largest)).max() <= SHOWN
    assert f"λ = {python.damping:.6g}" in figure.says
