import re

import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("time", (40, 0))

STATES = [
    ({"tolerance": "1 nm"}, "The hand is at most 0.24 mm off."),
    ({"tolerance": "1 nm", "rate": 50, "delay": 3, "gain": 24}, "a delay of 3 cycles is stable below 0.445."),
    ({"tolerance": "1 nm", "rate": 200, "delay": 3, "gain": 89}, "stable below 0.44504."),
    ({"tolerance": "1 nm", "rate": 100, "gain": 99.996}, "cycle time is 0.99996; a loop with a delay of 1 cycle is"),
    ({"tolerance": "1 nm", "delay": 1.9}, "a delay of 2 cycles is stable below 0.618."),
    ({"tolerance": "1 mm", "bits": 13, "delay": 0, "gain": 52}, "The arm would stop at 0.003 s"),
    ({"tolerance": "10 µm", "bits": 19, "delay": 2, "gain": 106}, "joint 2 needs 20.01 rad/s²"),
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
        when = python.times[over[0]]
        assert f"at {when:.{3 if 0 < when < 0.005 else 2}f} s" in figure.says
    gain, bound = python.gain / python.rate, 2 * np.sin(np.pi / (4 * int(python.delay + 0.5) + 2))
    numbers = re.search(r"cycle time is ([\d.]+); .* is stable below ([\d.]+)\.$", figure.says)
    assert numbers is not None
    shown_gain, shown_bound = map(float, numbers.groups())
    np.testing.assert_allclose([shown_gain, shown_bound], [gain, bound], atol=0.1 * SHOWN)
    assert (shown_gain < shown_bound) is bool(gain < bound)
