"""A search stops when max_time is over, by a clock that the test controls."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib.pose_ik import (
    Chan,
    LevenbergMarquardt,
    Restarts,
    Status,
    batch,
    interruption,
    pose,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.rows import Rows
from lessons_lib.robots import Chain


class Own:
    """A method of a reader's own, which Python runs."""

    def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
        return LevenbergMarquardt(Chan()).step(jacobian, error)


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A clock that goes on by a second each time that somebody looks at it."""
    looks = count()
    monkeypatch.setattr(interruption, "clock", lambda: float(next(looks)))
    yield looks


def lost(chain: Chain) -> np.ndarray:
    """Return a pose that no elbow gives, though it is within reach."""
    T = chain.forward_kinematics([0.3, 0.1])
    T[:3, :3] = T[:3, :3] @ chain.forward_kinematics([0.5, 0.0])[:3, :3]
    T[:3, 3] *= 0.9
    return T


FEW, MANY = Restarts(200), Restarts(10**8)
"""MANY take minutes, so that the clock of these tests, which is read ten times a second, is always first."""

ROADS: dict[str, dict[str, Any]] = {
    "lanes": {"starts": MANY},
    "the compiled loop": {
        "goal": pose([1, 1, 1, 2, 2, 2]),
        "method": LevenbergMarquardt(Chan()),
        "trace": True,
        "starts": MANY,
    },
    "in Python": {"method": in_python(), "starts": FEW},
    "a method of the reader's own": {"method": Own(), "starts": FEW},
}


@pytest.mark.parametrize("road", ROADS)
def test_when_time_is_over_the_best_of_the_first_start_is_told(road: str, planar_2r: Chain, ticks: Any) -> None:
    T = lost(planar_2r)
    late = solve(planar_2r, T, [0.1, 0.2], max_time=20.0, **ROADS[road])
    assert late.status is Status.OUT_OF_TIME and not late.converged
    first = solve(planar_2r, T, [0.1, 0.2], **{**ROADS[road], "starts": Restarts(0)})
    assert max(late.orientation_error, late.position_error) <= 1.01 * max(first.orientation_error, first.position_error)
    lower, upper = planar_2r.limits.T
    assert (lower <= late.q).all() and (late.q <= upper).all()


@pytest.mark.parametrize("road", ROADS)
def test_with_time_enough_the_answer_is_the_same(road: str, planar_2r: Chain) -> None:
    T = planar_2r.forward_kinematics([0.3, 0.4])
    long, ever = (solve(planar_2r, T, **ROADS[road], max_time=limit) for limit in (1e6, None))
    assert long.converged
    np.testing.assert_array_equal(long.q, ever.q)


@pytest.mark.parametrize("readable", [False, True])
def test_rows_that_are_not_done_in_time_say_so(
    readable: bool, planar_2r: Chain, ticks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock stands still until a row has ended: how long that takes is up to the machine."""
    begun: list[Rows] = []

    class Watched(Rows):
        def solve(self, *arguments: Any) -> None:
            begun.append(self)
            super().solve(*arguments)

    monkeypatch.setattr(batch, "Rows", Watched)
    monkeypatch.setattr(interruption, "clock", lambda: float(next(ticks)) if begun and begun[0].ended else 0.0)
    targets = np.array([planar_2r.forward_kinematics([0.3, 0.4]), *[lost(planar_2r)] * 5])
    asked = {"method": in_python(), "starts": FEW} if readable else {"starts": MANY}
    found = solve_batch(planar_2r, targets, **asked, max_time=4.0)
    assert found.converged[0]
    assert set(found.status[1:]) <= {Status.INTERRUPTED, Status.OUT_OF_TIME}
    assert not found.converged[1:].any()
