import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("start", (-60, 30))


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("BasinFigure")), figure.table()
    check_facts(figure, python)
    result = python.result
    assert np.abs(np.array(shown["iterate"]) - np.degrees(result.trace.q[-1])).max() <= 0.051
    assert np.abs(np.array(shown["iterate, wrapped"]) - np.degrees(result.q)).max() <= 0.051
    if not result.converged:
        assert "leads to" not in figure.says
        return
    side = "q₂ > 0" if np.sin(result.q[1]) > 0 else "q₂ < 0"
    assert f"leads to {side} in {result.iterations} step" in figure.says
