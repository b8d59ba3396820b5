import numpy as np
from figure_page import SHOWN, Figure, check_facts, in_python, told_to

DRAG = ("target", (50, 40))

STATES = [
    ({"error": "pose, space frame"}, ""),
    ({"error": "position only", "s2": 3}, "At the arrow's end the distance would be 0 mm"),
    ({"error": "position only", "s2": 0}, "The arm is outstretched: J has lost a direction"),
    ({"error": "position only", "s1": 0, "s2": 180, "t2": 120}, "The arm is folded: J has lost a direction"),
    ({"s1": 29, "s2": 89}, "after the step it is 0.08 mm"),
    ({"s1": 29.98, "s2": 90}, "Step 1 turns the joints by 0.02° and 0.0°."),
    ({"s1": -28, "s2": 60, "t1": 84, "t2": 160}, "The step is long, but it ends within 100 mm of the prediction."),
]


def check(figure: Figure, step: int = 0) -> None:
    python, shown = told_to(figure, in_python("NewtonFigure")), figure.table()
    check_facts(figure, python)
    for name, twist in zip(("now", "predicted", "next"), python.errors(step), strict=True):
        distance, *angle = shown[name]
        assert abs(distance - 1e3 * np.linalg.norm(twist[3:])) <= SHOWN
        assert len(angle) == (python.error != "position only")
        assert np.abs(np.array(angle) - np.degrees(np.linalg.norm(twist[:3]))).max(initial=0.0) <= 0.1 * SHOWN
