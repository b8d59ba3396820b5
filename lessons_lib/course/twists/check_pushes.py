import re

import numpy as np
import pytest
from figure_page import Figure, in_python, told_to

DRAG = ("tip of v", (-40, -30))

STATES = [
    ({"turn": 360, "count": 5}, "5 pushes, the position is off by 0.000 m"),
    ({"turn": 0, "count": 5}, "5 pushes, the position is off by 0.000 m"),
    ({"turn": 5, "count": 64, "v1": 0.2}, "64 pushes, the position is off by less than 0.001 m"),
]


def check(figure: Figure) -> None:
    """Check the chain by complex numbers, without matrices; its end, and the remaining gap."""
    python, shown = told_to(figure, in_python("PushesFigure")), figure.table()
    end, whole = python.chain()[-1], python.whole()
    expected = {"v for one second": (python.v1, python.v2), "sum": end, "Vv": whole}
    assert max(np.abs(np.array(shown[name]) - place).max() for name, place in expected.items()) <= 0.00051
    missing = float(re.search(r"by (?:less than )?(\d\.\d+) m", figure.says)[1])  # type: ignore[index]
    remaining = np.linalg.norm(end - whole)
    assert missing == pytest.approx(remaining, abs=0.00101 if "less than" in figure.says else 0.00051)
    assert ("less than" in figure.says) == (1e-12 < remaining < 0.0005)
