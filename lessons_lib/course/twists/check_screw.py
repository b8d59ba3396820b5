import numpy as np
from figure_page import SHOWN, Figure

from lessons_lib.course import live

DRAG = ("body, along its path", (-40, 30))

STATES = [
    ({"climb": 0.5}, "A screw with a pitch of less than 0.01 m/rad."),
    ({"distance": 0}, "The pair is correct to within 5 mm."),
]


def check(figure: Figure) -> None:
    python = live.ScrewFigure(**dict(zip(("distance", "tilt", "climb", "angle"), figure.box_values(), strict=True)))
    shown = figure.table()
    assert np.abs(np.array([*shown["ω [rad]"], *shown["v [m]"]]) - python.twist).max() <= SHOWN
    assert np.abs(np.array(shown["pair’s p"]) - python.twist[3:]).max() <= SHOWN
    assert ("correct to within 5 mm" in figure.says) == (python.miss < 0.005)
