"""What comes back cannot be changed by accident, and prints itself. That it travels: tests/test_pickling.py."""

import dataclasses

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib.pose_ik import BatchResult, NewtonRaphson, Result, Status, solve, solve_batch
from lessons_lib.robots import Chain

Q = np.array([0.3, -0.9])
ROADS = [{}, {"method": in_python()}, {"method": NewtonRaphson()}]


def found(chain: Chain, **arguments: object) -> Result:
    return solve(chain, chain.forward_kinematics(Q), [0.1, -0.7], **arguments)


@pytest.mark.parametrize("arguments", ROADS, ids=str)
def test_q_is_read_only_and_stays_so(planar_2r: Chain, arguments: dict[str, object]) -> None:
    q = found(planar_2r, **arguments).q
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        q.setflags(write=True)


def test_a_batch_gives_its_rows(planar_2r: Chain) -> None:
    near, far = planar_2r.forward_kinematics(Q), np.eye(4)
    far[:3, 3] = [9, 0, 0]
    batch = solve_batch(planar_2r, [near, far, near])
    assert isinstance(batch, BatchResult) and len(batch) == 3
    rows = list(batch)
    assert [row.status for row in rows] == [Status.CONVERGED, Status.UNREACHABLE, Status.CONVERGED]
    assert batch[-1].status is Status.CONVERGED and batch[1].position_error == batch.position_error[1]
    assert not rows[0].q.flags.writeable and not np.shares_memory(rows[0].q, batch.q)
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(ValueError, match="read-only"):
        batch.q[0, 0] = 1.0


def test_a_result_becomes_a_dictionary(planar_2r: Chain) -> None:
    T = planar_2r.forward_kinematics([0.3, 0.4])
    result, traced = solve(planar_2r, T), solve(planar_2r, T, trace=True)
    told = dataclasses.asdict(result)
    assert list(told) == [field.name for field in dataclasses.fields(result)]
    assert told["q"].tolist() == result.q.tolist() and told["status"] is Status.CONVERGED and told["trace"] is None
    assert told["position_error"] == result.position_error and told["restarts"] == result.restarts
    assert dataclasses.asdict(traced)["trace"]["q"].shape == traced.trace.q.shape
    batch = dataclasses.asdict(solve_batch(planar_2r, T[None]))
    assert batch["converged"].tolist() == [True] and set(batch) == set(told) - {"trace"}
