import re

import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("joint 2", (40, 30))

STATES = [({"q1": 90}, "is parallel to the x axis"), ({"q1": 90.01}, "m · sin 0.01°")]


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("ColumnsFigure"))
    texts = figure.host.locator(".live-matrix td").all_inner_texts()
    shown = np.array([float(text.replace("−", "-")) for text in texts]).reshape(6, 6)
    assert np.abs(shown - python.chain.space_jacobian(python.q)).max() <= SHOWN
    sentence = re.search(r"v(\w) of joint (\d) is .* ([\d.]+) m · sin ([\d.]+)°", figure.says.replace("\n", ""))
    if sentence:
        lever = python.lever("xyz".index(sentence[1]), int(sentence[2]) - 1)
        assert abs(float(sentence[3]) - lever.length) <= SHOWN
        rounding = 0.51 if sentence[4].isdigit() else 0.051
        assert abs(float(sentence[4]) - np.degrees(np.arcsin(lever.sine))) <= rounding
