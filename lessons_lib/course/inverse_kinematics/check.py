import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

from lessons_lib import robots

DRAG = ("target", (-60, 20))

STATES = [
    ({"x": 2.0, "y": 1.0}, "too far from the base. The ring's outer radius is 1.70 m"),
    ({"x": 0.1, "y": 0.0}, "too close to the base. The ring's inner radius is 0.30 m"),
    ({"x": 1.7, "y": 0.02}, "misses by less than 0.01 m"),
    ({"x": 1.7, "y": 0.0}, "the arm is outstretched"),
    ({"x": -0.3, "y": 0.0}, "the arm is folded"),
    ({"x": 0.001, "y": 0.0, "length_2": 1.0}, "The target is less than 0.01 m from the base. There are two solutions."),
    ({"x": 0.0, "y": 0.0, "length_2": 1.001}, "The ring's inner radius is less than 0.01 m"),
]


def check(figure: Figure) -> None:
    x, y, length = figure.box_values()
    check_facts(figure, told_to(figure, in_python("ElbowFigure")))
    expected = np.degrees(robots.planar_2r_solutions((x, y), 1.0, length))
    shown = list(figure.table().values())
    assert len(shown) == len(expected)
    assert np.abs(np.reshape(shown, (-1, 2)) - expected).max(initial=0.0) <= 0.051  # a decimal of a degree is shown
    words = {0: "No solution", 1: "one solution", 2: "two solutions"}[len(expected)]
    assert words in figure.says
