"""A search stops when max_time is over, by a simulated clock."""

from itertools import count

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib import pose_ik
from lessons_lib.pose_ik import batch, interruption
from lessons_lib.pose_ik.rows import Rows


@pytest.fixture
def ticks(monkeypatch):
    """A clock that advances by a second at each reading."""
    readings = count()
    monkeypatch.setattr(interruption, "clock", lambda: float(next(readings)))
    yield readings


def unreachable(chain):
    """Return an unreachable pose whose position is within reach."""
    T = chain.forward_kinematics([0.3, 0.1])
    T[:3, :3] = T[:3, :3] @ chain.forward_kinematics([0.5, 0.0])[:3, :3]
    T[:3, 3] *= 0.9
    return T


FEW, MANY = pose_ik.Restarts(200), pose_ik.Restarts(10**8)
"""MANY starts take minutes, so the clock, which is read ten times a second, always stops them."""

SEARCHES = {
    "SIMD": {"starts": MANY},
    "sequential": {
        "goal": pose_ik.pose([1, 1, 1, 2, 2, 2]),
        "method": pose_ik.LevenbergMarquardt(pose_ik.Chan()),
        "trace": True,
        "starts": MANY,
    },
    "in Python": {"method": in_python(), "starts": FEW},
}


@pytest.mark.parametrize("name", SEARCHES)
def test_when_time_is_over_the_best_iterate_of_the_first_start_is_returned(name, planar_2r, ticks):
    T = unreachable(planar_2r)
    late = pose_ik.solve(planar_2r, T, [0.1, 0.2], max_time=20.0, **SEARCHES[name])
    assert late.status is pose_ik.Status.OUT_OF_TIME and not late.converged
    first = pose_ik.solve(planar_2r, T, [0.1, 0.2], **{**SEARCHES[name], "starts": pose_ik.Restarts(0)})
    assert max(late.orientation_error, late.position_error) <= 1.01 * max(first.orientation_error, first.position_error)
    lower, upper = planar_2r.limits.T
    assert (lower <= late.q).all() and (late.q <= upper).all()


@pytest.mark.parametrize("name", SEARCHES)
def test_with_enough_time_the_solution_is_the_same(name, planar_2r):
    T = planar_2r.forward_kinematics([0.3, 0.4])
    limited, unlimited = (pose_ik.solve(planar_2r, T, **SEARCHES[name], max_time=limit) for limit in (1e6, None))
    assert limited.converged
    np.testing.assert_array_equal(limited.q, unlimited.q)


@pytest.mark.parametrize("as_python", [False, True])
def test_rows_without_enough_time_report_it(as_python, planar_2r, ticks, monkeypatch):
    """The clock stops until a row is finished, because that time depends on the machine."""
    running = []

    class Watched(Rows):
        def solve(self, *arguments):
            running.append(self)
            super().solve(*arguments)

    monkeypatch.setattr(batch, "Rows", Watched)
    monkeypatch.setattr(interruption, "clock", lambda: float(next(ticks)) if running and running[0].ended else 0.0)
    targets = np.array([planar_2r.forward_kinematics([0.3, 0.4]), *[unreachable(planar_2r)] * 5])
    options = {"method": in_python(), "starts": FEW} if as_python else {"starts": MANY}
    found = pose_ik.solve_batch(planar_2r, targets, **options, max_time=4.0)
    assert found.converged[0]
    assert set(found.status[1:]) <= {pose_ik.Status.INTERRUPTED, pose_ik.Status.OUT_OF_TIME}
    assert not found.converged[1:].any()
