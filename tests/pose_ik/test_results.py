"""What comes back cannot be changed by accident, and prints itself. That it travels: tests/test_pickling.py."""

import dataclasses

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib.pose_ik import BatchResult, NewtonRaphson, Restarts, Result, Status, Stop, solve, solve_batch
from lessons_lib.pose_ik.layout import INTERRUPTED, LOCAL_MINIMUM, UNREACHABLE
from lessons_lib.pose_ik.result import STATUSES
from lessons_lib.robots import Chain

FIELDS = ("status", "converged", "iterations", "restarts", "orientation_error", "position_error", "trace")
Q = np.array([0.3, -0.9])
ROADS = [{}, {"method": in_python()}, {"method": NewtonRaphson()}]


def found(chain: Chain, **arguments: object) -> Result:
    return solve(chain, chain.forward_kinematics(Q), [0.1, -0.7], **arguments)


@pytest.mark.parametrize("arguments", [*ROADS, {"trace": True}], ids=str)
def test_every_field_has_its_type(planar_2r: Chain, arguments: dict[str, object]) -> None:
    result = found(planar_2r, **arguments)
    assert isinstance(result, Result) and isinstance(result.status, Status)
    assert type(result.converged) is bool and type(result.iterations) is int and type(result.restarts) is int
    assert type(result.orientation_error) is float and type(result.position_error) is float
    assert result.q.shape == (2,) and result.q.dtype == np.float64
    assert (result.trace is None) == ("trace" not in arguments)


@pytest.mark.parametrize("name", ["q", *FIELDS, "colour"])
def test_attributes_cannot_be_set(planar_2r: Chain, name: str) -> None:
    result = found(planar_2r)
    with pytest.raises(AttributeError, match=name):
        setattr(result, name, 1)


@pytest.mark.parametrize("arguments", ROADS, ids=str)
def test_q_is_read_only_and_stays_so(planar_2r: Chain, arguments: dict[str, object]) -> None:
    q = found(planar_2r, **arguments).q
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        q.setflags(write=True)


def test_q_is_neither_the_start_nor_shared_between_answers(planar_2r: Chain) -> None:
    target, start = planar_2r.forward_kinematics(Q), Q.copy()
    first, second = solve(planar_2r, target, start), solve(planar_2r, target, start)
    assert first.iterations == 0
    start[:] = 9.0
    target[:3, 3] = 9.0
    np.testing.assert_array_equal(first.q, Q)
    assert not np.shares_memory(first.q, second.q) and not np.shares_memory(first.q, start)
    assert first.q is first.q


def test_the_text_names_every_field_but_the_trace(planar_2r: Chain) -> None:
    text = repr(found(planar_2r, trace=True))
    assert text.startswith("Result(q=array([") and "status=<Status.CONVERGED" in text
    assert all(f"{name}=" in text for name in FIELDS if name != "trace") and "trace" not in text


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


def test_each_status_has_a_code_and_a_sentence() -> None:
    assert len(STATUSES) == len({status.sentence for status in Status}) == 11
    assert STATUSES[UNREACHABLE] is Status.UNREACHABLE and STATUSES[INTERRUPTED] is Status.INTERRUPTED
    assert STATUSES[LOCAL_MINIMUM] is Status.LOCAL_MINIMUM
    assert all(status.sentence.endswith(".") and status.sentence[0].isupper() for status in Status)


def test_a_failure_says_so_and_reports_the_errors_of_its_q(planar_2r: Chain) -> None:
    target = planar_2r.forward_kinematics(Q)
    result = solve(planar_2r, target, [0.1, 2.0], starts=Restarts(0), stop=Stop(max_iterations=1))
    assert result.status is Status.MAX_ITERATIONS and not result.converged
    here = planar_2r.forward_kinematics(result.q)
    # V_b = log(T⁻¹ target): at small angles |v| and the distance differ by half the angle's share of it
    assert result.position_error == pytest.approx(np.linalg.norm(here[:3, 3] - target[:3, 3]), rel=0.5)
    angle = np.arccos((np.trace(here[:3, :3].T @ target[:3, :3]) - 1) / 2)
    assert result.orientation_error == pytest.approx(angle, rel=1e-9)


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
