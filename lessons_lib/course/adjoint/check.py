import numpy as np
from figure_page import SHOWN, Figure

from lessons_lib.course import live

DRAG = ("frame {b}", (-90, 30))

STATES = [
    ({"x": 0.6, "y": 0, "tilt": 35, "turn": 25, "lean": 55}, "{b} is on the axis"),
    ({"x": 0.6, "y": 0, "pitch": 0.004}, "only the sliding velocity, less than 0.01 m/s."),
    ({"x": 0.6000001, "y": 0}, "{b} is less than 0.01 m from the axis"),
]


def check(figure: Figure) -> None:
    names = ("x", "y", "turn", "lean", "tilt", "pitch")
    python = live.TwoFramesFigure(**dict(zip(names, figure.box_values(), strict=True)))
    shown = np.array([row for name, row in figure.table().items() if name[0] in "ωv"])
    assert np.abs(shown - np.column_stack([python.V_s, python.V_b])).max() <= SHOWN
