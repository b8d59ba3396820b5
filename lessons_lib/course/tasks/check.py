import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("left target", (-30, 10))

STATES = [
    ({"left": 3, "damping": 0}, "is still moving"),
    ({"posture": 0.01, "left_x": 0.6, "right_x": 0.6}, "Both hands are within 1 mm"),
    ({"left": 10, "right": 0.01, "posture": 0.01, "damping": 0}, "the left hand is off by less than 0.1 mm"),
    ({"left": 10, "right": 10, "posture": 0.01, "damping": 1}, "at rest after 25 steps, to within 0.001° a step"),
    ({"left": 0, "right": 0}, "Neither hand has a cost"),
    ({"hands": "constraints", "right": 0, "gain": 0.1, "left_x": 0.8}, "After 6 steps, no step within the limits"),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("HandsFigure")), figure.table()
    walk = python.walk()
    residuals = python.residuals(walk.q[-1]) * [1e3, 1e3, np.degrees(1.0)]
    costs, soft = (python.left, python.right, python.posture), -len(shown)  # a constraint has no weight
    for (weight, residual, _), cost, expected in zip(shown.values(), costs[soft:], residuals[soft:], strict=True):
        assert abs(weight - cost**2) <= 1e-3 * cost**2
        assert abs(residual - expected) <= 10 * SHOWN
    lit = figure.host.locator(".live-lights td:is(.live-purple, .live-green)")
    assert lit.count() == (0 if walk.refused else len(walk.active[-1]))
    assert figure.host.locator(".live-step").inner_text() == f"step {len(walk.q) - 1} of {len(walk.q) - 1}"
