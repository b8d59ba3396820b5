"""Ctrl-C in the middle of compiled code: it is heard soon, what is done is kept, and no thread stays behind.

Each of the long searches below would run for minutes to hours. They run in processes of their own, so that one that
cannot be interrupted fails its test instead of holding up the others. All of these are forked from one that has loaded
the library and what it compiles.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from lessons_lib.pose_ik import Stop, interruption, solve_batch
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.interruption import Halt, in_threads, interruptible, sigint_guard
from lessons_lib.pose_ik.layout import EVALUATIONS
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.robots import Chain

pytestmark = pytest.mark.check

HUNG = 600
"""Seconds after which a process counts as hung: none of them needs ten once all is compiled, and none would end."""

BEGIN = """
import os, signal, sys, threading, time, warnings
import numpy as np
from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.pose_ik import GaussNewton, LevenbergMarquardt, BestOf, Nearest, Near, Restarts, Status, Stop
from lessons_lib.pose_ik import TrustRegion
from lessons_lib.pose_ik.rows import Rows

warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background ignores Ctrl-C
arm = robots.planar_2r()
easy = np.array([arm.forward_kinematics([0.3, 0.1 + 0.001 * k]) for k in range(3000)])
lost = easy.copy()
lost[:, :3, :3] = lost[:, :3, :3] @ arm.forward_kinematics([0.5, 0.0])[:3, :3]  # no elbow gives both
lost[:, :3, 3] *= 0.9
forever = Restarts(10**9)
some = {"goal": pose_ik.pose((0, 1, 1, 1, 1, 1)), "method": GaussNewton()}  # which the lanes do not know

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

def noted(rows, *arguments):
    batches.append(rows)
    solve_rows(rows, *arguments)

Rows.solve = noted

def solved(count):
    # whether so many rows of the batch that runs have ended
    return bool(batches) and batches[-1].ended >= count

def press(*after, listens=True, rows=0):
    # Ctrl-C, so many seconds after the library has begun to listen and solved some rows, and after each press before
    batches.clear()
    def wait():
        while listens and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            time.sleep(0.001)
        while rows and not solved(rows):
            time.sleep(0.001)
        for seconds in after:
            time.sleep(seconds)
            os.kill(os.getpid(), signal.SIGINT)
    pressing = threading.Thread(target=wait, daemon=True)
    pressing.start()
    return pressing

def settle(pressing):
    # until nobody presses any more: a press may come when what it was meant for is over, and be heard later still
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


SERVE = """
import json, traceback
print("ready", flush=True)
for line in sys.stdin:
    scene, outputs = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, path in enumerate(outputs, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        failed = 1
        try:
            exec(scene, dict(globals()))
            failed = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(failed)
    print(os.waitpid(child, 0)[1], flush=True)
"""
"""Runs each scene in a child and tells how it ended."""


class Stage:
    """A process that has run BEGIN; each scene is a child of it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN + SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.answer() == "ready\n"

    def answer(self) -> str:
        """Return the next line, once it comes; where none does, end the process and the scene that hangs."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            if not waiting.select(HUNG):
                self.end()
                pytest.fail(f"nothing ended within {HUNG} s")
        return self.process.stdout.readline()

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture(scope="module")
def stages() -> Iterator[list[Stage]]:
    """The process to fork from, once there is one."""
    made: list[Stage] = []
    yield made
    for stage in made:
        stage.end()


@pytest.fixture
def run(stages: list[Stage], tmp_path: Path) -> Callable[[str], str]:
    """Run a scene after BEGIN in a process of its own and return what it printed."""

    def played(scene: str) -> str:
        if not stages or stages[-1].process.poll() is not None:
            stages.append(Stage())
        output, errors = tmp_path / "output", tmp_path / "errors"
        stdin = stages[-1].process.stdin
        stdin.write(json.dumps([textwrap.dedent(scene), [str(output), str(errors)]]) + "\n")
        stdin.flush()
        assert stages[-1].answer() == "0\n", errors.read_text()
        return output.read_text().strip()

    return played


