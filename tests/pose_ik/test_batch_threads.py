"""A batch gives the same rows whatever cuts it, shares it, shows it or stops it."""

import gc
import itertools
import os
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE, ROUNDED
from lessons_lib.lie.targets import first_off
from lessons_lib.pose_ik import (
    BatchResult,
    LevenbergMarquardt,
    Method,
    Status,
    Sugihara,
    TrustRegion,
    progress,
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


@pytest.mark.parametrize("a_row", [1e-7, 1e-6, 1e-4, 0.01, 10.0])
def test_shares_last_as_long_as_is_worth_it_and_leave_no_row_out(monkeypatch: pytest.MonkeyPatch, a_row: float) -> None:
    clock = [0.0]
    monkeypatch.setattr(rows.time, "perf_counter", lambda: clock[0])
    shares, sizes, last = rows._Chunks(slice(7, 50_000), 2), list[int](), 7
    while (taken := shares.take()) is not None:
        assert isinstance(taken, slice) and taken.start == last < taken.stop
        with shares.timed(taken):
            clock[0] += a_row * (taken.stop - taken.start)
        last = taken.stop
        sizes.append(taken.stop - taken.start)
    assert last == 50_000 and sizes[0] == rows.FIRST_CHUNK
    long = max(1, min(rows.CHUNK, int(rows.LONG / a_row)))
    assert sizes[1] in (long, long - 1) and max(sizes[1:]) <= long
    short = max(1, min(long, int(rows.SHORT / a_row)))
    assert min(sizes[1:-1]) >= short - 1 and sizes[-1] <= short + 1


SLIPS = {
    "not finite": ((0, 3), np.nan),
    "far beyond": ((1, 3), np.inf),
    "a reflection": ((slice(0, 3), 2), -1.0),
    "not orthogonal": ((0, 1), 0.5),
    "another last row": ((3, 0), 1e-3),
}


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("row", [0, 1500, 2999])
def test_a_target_that_is_no_pose_is_named(ur10: Chain, slip: str, row: int) -> None:
    exact = np.array([ur10.forward_kinematics(q) for q in np.random.default_rng(6).uniform(-3, 3, (3000, 6))])
    assert (
        first_off(exact, ROUNDED)
        == first_off(exact.astype(np.float32).astype(float), ORTHONORMALIZE_TOLERANCE)
        == len(exact)
    )
    place, value = SLIPS[slip]
    exact[row][place] = value * exact[row][place] if slip == "a reflection" else value
    assert first_off(exact, ORTHONORMALIZE_TOLERANCE) == row
    with pytest.raises(TransformError, match=rf"target {row}\b"):
        solve_batch(ur10, exact)


def test_a_target_rounded_as_much_as_a_pose_may_be_is_solved_and_the_rows_behind_it_are_checked(ur10: Chain) -> None:
    targets = np.array([ur10.forward_kinematics(q) for q in np.random.default_rng(8).uniform(-3, 3, (9, 6))])
    targets[3, :3, :3] *= 1.0 + 4.9e-7
    assert (
        first_off(targets, ROUNDED) == 3
        and first_off(targets, ORTHONORMALIZE_TOLERANCE) == 9
        and solve_batch(ur10, targets).converged.all()
    )
    targets[7, 3, 0] = 1e-3
    with pytest.raises(TransformError, match="target 7"):
        solve_batch(ur10, targets)


def test_where_a_batch_is_cut_changes_no_answer(ur10: Chain, targets: np.ndarray) -> None:
    whole = solve_batch(ur10, targets)
    for size in SIZES:
        part = solve_batch(ur10, targets[:size])
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:size], f"{name} of {size}")


def test_where_a_pose_stands_changes_no_answer(ur10: Chain, targets: np.ndarray) -> None:
    order = np.random.default_rng(42).permutation(500)
    first, shuffled = solve_batch(ur10, targets[:500]), solve_batch(ur10, targets[:500][order])
    np.testing.assert_array_equal(shuffled.q, first.q[order])
    np.testing.assert_array_equal(shuffled.iterations, first.iterations[order])


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


def test_threads_that_solve_on_one_chain_at_once(ur10: Chain, targets: np.ndarray) -> None:
    some = targets[:400]
    expected = [solve(ur10, target) for target in some]
    together = threading.Barrier(4)

    def work(part: int) -> list[np.ndarray]:
        together.wait()
        return [solve(ur10, target).q for target in some[part::4]]

    with ThreadPoolExecutor(4) as pool:
        for part, found in enumerate(pool.map(work, range(4))):
            for q, single in zip(found, expected[part::4], strict=True):
                np.testing.assert_array_equal(q, single.q)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "two", 10**10])
def test_a_number_of_threads_that_is_none(planar_2r: Chain, bad: object) -> None:
    with pytest.raises(ParameterError, match=r"threads is .*; it counts, so it is a whole number from 1 to"):
        solve_batch(planar_2r, [np.eye(4)], threads=bad)


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


def test_a_long_batch_shows_its_progress_on_a_terminal(
    ur10: Chain, targets: np.ndarray, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 1e9)
    solve_batch(ur10, targets)
    assert capsys.readouterr().err == "", "a batch of milliseconds needs no bar"
    monkeypatch.setattr(progress, "PATIENCE", 1e-9)
    monkeypatch.setattr(progress, "TICK", 0.0)
    with progress.progress_bar(lambda: 7, 10, "solving", None) as move:
        assert capsys.readouterr().err == "", "it has lasted no time yet"
        move()
        assert "solving" in capsys.readouterr().err
    assert "7/10" in capsys.readouterr().err


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


def test_an_interrupted_readable_batch_too(planar_2r: Chain, monkeypatch: pytest.MonkeyPatch) -> None:
    poses = [planar_2r.forward_kinematics([0.1 * row, 0.5]) for row in range(5)]
    interrupting(monkeypatch, "raised", 4)
    with pytest.warns(UserWarning, match="interrupted: 3 of 5 poses are solved"):
        found = solve_batch(planar_2r, poses, method=in_python())
    assert [status is Status.INTERRUPTED for status in found.status] == [False, False, False, True, True]


def test_after_an_interruption_the_next_batch_is_whole(
    ur10: Chain, targets: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupting(patch, "sent", 2)
        with pytest.warns(UserWarning, match="interrupted"):
            solve_batch(ur10, targets, threads=2)
    assert not any(status is Status.INTERRUPTED for status in solve_batch(ur10, targets, threads=2).status)
    assert not any(thread.name.startswith("lessons_lib") for thread in threading.enumerate())


@pytest.mark.check
@pytest.mark.parametrize("method", [None, in_python()], ids=["compiled", "readable"])
def test_a_batch_leaves_its_arrays_to_nobody(planar_2r: Chain, method: Method | None) -> None:
    poses = [planar_2r.forward_kinematics([0.1 * row, 0.5]) for row in range(9)]
    solve_batch(planar_2r, poses, method=method)
    gc.collect()
    gc.disable()
    try:
        solve_batch(planar_2r, poses, method=method)
        left = [thing for thing in gc.get_objects() if type(thing) is rows.Rows]  # a proxy's class may be gone
    finally:
        gc.enable()
    assert left == [], "rows that hold themselves stay until Python looks for garbage"


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
