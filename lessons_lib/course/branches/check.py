import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("target", (-20, 10))

STATES = [
    ({"x": 0.071741, "y": -0.7, "z": 0.3, "tilt": 90, "turn": 0}, "4 solutions and 2 families: at q₅ = 180°"),
    ({"x": 0.071741, "y": -1.0, "z": 0.6, "tilt": 90, "turn": 0}, "4 solutions at this angle of the free rotation."),
    ({"x": 0.071741, "y": -1.2, "z": 0.3, "tilt": 90, "turn": 0}, "No solution at this angle of the free rotation."),
    ({"x": 0.163941, "y": 0.1157, "z": 0.9, "tilt": 0, "turn": 0}, "nearest solution: right, elbow left"),
    ({"x": 0.163941, "y": 0, "z": 0.5, "tilt": 0, "turn": 0}, "nearest solution: shoulder straight, up"),
    ({"locked": True}, "4 solutions and 2 families: at q₅ = 0°"),
]


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("BranchesFigure"))
    check_facts(figure, python)
    solutions, shown = python.answers, list(figure.table().values())
    assert len(shown) == len(solutions) + python.facts["families"]
    for q in np.degrees(solutions.q[:, [2, 4]]):
        assert np.abs(np.array(shown) - q).max(axis=1).min() <= 0.51
