import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("post", (-30, 10))

STATES = [({"x": 0.15, "y": 0.31, "z": 1.2, "px": 0.01, "py": -0.12, "height": 1.09}, "4 solutions, 2 free.")]


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("ObstacleFigure"))
    check_facts(figure, python)
    solutions, shown = python.answers, [values[-1] for values in figure.table().values()]
    assert len(shown) == len(solutions)
    room = 1000.0 * python.scene.clearance(solutions.q) if len(solutions) else np.empty(0)
    assert np.count_nonzero(np.array(shown) > 0) == python.facts["free"], "a clearance contradicts the sentence"
    assert np.abs(np.sort(shown) - np.sort(room)).max(initial=0.0) <= 0.51
