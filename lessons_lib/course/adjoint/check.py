import numpy as np
from figure_page import SHOWN, Figure

from lessons_lib.course import live

DRAG = ("frame {b}", (-90, 30))


def check(figure: Figure) -> None:
    names = ("x", "y", "turn", "lean", "tilt", "pitch")
    python = live.TwoFramesFigure(**dict(zip(names, figure.box_values(), strict=True)))
    shown = np.array([row for name, row in figure.table().items() if name[0] in "ωv"])
    assert np.abs(shown - np.column_stack([python.V_s, python.V_b])).max() <= SHOWN
