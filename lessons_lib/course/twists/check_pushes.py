import re

import numpy as np
import pytest
from figure_page import Figure, in_python, told_to

DRAG = ("tip of v", (-40, -30))

STATES = [
    ({"turn": 360, "count": 5}, "5 pushes miss the body's position by 0.000 m"),
    ({"turn": 0, "count": 5}, "5 pushes miss the body's position by 0.000 m"),
]


def check(figure: Figure) -> None:
    """Check the chain by complex numbers, without matrices; its end, and the remaining gap."""
    python, shown = told_to(figure, in_python("PushesFigure")), figure.table()
    end, whole = python.chain()[-1], python.whole()
    expected = {"v for one second": (python.v1, python.v2), "sum": end, "Vv": whole}
    assert max(np.abs(np.array(shown[name]) - place).max() for name, place in expected.items()) <= 0.00051
    missing = float(re.search(r"by (\d\.\d+) m", figure.says)[1])  # type: ignore[index]
    assert missing == pytest.approx(np.linalg.norm(end - whole), abs=0.00051)
