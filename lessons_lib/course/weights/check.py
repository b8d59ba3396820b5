import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("target", (-30, -40))

STATES = [
    ({"omega_z": 0}, "Every error with a nonzero weight is zero. The others amount to 19.33°."),
    ({"omega_z": 1000, "v_x": 0.1, "v_y": 0.1}, "These weights leave errors of less than 0.01° and"),
    ({"arm": "UR10", "tool": "pen (may spin)", "ur_x": -1.3}, "is not reached in 200 steps, which leave errors of"),
    ({"arm": "UR10", "tool": "100 mm gripper", **dict.fromkeys(("omega_x", "omega_y", "omega_z"), 0.0067)}, "56."),
]


def check(figure: Figure) -> None:
    twist = told_to(figure, in_python("WeightFigure")).error_twist
    angle, distance, _ = figure.table()["remaining"]
    assert abs(angle - np.degrees(np.linalg.norm(twist[:3]))) <= SHOWN
    assert abs(distance - 1e3 * np.linalg.norm(twist[3:])) <= 10 * SHOWN
    bars = [bar for bar in figure.host.locator(".live-bar-number").all() if bar.is_visible()]
    shown = [float(bar.inner_text().replace("−", "-")) for bar in bars]
    expected = np.concatenate([np.degrees(twist[:3]), 1e3 * twist[3:]])
    assert np.abs(np.array(shown) - (expected[2:5] if len(shown) == 3 else expected)).max() <= 10 * SHOWN