@pytest.mark.parametrize("asked", ["{}", "some"])
@pytest.mark.parametrize(("rows", "threads"), [(30, 1), (3000, 2)])
def test_a_batch_of_lost_poses(asked: str, rows: int, threads: int, run: Callable[[str], str]) -> None:
    """The easy ones at its beginning are solved by then; the rest would take until tomorrow, pressed once or more."""
    scene = f"""
        poses = lost[:{rows}].copy()
        poses[:5] = easy[:5]
        alone = pose_ik.solve_batch(arm, poses[:5], **{asked})
        for presses in ([0.1], [0.1, 0.0005], [0.1, 0, 0, 0]):
            pressing = press(*presses, rows=5)
            try:
                found = pose_ik.solve_batch(arm, poses, **{asked}, starts=forever, threads={threads})
                settle(pressing)
            except KeyboardInterrupt:
                settle(pressing)  # one of many came when the batch was over
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
    "over lanes": "starts=forever",
    "least squares": "**some, starts=forever",
    "traced": "starts=forever, trace=True",
    "many samples": "starts=BestOf(1_000_000, restarts=10**9)",
    "many starts": "starts=Nearest(1_000_000)",
    "many steps": "method=LevenbergMarquardt(TrustRegion()), starts=forever, stop=Stop(2e-15, 2e-15, 1_000_000)",
    "readable": "method=Own(), starts=forever",
}


@pytest.mark.parametrize("search", SEARCHES)
def test_one_pose_with_many_starts(search: str, run: Callable[[str], str]) -> None:
    scene = f"""
        try:
            press(0.2, listens={search not in ("readable", "over lanes", "many steps")})
            pose_ik.solve(arm, lost[0], {SEARCHES[search]})
        except KeyboardInterrupt:
            print("heard", left_behind())
        again = pose_ik.solve(arm, easy[7])
        assert again.converged
    """
    assert run(scene) == "heard []"


@pytest.mark.parametrize("arguments", ["", "**some,", "method=Own(),"])
def test_a_trace(arguments: str, run: Callable[[str], str]) -> None:
    """What was traced before comes back."""
    scene = f"""
        path = easy[:200].copy()
        path[8:] = lost[:192]
        whole = trajectories.trace(arm, path[:8], {arguments})
        for seconds in (0.2, 1.0, 5.0, 25.0, 125.0):  # until all that can be traced is, however busy the machine
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


def test_somebody_elses_answer_to_ctrl_c_stays(planar_2r: Chain) -> None:
    pressed = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        with sigint_guard(Halt()) as _:
            signal.raise_signal(signal.SIGINT)
        solve_batch(planar_2r, [planar_2r.forward_kinematics([0.1, 0.2])])
        assert pressed == [signal.SIGINT] and signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_halt_that_was_asked_for_reaches_settings_that_are_made_later(planar_2r: Chain) -> None:
    halt, problem = Halt(), check_problem(planar_2r, None, None, None)
    halt.allow(7.0)
    assert halt.settings_for(settings_of, problem)[EVALUATIONS] == 7.0
    assert np.isinf(settings_of(problem)[EVALUATIONS]), "those of everybody else are another array"
    halt.request()
    assert halt.settings_for(settings_of, problem)[EVALUATIONS] == 0.0
    halt.allow()
    assert halt.settings_for(settings_of, problem)[EVALUATIONS] == 0.0 and halt.over
    assert halt.settings_for(settings_of, check_problem(planar_2r, None, Stop(1e-3), None))[EVALUATIONS] == 0.0


def test_readable_code_is_left_at_the_first_press_alone() -> None:
    halt, seen = Halt(), []
    with sigint_guard(halt):
        with interruptible(halt):
            signal.raise_signal(signal.SIGINT)
            seen.append("not left")
        signal.raise_signal(signal.SIGINT)
        seen.append("second")
    assert seen == ["second"] and halt.requested


def test_a_fault_in_the_callers_own_part_ends_the_others_and_is_raised() -> None:
    halt, ended = Halt(), []

    def job() -> None:
        if threading.current_thread() is threading.main_thread():
            raise RuntimeError("a test's")
        while not halt.requested:
            time.sleep(0.001)
        ended.append(True)

    with pytest.raises(RuntimeError, match="a test's"):
        in_threads(job, 3, halt, caller_too=True)
    assert ended == [True, True]


def test_the_time_of_a_search_stands_still_while_anybody_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(interruption, "clock", lambda: now[0])
    halt = Halt(1.0)
    with halt.compiling():  # one thread
        now[0] = 3.0
        with halt.compiling():  # and another, that waits for it
            now[0] = 5.0
            assert not halt.expired and not halt.over
            assert halt.wait_time == interruption.TICK, "who waits looks now and then, and not all the time"
        assert not halt.expired
    now[0] = 5.9
    assert not halt.expired
    now[0] = 6.1
    assert halt.expired and halt.over
