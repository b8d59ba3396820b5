import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("target", (-20, 10))


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("BranchesFigure"))
    check_facts(figure, python)
    solutions, shown = python.answers, list(figure.table().values())
    assert len(shown) == len(solutions) + len(solutions.families)
    for q in np.degrees(solutions.q[:, [2, 4]]):
        assert np.abs(np.array(shown) - q).max(axis=1).min() <= 0.51
