import numpy as np
from figure_page import Figure, in_python, told_to

from lessons_lib.course.floating_base import standing

DRAG = ("trunk", (-30, 15))

STATES = [
    ({"lifted": "rear left"}, "It falls: the centre of mass is 9 mm outside"),
    ({"lifted": "rear left", "forward": 0.05, "left": -0.03}, "It stands: "),
    ({"height": 0.1064}, "The legs stop 1 mm short"),
    ({"forward": -0.125, "left": -0.03, "height": 0.085, "roll": -23, "pitch": 4, "yaw": 12}, "No joint is within 5°"),
    ({"height": 0.08}, "Within 5° of a limit: front left knee"),
    ({"height": 0.4, "forward": 0.1}, "Outstretched legs: "),
    ({"height": 0.4, "forward": 0.05, "left": -0.03, "lifted": "front left"}, "The legs stop 11 mm short of the pose."),
    ({"forward": 0.0165, "lifted": "rear left"}, "It falls: the centre of mass is less than 1 mm outside"),
    ({"forward": 0.017, "lifted": "rear left"}, "It stands: the centre of mass is less than 1 mm inside"),
    ({"height": 0.4, "forward": 0.15, "left": -0.15, "roll": 25, "pitch": -25}, "Outstretched legs: front left. It"),
    ({"forward": -0.15, "left": -0.15, "height": 0.08, "roll": 25, "pitch": 25, "yaw": -35}, "and 170 mm short"),
    ({"forward": 0.115, "left": 0.085, "height": 0.185, "roll": -19, "pitch": -21, "yaw": 10}, "No joint is within"),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("StanceFigure")), figure.table()
    stance, tree = python.stance, standing.quadruped()
    assert np.abs(shown["centre of mass"] - 1e3 * tree.centre_of_mass(stance.q)).max() <= 0.501  # whole mm
    assert np.abs(shown["trunk"] - 1e3 * tree.forward_kinematics(stance.q, "trunk")[:3, 3]).max() <= 0.501
    distances = [float(cell.inner_text()) for cell in figure.host.locator(".live-lights td").all()]
    room = np.reshape(distances, (3, 4)).T.ravel()
    assert np.abs(room - python.room).max() <= 0.501
    assert ((room <= 5) == (python.room <= 5)).all()
    side = "inside" if stance.margin >= 0.0 else "outside"
    distance = f"{abs(1e3 * stance.margin):.0f}" if abs(stance.margin) >= 5e-4 else "less than 1"
    assert f" is {distance} mm {side} the support polygon" in figure.says
    angle, distance = stance.short_of
    assert ("The trunk is where it should be" in figure.says) == (np.degrees(angle) < 0.05 and distance < 5e-4)
