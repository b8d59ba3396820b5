import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("pair of damping and weight", (40, 20))


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("ConvergenceMapFigure")), figure.table()
    result = python.solve(python.damping, python.weight)
    assert np.ravel(shown["steps"])[0] == result.iterations
    longest = np.abs(np.diff(result.trace.q, axis=0)).max()
    assert abs(np.ravel(shown["longest step [rad]"])[0] - longest) <= SHOWN
    assert ("reaches the target" in figure.says) == result.converged
