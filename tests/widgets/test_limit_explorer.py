"""The sliders move the polygon, and what is drawn is the solution."""

import numpy as np
import pytest
from scipy.optimize import minimize

from lessons_lib.widgets import LimitExplorer


@pytest.fixture
def explorer() -> LimitExplorer:
    return LimitExplorer()


def test_the_drawn_square_is_the_best_by_scipy(explorer: LimitExplorer) -> None:
    for direction, speed, elbow, gap in (
        (0, 1.0, 30, 0.05),
        (60, 2.0, 90, 0.0),
        (-90, 0.5, 150, 0.3),
        (150, 1.5, 20, 1.0),
    ):
        explorer.change(direction=direction, speed=speed, elbow=elbow, gap=gap)
        (G, h), (H, c) = explorer.program.rows, explorer.program.objective
        found = minimize(
            lambda x, H=H, c=c: x @ H @ x / 2 + c @ x,
            np.zeros(2),
            jac=lambda x, H=H, c=c: H @ x + c,
            constraints={"type": "ineq", "fun": lambda x, G=G, h=h: h - G @ x, "jac": lambda x, G=G: -G},
            options={"ftol": 1e-15},
        )
        drawn = np.ravel(explorer._rates.best.get_data())
        assert np.abs(drawn - found.x).max() < 1e-3  # where the cost is flat SLSQP stops early
        assert np.array_equal(drawn, explorer.best)


def test_clipping_goes_through_the_wall_that_the_best_keeps_off(explorer: LimitExplorer) -> None:
    assert explorer.message == "held by speed of joint 2 up and wall: off by 0.31 m/s"
    asked, clipped, best = (arrow.V[0] for arrow in explorer._arrows.arrows)
    assert asked == pytest.approx(0.0)
    assert clipped > 1.0
    assert best == pytest.approx(0.1)  # 50 mm at a gain of 2/s
    assert len(explorer._rates.active.get_segments()) == 2


def test_away_from_the_wall_and_slowly_everything_is_allowed(explorer: LimitExplorer) -> None:
    explorer.change(direction=-90, speed=0.3, elbow=90)
    assert explorer.message == "all that is asked is allowed"
    assert explorer._rates.active.get_segments() == []
    asked, clipped, best = (np.array([arrow.U[0], arrow.V[0]]) for arrow in explorer._arrows.arrows)
    assert np.abs(asked - best).max() < 1e-9 and np.abs(asked - clipped).max() < 1e-12


def test_at_the_wall_the_tip_never_rises(explorer: LimitExplorer) -> None:
    explorer.change(gap=0.0, speed=2.0)
    pictures = set()
    for direction in range(-180, 180, 45):
        explorer.direction.value = direction
        assert explorer._arrows.arrows[2].V[0] < 1e-6
        pictures.add(explorer.image.value)
    assert len(pictures) == 8


def test_every_end_of_the_sliders_has_a_solution(explorer: LimitExplorer) -> None:
    for elbow in (20, 160):
        for gap in (0.0, 1.0):
            for direction in (-180, 0, 90, 180):
                explorer.change(direction=direction, speed=2.0, elbow=elbow, gap=gap)
                assert np.isfinite(explorer.best).all()


def test_the_still_picture_and_the_name_are_the_same_each_time(explorer: LimitExplorer) -> None:
    assert explorer.still() == LimitExplorer().still()
    assert repr(explorer) == "LimitExplorer()"
