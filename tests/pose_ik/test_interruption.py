"""Ctrl-C interrupts compiled code soon, finished rows are kept, and no thread survives.

Each of the long searches below would run for minutes to hours. Each runs in its own process, so that one that cannot be
interrupted fails its test without blocking the others.
"""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from lessons_lib.pose_ik import interruption, solve_batch
from lessons_lib.pose_ik.interruption import Halt, in_threads, interruptible, sigint_guard

pytestmark = pytest.mark.check

HUNG = 600
"""Seconds after which a process counts as hung; once everything is compiled, none needs ten."""

BEGIN = """
import os, signal, sys, threading, time, warnings
import numpy as np
from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.pose_ik import GaussNewton, LevenbergMarquardt, BestOf, Nearest, Near, Restarts, Status, Stop
from lessons_lib.pose_ik import TrustRegion
from lessons_lib.pose_ik.rows import Rows

warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background ignore Ctrl-C
arm = robots.planar_2r()
easy = np.array([arm.forward_kinematics([0.3, 0.1 + 0.001 * k]) for k in range(3000)])
lost = easy.copy()
lost[:, :3, :3] = lost[:, :3, :3] @ arm.forward_kinematics([0.5, 0.0])[:3, :3]  # no elbow gives both
lost[:, :3, 3] *= 0.9
forever = Restarts(10**9)
some = {"goal": pose_ik.pose((0, 1, 1, 1, 1, 1)), "method": GaussNewton()}  # not served by the SIMD search

class Own:
    # runs in Python
    def step(self, jacobian, error):
        return LevenbergMarquardt().step(jacobian, error)

pose_ik.solve(arm, easy[0]), pose_ik.solve_batch(arm, easy[:9])
for one in ({}, some):
    pose_ik.solve(arm, easy[0], **one, trace=True)
    pose_ik.solve_batch(arm, easy[:9], **one)
    trajectories.trace(arm, easy[:9], **one)
pose_ik.solve(arm, lost[0]), trajectories.trace(arm, lost[:1])
pose_ik.solve(arm, easy[0], method=Own())

batches, solve_rows = [], Rows.solve

def record(rows, *arguments):
    batches.append(rows)
    solve_rows(rows, *arguments)

Rows.solve = record

def has_solved(count):
    # whether this many rows of the running batch have ended
    return bool(batches) and batches[-1].ended >= count

def press(*after, listens=True, rows=0):
    # press Ctrl-C this many seconds after the library listens and has solved some rows, then after each earlier press
    batches.clear()
    def wait():
        while listens and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            time.sleep(0.001)
        while rows and not has_solved(rows):
            time.sleep(0.001)
        for seconds in after:
            time.sleep(seconds)
            os.kill(os.getpid(), signal.SIGINT)
    pressing = threading.Thread(target=wait, daemon=True)
    pressing.start()
    return pressing

def wait_for(pressing):
    # wait until the last press: it may come after the interrupted call has ended
    kept = None
    while kept is None:
        try:
            kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            pass
    pressing.join()
    time.sleep(0.1)
    signal.signal(signal.SIGINT, kept)

def left_behind():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("lessons_lib")]
"""


