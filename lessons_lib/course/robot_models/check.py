import numpy as np
from figure_page import SHOWN, Figure, in_python

DRAG = ("joint 2", (60, 40))

PANDA = "Panda, rows read as standard"
MEETING = dict(zip([f"q{i + 1}" for i in range(7)], (-57.59, 138.79, 139.77, 52.42, -59.02, -95, 73.43), strict=True))
ALIGNED = dict(zip([f"q{i + 1}" for i in range(7)], (-177, 176, 85, 73, -1, -71, -98), strict=True))

STATES = [
    ({"pair": PANDA}, "The tips are"),
    ({"pair": PANDA, **MEETING}, "The two tips meet to within 1 mm;"),
    ({"pair": PANDA, **ALIGNED}, "their orientations differ by less than 1°."),
]


def check(figure: Figure) -> None:
    python = in_python("ModelFigure")
    python.pair = figure.host.locator("select").input_value()
    for name, value in zip([f"q{i + 1}" for i in range(7)], figure.box_values(), strict=True):
        setattr(python, name, value)
    shown = figure.table()
    for role, chain in zip(("arm", "model"), python.pairs[python.pair], strict=True):
        assert np.abs(shown[role] - chain.forward_kinematics(python.q)[:3, 3]).max() <= 0.1 * SHOWN
    tips = "tips meet to within 1 mm;" if python.gap < 5e-4 else f"{python.gap:.3f} m apart, and"
    turned = "less than 1" if 1e-12 < python.turned < 0.5 else f"{python.turned:.0f}"
    assert f"{tips} their orientations differ by {turned}°" in figure.says
