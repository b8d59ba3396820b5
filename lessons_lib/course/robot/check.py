import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("time", (40, 0))

STATES = [
    ({"tolerance": "1 nm"}, "The hand is at most 0.24 mm off."),
    ({"tolerance": "1 nm", "rate": 50, "delay": 3, "gain": 24}, "a delay of 3 cycles is stable below 0.445."),
    ({"tolerance": "1 nm", "rate": 200, "delay": 3, "gain": 89}, "stable below 0.44504."),
    ({"forward": False, "bits": 8, "delay": 0, "t": 2.5}, ""),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("ServoFigure")), figure.table()
    _, asked = python.run
    at = min(round(python.t * python.rate), len(asked) - 1)
    for j in (0, 1):
        expected = asked[at, j], np.abs(asked[:, j]).max()
        np.testing.assert_allclose(shown[f"joint {j + 1}"], expected, rtol=1e-6, atol=SHOWN)
    over = np.flatnonzero((np.abs(asked) > 20).any(axis=1))
    hand = "Without the stop, the hand would be" if len(over) else "The hand is"
    assert f"{hand} at most {1e3 * python.off.max():.2f} mm off" in figure.says
    assert figure.says.startswith("The arm would stop") == bool(len(over))
    if len(over):
        assert f"at {python.times[over[0]]:.2f} s" in figure.says
    bound = 2 * np.sin(np.pi / (4 * python.delay + 2))
    assert f"The product of gain and cycle time is {python.gain / python.rate:.3f}; " in figure.says
    assert f"stable below {bound:.3f}" in figure.says
