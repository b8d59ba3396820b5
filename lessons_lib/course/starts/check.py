import numpy as np
from figure_page import Figure, check_facts, in_python, told_to

DRAG = ("start", (-60, 30))
NEAR = {"q1": -45.57, "q2": 91.15}
STATES = [
    ({"method": "LM, trust region", "q1": -168, "q2": -180}, " steps, the largest "),  # three are rejected
    ({**NEAR, "damping": 3.15}, "in 75 steps, the largest less than 0.01 rad; the elbow ends on the side"),
]


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
    longest = np.abs(np.diff(result.trace.q, axis=0)).max(initial=0.0)
    assert (f", the largest {longest:.2f} rad" in figure.says) == (result.iterations > 1 and longest >= 0.005)
