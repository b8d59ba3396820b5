import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

from lessons_lib.course.limits.live import LIMITS

DRAG = ("wall", (0, 30))

STATES = [
    ({"wall": 0.9}, "The tip is 208 mm past the wall. Active: upper velocity limit of joint 2"),
    ({"wall": 0.85, "gain": 20}, "the polygon is empty"),
    ({"limits": LIMITS[1]}, "upper acceleration limit of joint 2"),
    ({"q1": 115, "q2": 155, "ux": 1.1, "uy": -0.85, "wall": 0.191, "gain": 15}, "off by less than 0.01 m/s"),
    ({"ux": 0.5, "uy": 0.0998709}, "Active: wall (μ < 0.001). The best tip velocity is off by less than 0.01 m/s"),
    (
        {"limits": LIMITS[1], "last1": -1.5, "last2": 1.5},
        "Active: upper velocity limit of joint 2 (μ = 0.094), upper acceleration limit of joint 2 (μ < 0.001) and wall",
    ),
    (
        {"ux": 0.5, "uy": 0.1, "wall": 1.157},
        "With clipped rates, the tip violates the wall constraint by less than 0.01 m/s",
    ),
]

EDGE = 1e-9
"""The rounding error of a row, as on the page."""


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("LimitFigure"))
    program, best, shown = python.program, python.best, figure.table()
    answers = {"requested": program.free, "clipped": program.clipped} | ({"best": best[0]} if best else {})
    assert list(shown) == list(answers)
    for name, rates in answers.items():
        tip = program.jacobian @ rates
        expected = [*rates, *tip, np.linalg.norm(tip - program.velocity)]
        assert np.abs(np.array(shown[name]) - expected).max() <= SHOWN
    if best is None:
        assert "the polygon is empty" in figure.says
        return
    G, h = program.rows
    assert ("With clipped rates" in figure.says) == (G[-1] @ program.clipped - h[-1] > EDGE)
    if shown["best"][-1] > 0.0:
        assert all(f"{held} (μ" in figure.says for held in program.active(best[1]))