def run(scene):
    """Run a scene after BEGIN in its own process and return its output."""
    command = [sys.executable, "-c", BEGIN + textwrap.dedent(scene)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("options", ["{}", "some"])
@pytest.mark.parametrize(("rows", "threads"), [(30, 1), (3000, 2)])
def test_an_interrupted_batch_keeps_its_solved_rows(options, rows, threads):
    """Only the easy rows at the beginning are solved by then, with one or more presses."""
    scene = f"""
        poses = lost[:{rows}].copy()
        poses[:5] = easy[:5]
        alone = pose_ik.solve_batch(arm, poses[:5], **{options})
        for presses in ([0.1], [0.1, 0.0005], [0.1, 0, 0, 0]):
            pressing = press(*presses, rows=5)
            try:
                found = pose_ik.solve_batch(arm, poses, **{options}, starts=forever, threads={threads})
                wait_for(pressing)
            except KeyboardInterrupt:
                wait_for(pressing)  # one of the presses came after the batch
            assert not pressing.is_alive() and not left_behind()
            assert all(status is Status.CONVERGED for status in found.status[:5]), found.status[:5]
            assert all(status is Status.INTERRUPTED for status in found.status[5:]), found.status[5:]
            assert np.array_equal(found.q[:5], alone.q) and np.array_equal(found.iterations[:5], alone.iterations)
            assert not found.q[5:].any() and np.isnan(found.position_error[5:]).all()
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        print("kept")
    """
    assert run(scene) == "kept"


SEARCHES = {
    "SIMD": "starts=forever",
    "least squares": "**some, starts=forever",
    "traced": "starts=forever, trace=True",
    "many samples": "starts=BestOf(1_000_000, restarts=10**9)",
    "many starts": "starts=Nearest(1_000_000)",
    "many steps": "method=LevenbergMarquardt(TrustRegion()), starts=forever, stop=Stop(2e-15, 2e-15, 1_000_000)",
    "in Python": "method=Own(), starts=forever",
}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_solve_with_many_starts_raises_keyboard_interrupt(search):
    scene = f"""
        try:
            press(0.2, listens={search not in ("in Python", "SIMD", "many steps")})
            pose_ik.solve(arm, lost[0], {SEARCHES[search]})
        except KeyboardInterrupt:
            print("heard", left_behind())
        again = pose_ik.solve(arm, easy[7])
        assert again.converged
    """
    assert run(scene) == "heard []"


@pytest.mark.parametrize("arguments", ["", "**some,", "method=Own(),"])
def test_an_interrupted_trace_keeps_its_waypoints(arguments):
    """The waypoints traced before Ctrl-C are returned."""
    scene = f"""
        path = easy[:200].copy()
        path[8:] = lost[:192]
        whole = trajectories.trace(arm, path[:8], {arguments})
        for seconds in (0.2, 1.0, 5.0, 25.0, 125.0):  # until everything reachable is traced, even on a busy machine
            press(seconds)
            found = trajectories.trace(arm, path, {arguments} starts=forever, on_failure="skip")
            tried = int(found.tried.sum())
            assert tried == found.reached.sum() <= 8 and not left_behind()
            assert np.array_equal(found.q[:tried], whole.q[:tried]) and np.isnan(found.q[tried:]).all()
            if tried == 8:
                break
        print("kept", tried)
    """
    assert run(scene) == "kept 8"


def test_another_signal_handler_stays_installed(planar_2r):
    pressed = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        with sigint_guard(Halt()) as _:
            signal.raise_signal(signal.SIGINT)
        solve_batch(planar_2r, [planar_2r.forward_kinematics([0.1, 0.2])])
        assert pressed == [signal.SIGINT] and signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_only_the_first_press_leaves_interruptible_python_code():
    halt, seen = Halt(), []
    with sigint_guard(halt):
        with interruptible(halt):
            signal.raise_signal(signal.SIGINT)
            seen.append("not left")
        signal.raise_signal(signal.SIGINT)
        seen.append("second")
    assert seen == ["second"] and halt.requested


def test_an_error_in_the_callers_thread_stops_the_others_and_is_raised():
    halt, ended = Halt(), []

    def job():
        if threading.current_thread() is threading.main_thread():
            raise RuntimeError("a test's")
        while not halt.requested:
            time.sleep(0.001)
        ended.append(True)

    with pytest.raises(RuntimeError, match="a test's"):
        in_threads(job, 3, halt, caller_too=True)
    assert ended == [True, True]


def test_compilation_does_not_count_as_search_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(interruption, "clock", lambda: now[0])
    halt = Halt(1.0)
    with halt.compiling():  # one thread
        now[0] = 3.0
        with halt.compiling():  # and another, which waits for it
            now[0] = 5.0
            assert not halt.expired and not halt.over
            assert halt.wait_time == interruption.TICK, "a waiting thread polls at intervals"
        assert not halt.expired
    now[0] = 5.9
    assert not halt.expired
    now[0] = 6.1
    assert halt.expired and halt.over
