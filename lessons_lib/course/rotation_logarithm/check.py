import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("box", (60, -30))

STATES = [
    ({"turn": 0.3}, "One arrow within the wall gives this 0.3° rotation."),
    ({"wall": 179.9}, "The rotations of the small boxes differ by 0.2°."),
    ({"wall": 180}, "Opposite points on the wall represent the same rotation."),
    ({"turn": 360, "wall": 360}, "A whole revolution is the same as no rotation: log R has vanished."),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("LogarithmFigure")), figure.table()
    for arrow, row in zip(python.arrows, shown.values(), strict=True):
        assert np.abs(np.array(row) - arrow).max() <= 0.1 * SHOWN
    if "vanished" not in figure.says:
        assert figure.says.startswith(("No arrow", "One arrow", "Two arrows")[len(python.within)])
