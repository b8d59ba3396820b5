import numpy as np
from figure_page import SHOWN, Figure, in_python

DRAG = ("joint 2", (60, 40))

STATES = [({"pair": "Panda, rows read as standard"}, "The tips are")]


def check(figure: Figure) -> None:
    python = in_python("ModelFigure")
    python.pair = figure.host.locator("select").input_value()
    for name, value in zip([f"q{i + 1}" for i in range(7)], figure.box_values(), strict=True):
        setattr(python, name, value)
    shown = figure.table()
    for role, chain in zip(("arm", "model"), python.pairs[python.pair], strict=True):
        assert np.abs(shown[role] - chain.forward_kinematics(python.q)[:3, 3]).max() <= 0.1 * SHOWN
    sentence = "tips meet"
    if python.gap >= 5e-4:
        sentence = f"{python.gap:.3f} m apart, and their orientations differ by {python.turned:.0f}°"
    assert sentence in figure.says
