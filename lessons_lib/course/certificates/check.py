import pytest
from figure_page import Figure, in_python, told_to

DRAG = ("configuration", (-3, 4))

STATES = [
    ({"q1": 33, "q2": -151, "t2": -155}, "Nothing is proven: h is more than ½."),
    ({"q1": 30, "q2": 180, "t1": 30, "t2": 180}, "Nothing is proven: the derivative is singular"),
    ({"q1": 30, "q2": 96.8333, "t1": 30, "t2": 90}, "Nothing is proven: h is more than ½."),
    (
        {"q1": 30, "q2": 0.03484, "t1": 30, "t2": 0.0316},
        "A solution is within 1.1e-4 rad, and no other is within 1.0e-4",
    ),
]


def check(figure: Figure) -> None:
    """Check each ball with NumPy, given K as a number; without a ball, both report none."""
    balls = told_to(figure, in_python("BallFigure")).balls()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    assert [cells[0] for cells in shown] == [f"step {k}" for k in range(len(balls))]
    for cells, ball in zip(shown, balls, strict=True):
        assert float(cells[1].replace("∞", "inf")) == pytest.approx(ball.h, rel=0.06, abs=6e-5)
        assert (cells[2] == "–") is (ball.h > 0.5) is (float(cells[1].replace("∞", "inf")) > 0.5)
        if ball.h <= 0.5:
            radius, alone = map(float, cells[2:])  # rounded to the safe side
            assert ball.radius < radius <= 1.11 * ball.radius + 1.1e-4
            assert 0.9 * ball.alone - 1.1e-4 <= alone <= ball.alone
    first = balls[0]
    assert figure.says.startswith(("Exactly one solution", "A solution") if first.h <= 0.5 else "Nothing is proven")
