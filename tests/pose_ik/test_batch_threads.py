"""A batch gives the same rows whatever cuts it, shares it, shows it or stops it."""

import itertools
import os
import signal
import threading
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from lessons_lib.pose_ik import (
    BatchResult,
    LevenbergMarquardt,
    Method,
    Status,
    Sugihara,
    TrustRegion,
    rows,
    solve,
    solve_batch,
)
from lessons_lib.robots import Chain

FIELDS = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error")
SIZES = (1, 2, 7, 8, 9, 1023, 1024, 1025, 3000)
PATIENCE = 120.0  # s until nobody is believed to hear Ctrl-C


@pytest.fixture(scope="module")
def targets(ur10: Chain) -> np.ndarray:
    """Poses of the UR10: most of them easy, some out of reach, some impossible, some rounded to single precision."""
    rng = np.random.default_rng(41)
    made = np.array([ur10.forward_kinematics(ur10.random_configuration(rng)) for _ in range(3000)])
    made[100::500, :3, 3] = [5, 0, 0]
    made[300] = np.eye(4)
    made[2::97] = made[2::97].astype(np.float32)
    return made


def assert_same(one: BatchResult, other: BatchResult) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)


def test_threads_change_no_answer(ur10: Chain, targets: np.ndarray) -> None:
    expected = solve_batch(ur10, targets, threads=1)
    assert set(expected.status) >= {Status.CONVERGED, Status.UNREACHABLE}
    for threads in (2, 3, None):
        assert_same(solve_batch(ur10, targets, threads=threads), expected)


def test_where_a_batch_is_cut_changes_no_answer(ur10: Chain, targets: np.ndarray) -> None:
    whole = solve_batch(ur10, targets)
    for size in SIZES:
        part = solve_batch(ur10, targets[:size])
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:size], f"{name} of {size}")


@pytest.mark.parametrize("method", [None, LevenbergMarquardt(Sugihara()), LevenbergMarquardt(TrustRegion())], ids=str)
@pytest.mark.parametrize("seeded", [False, True])
def test_each_row_is_the_single_answer_to_the_last_bit(
    ur10: Chain, targets: np.ndarray, method: Method | None, seeded: bool
) -> None:
    some = targets[250:450]
    many = solve_batch(ur10, some, method=method, rng=np.random.default_rng(5) if seeded else None)
    rng = np.random.default_rng(5) if seeded else None
    for row, target in enumerate(some):
        single = solve(ur10, target, method=method, rng=rng)
        np.testing.assert_array_equal(many.q[row], single.q)
        for name in FIELDS[1:]:
            assert getattr(many, name)[row] == getattr(single, name), (row, name)


def test_a_generator_is_left_where_single_answers_leave_it(planar_2r: Chain) -> None:
    target = planar_2r.forward_kinematics([0.3, 0.4])
    one, other = np.random.default_rng(6), np.random.default_rng(6)
    solve_batch(planar_2r, [target] * 5, rng=one)
    for _ in range(5):
        solve(planar_2r, target, rng=other)
    assert one.integers(2**62) == other.integers(2**62)


@pytest.mark.parametrize(("progress", "shown"), [(True, True), (False, False), (None, False)])
@pytest.mark.parametrize("threads", [1, 2])
def test_progress(
    ur10: Chain,
    targets: np.ndarray,
    capsys: pytest.CaptureFixture[str],
    progress: bool | None,
    shown: bool,
    threads: int,
) -> None:
    """None means a bar on a terminal alone, and the tests' stderr is none."""
    found = solve_batch(ur10, targets, progress=progress, threads=threads)
    printed = capsys.readouterr()
    assert printed.out == "" and ("3000/3000" in printed.err) == shown
    assert_same(found, solve_batch(ur10, targets, progress=False))


def interrupting(monkeypatch: pytest.MonkeyPatch, how: str, call: int) -> None:
    """Let the search of some rows, of this number, end in Ctrl-C: raised where it is, or sent to the process and heard.

    The main thread hears it when it gets its turn; by then a search that did not wait might have solved all rows.
    """
    chosen = rows.Rows._search_for
    calls = itertools.count(1)

    def interrupted(batch: rows.Rows) -> Callable[..., None]:
        search = chosen(batch)

        def searched(*arguments: np.ndarray) -> None:
            number = next(calls)
            if number == call and how == "raised":
                raise KeyboardInterrupt
            if number == call:
                os.kill(os.getpid(), signal.SIGINT)
                hung = time.monotonic() + PATIENCE
                while not batch.halt.requested and time.monotonic() < hung:
                    time.sleep(0.001)
            search(*arguments)

        return searched

    monkeypatch.setattr(rows.Rows, "_search_for", interrupted)


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("how", ["raised", "sent"])
def test_an_interrupted_batch_gives_what_it_has(
    ur10: Chain, targets: np.ndarray, monkeypatch: pytest.MonkeyPatch, how: str, threads: int, each: bool
) -> None:
    many = np.concatenate([targets, targets])
    start = np.array([0.1, -0.2, 0.3, -0.4, 0.5, 0.6])
    starts = np.outer(np.linspace(0.5, 1.0, len(many)), start) if each else start
    expected = solve_batch(ur10, many, starts)
    interrupting(monkeypatch, how, 3)
    with pytest.warns(UserWarning, match=r"interrupted: \d+ of 6000 poses are solved") as caught:
        found = solve_batch(ur10, many, starts, threads=threads)
    assert caught[0].filename == __file__, "the warning names the caller's line"
    left = np.array([status is Status.INTERRUPTED for status in found.status])
    if threads == 1:  # of two, the one with the first share may be the last to begin
        assert not left[: rows.FIRST_CHUNK].any()
    assert left.any()
    assert f"interrupted: {len(left) - left.sum()} of" in str(caught[0].message)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(found, name)[~left], getattr(expected, name)[~left], name)
    assert np.isnan(found.orientation_error[left]).all() and np.isnan(found.position_error[left]).all()
    assert not found.converged[left].any() and not found.iterations[left].any() and not found.restarts[left].any()
    np.testing.assert_array_equal(found.q[left], np.broadcast_to(starts, (len(many), 6))[left])
    assert all(found[int(row)].status is Status.INTERRUPTED for row in np.flatnonzero(left)[:3])


def test_after_an_interruption_the_next_batch_is_whole(
    ur10: Chain, targets: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupting(patch, "sent", 2)
        with pytest.warns(UserWarning, match="interrupted"):
            solve_batch(ur10, targets, threads=2)
    assert not any(status is Status.INTERRUPTED for status in solve_batch(ur10, targets, threads=2).status)
    assert not any(thread.name.startswith("lessons_lib") for thread in threading.enumerate())


def test_a_longer_batch_needs_no_more_memory_than_its_results(ur10: Chain, targets: np.ndarray) -> None:
    """Scratch belongs to a chunk, not to the batch."""

    def extra(count: int) -> int:
        """Return the bytes at the peak beyond the results."""
        poses = np.tile(targets[:1], (count, 1, 1))
        solve_batch(ur10, poses[:10], threads=1)
        tracemalloc.start()
        found = solve_batch(ur10, poses, threads=1, progress=False)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak - sum(getattr(found, name).nbytes for name in FIELDS)

    few, many = extra(8 * rows.CHUNK), extra(80 * rows.CHUNK)
    # codes of one byte a row, and Python's list of chunks
    assert many - few <= 72 * rows.CHUNK * 4
