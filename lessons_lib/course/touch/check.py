import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("post", (-30, 10))


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("ObstacleFigure"))
    check_facts(figure, python)
    solutions, shown = python.answers, [values[-1] for values in figure.table().values()]
    assert len(shown) == len(solutions)
    room = 1000.0 * python.scene.clearance(solutions.q) if len(solutions) else np.empty(0)
    assert np.abs(np.sort(shown) - np.sort(room)).max(initial=0.0) <= 0.51
