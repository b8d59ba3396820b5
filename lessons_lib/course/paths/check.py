import numpy as np
from figure_page import SHOWN, Figure, check_facts, in_python, told_to

from lessons_lib.course.paths.live import JUMP, PARTS

DRAG = ("last pose", (-40, 20))

STATES = [
    ({"path": "screw", "dy": 0.8}, "A pose is not reached: “screw” ends before s = "),
    ({"path": "screw", "dx": -1.2, "dy": -0.85, "dz": 0.29, "turn": -168}, "A joint jumps just before s = 0.975"),
    ({"path": "decoupled"}, "the tip is less than 0.1 mm off the straight line. No joint jumps by more than 45°."),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("PathFigure")), figure.table()
    check_facts(figure, python)
    for name, way in python.paths.items():
        steps = [] if np.isnan(way.steps) else [way.steps]
        if len(way.moves) == 0:
            assert name not in shown, "the table must not show distances for an empty path"
            continue
        expected = [1e3 * way.off.max(), way.moves.max(), *steps]
        assert np.abs(np.array(shown[name]) - expected).max() <= 10 * SHOWN, name
    chosen = python.paths[python.path]
    assert ("jumps just before" in figure.says) is bool((chosen.moves > JUMP).any())
    assert ("not reached" in figure.says) is (len(chosen.q) <= PARTS)
