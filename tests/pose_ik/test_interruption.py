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
from types import SimpleNamespace

import numpy as np
import pytest

from lessons_lib.errors import TransformError
from lessons_lib.pose_ik import BestOf, Restarts, Status, Stop, interruption, solve, solve_batch
from lessons_lib.pose_ik import progress as bars
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


RANDOM_PRESSES = """
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

def by_scipy(q):
    T = arm.home
    for (x, y, z, *v), angle in [*zip(arm.screws.T, q)][::-1]:
        T = expm(angle * np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])) @ T
    return T

for _ in range(8):
    poses = np.where(rng.random((900, 1, 1)) < rng.choice([0.01, 0.3, 1.0]), lost[:900], easy[:900])
    poses[rng.integers(2, 9)] = lost[0]
    pressing, found = press(rng.uniform(0.0, 0.8) ** 2, *rng.choice([0.0, 1e-4, 2e-3, 0.05], rng.integers(2))), None
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = work(poses)
            settle(pressing)
        except KeyboardInterrupt:
            settle(pressing)  # the second came when the work was over
    assert found is not None and not pressing.is_alive() and not left_behind()
    done = np.array([isinstance(status, Status) and status is not Status.INTERRUPTED for status in found.status])
    assert not done.all() and f"interrupted: {done.sum()} of {len(done)} " in str(told[-1].message), told
    assert np.isnan(found.position_error[~done]).all()
    for row in np.flatnonzero(done)[:40]:
        T = by_scipy(found.q[row])
        angle = Rotation.from_matrix(T[:3, :3].T @ poses[row][:3, :3]).magnitude()
        away = np.linalg.norm(T[:3, 3] - poses[row][:3, 3])
        assert found.status[row] is not Status.CONVERGED or max(angle, away) <= 1.001e-6
        assert abs(angle - found.orientation_error[row]) <= 1e-8 and away <= found.position_error[row] + 1e-8
    assert pose_ik.solve(arm, easy[7]).converged
print("kept")
"""

WORK = {
    "a batch": "pose_ik.solve_batch(arm, poses, starts=forever, threads=1)",
    "a batch in threads": "pose_ik.solve_batch(arm, poses, starts=forever, threads=2)",
    "a batch by least squares": "pose_ik.solve_batch(arm, poses, starts=forever, method=GaussNewton())",
    "a trace": "trajectories.trace(arm, poses, starts=forever, on_failure='skip')",
}


@pytest.mark.release
@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("seed", range(5))
def test_ctrl_c_at_a_random_moment_keeps_what_is_done(work: str, seed: int, run: Callable[[str], str]) -> None:
    """Rows that are done are honest by SciPy's matrix exponential, and the warning counts them."""
    scene = f"rng, work = np.random.default_rng({seed}), lambda poses: {WORK[work]}\n{RANDOM_PRESSES}"
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


@pytest.mark.parametrize("arguments", ["starts=Near(), on_failure='skip'", "starts=Restarts(99), on_failure='go on'"])
def test_a_long_trace_that_stays_near(arguments: str, run: Callable[[str], str]) -> None:
    scene = f"""
        many = np.tile(lost[:1], (300_000, 1, 1))
        trajectories.trace(arm, many[:2], {arguments})
        for seconds in (0.2, 1.0, 5.0, 25.0, 125.0):
            press(seconds)
            found = trajectories.trace(arm, many, {arguments})
            if found.tried.any():
                break
        assert 0 < found.tried.sum() < len(many) and not found.reached.any()
        print(left_behind())
    """
    assert run(scene) == "[]"


def test_a_readable_batch_keeps_its_rows(run: Callable[[str], str]) -> None:
    scene = """
        poses = lost[:9].copy()
        poses[:2] = easy[:2]
        press(0.1, rows=2)
        found = pose_ik.solve_batch(arm, poses, method=Own(), starts=forever)
        print([status.name for status in found.status[:3]])
    """
    assert run(scene) == "['CONVERGED', 'CONVERGED', 'INTERRUPTED']"


def test_beside_the_main_thread(run: Callable[[str], str]) -> None:
    """A batch in another thread does not hear Ctrl-C: the main thread is interrupted, and the batch ends whole."""
    scene = """
        found = []
        other = threading.Thread(target=lambda: found.append(pose_ik.solve_batch(arm, lost[:40])))
        other.start()
        try:
            press(0.05, listens=False)
            while True:
                time.sleep(0.05)  # a signal need not wake the thread that it is for
        except KeyboardInterrupt:
            other.join()
            print({status.name for status in found[0].status})
    """
    assert run(scene) == "{'STALLED'}"


def test_a_keyboard_interrupt_that_is_thrown_into_another_thread(run: Callable[[str], str]) -> None:
    """As a notebook server or a debugger does; it is heard where the thread waits."""
    scene = """
        import ctypes
        found = []
        other = threading.Thread(target=lambda: found.append(pose_ik.solve_batch(arm, lost[:40], starts=forever)))
        other.start()
        while not left_behind():
            time.sleep(0.001)  # its search has not begun
        time.sleep(0.3)
        while other.is_alive():  # Python forgets one that comes while it calls a finalizer
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(other.ident), ctypes.py_object(KeyboardInterrupt))
            other.join(20)
        print({status.name for status in found[0].status}, left_behind())
    """
    assert run(scene) == "{'INTERRUPTED'} []"


BEGUN = """
def begun(rows):
    # say so when so many rows are solved
    batches.clear()
    def wait():
        while not solved(rows):
            time.sleep(0.001)
        print("begin", flush=True)
    threading.Thread(target=wait, daemon=True).start()
"""
NOTEBOOK = f"""
import threading
from classroom.kernel_sockets import use_unix_sockets
from jupyter_client.manager import start_new_kernel

use_unix_sockets()

def note(message):
    text = message["content"].get("text", "")
    if "begin" in text:
        threading.Timer(0.1, manager.interrupt_kernel).start()
    else:
        print(text, end="")

def cell(text):
    return client.execute_interactive(text, timeout={HUNG}, output_hook=note)["content"]

manager, client = start_new_kernel(startup_timeout={HUNG})
cell({BEGIN!r})
cell({BEGUN!r})
cell("begun(1); found = pose_ik.solve_batch(arm, np.vstack([easy[:1], lost[:50]]), starts=forever)")
cell("print([status.name for status in found.status[:2]])")
print(cell("print('begin', flush=True); pose_ik.solve(arm, lost[0], starts=forever)")["ename"])
print(cell("assert not left_behind()")["status"])
client.stop_channels()
manager.shutdown_kernel(now=True)
"""


def test_in_a_notebook() -> None:
    """The kernel's interrupt button, as JupyterLab presses it: the cell has what is solved, and the next one runs."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=3 * HUNG, cwd=root)
    assert done.stdout.splitlines() == ["['CONVERGED', 'INTERRUPTED']", "KeyboardInterrupt", "ok"], done.stderr


@pytest.mark.parametrize("progress", [True, None])
def test_the_bar_moves_every_second_though_no_row_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], progress: bool | None
) -> None:
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now, time=lambda: 1e12 + clock.now)
    monkeypatch.setattr(bars, "time", clock)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with bars.progress_bar(lambda: 0, 100, "solving", progress) as tick:
        for second in range(8):
            for _ in range(10):
                clock.now += 0.1
                tick()
            assert ("solving" in capsys.readouterr().err) or (progress is None and second < 3)


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


def test_ctrl_c_is_pythons_own_again_after_a_batch(planar_2r: Chain) -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    solve_batch(planar_2r, [planar_2r.forward_kinematics([0.1, 0.2])])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_halt_that_was_asked_for_reaches_settings_that_are_made_later(planar_2r: Chain) -> None:
    halt, problem = Halt(), check_problem(planar_2r, None, None, None)
    halt.allow(7.0)
    assert halt.reaching(settings_of, problem)[EVALUATIONS] == 7.0
    assert np.isinf(settings_of(problem)[EVALUATIONS]), "those of everybody else are another array"
    halt.request()
    assert halt.reaching(settings_of, problem)[EVALUATIONS] == 0.0
    halt.allow()
    assert halt.reaching(settings_of, problem)[EVALUATIONS] == 0.0 and halt.over
    assert halt.reaching(settings_of, check_problem(planar_2r, None, Stop(1e-3), None))[EVALUATIONS] == 0.0


def test_readable_code_is_left_at_the_first_press_alone() -> None:
    halt, seen = Halt(), []
    with sigint_guard(halt):
        with interruptible(halt):
            signal.raise_signal(signal.SIGINT)
            seen.append("not left")
        signal.raise_signal(signal.SIGINT)
        seen.append("second")
    assert seen == ["second"] and halt.requested


def test_a_fault_in_one_thread_ends_the_others_and_is_raised() -> None:
    halt, turns = Halt(), iter(range(3))

    def job() -> None:
        if next(turns) == 1:
            raise MemoryError("a test's")
        while not halt.requested:
            time.sleep(0.001)

    with pytest.raises(MemoryError, match="a test's"):
        in_threads(job, 3, halt)
    assert not any(thread.name.startswith("lessons_lib") for thread in threading.enumerate())


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
            assert halt.patience == interruption.TICK, "who waits looks now and then, and not all the time"
        assert not halt.expired
    now[0] = 5.9
    assert not halt.expired
    now[0] = 6.1
    assert halt.expired and halt.over


@pytest.mark.parametrize("possible", [0, 1])
def test_where_no_further_thread_can_be_had_the_work_is_done(
    planar_2r: Chain, monkeypatch: pytest.MonkeyPatch, possible: int
) -> None:
    start, started = threading.Thread.start, []

    def refusing(thread: threading.Thread) -> None:
        if len(started) == possible:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    poses = np.array([planar_2r.forward_kinematics([0.3, 0.1 + 0.001 * k]) for k in range(2000)])
    expected = solve_batch(planar_2r, poses)
    monkeypatch.setattr(threading.Thread, "start", refusing)
    np.testing.assert_array_equal(solve_batch(planar_2r, poses, threads=2).q, expected.q)
    assert len(started) == possible


def test_a_search_that_goes_on_slice_by_slice_is_the_same_search(planar_2r: Chain) -> None:
    """One step a start, and a tolerance that one start in some hundred thousand meets: that takes several slices."""
    target = planar_2r.forward_kinematics([0.4, 1.8])
    asked = {"starts": Restarts(1_000_000), "stop": Stop(2e-6, 2e-6, max_iterations=1)}
    many = solve_batch(planar_2r, np.array([target]), [-0.5, -1.0], **asked)
    one = solve(planar_2r, target, [-0.5, -1.0], **asked)
    assert one.converged and one.restarts > 500_000, one
    np.testing.assert_array_equal(one.q, many.q[0])
    assert one.restarts == many.restarts[0] and one.iterations == many.iterations[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda T: T.__setitem__((0, 3), np.nan),
        lambda T: T.__setitem__((0, 0), np.inf),
        lambda T: T.__setitem__((3, 3), 2.0),
        lambda T: T.__setitem__((slice(None), 1), -T[:, 1]),
        lambda T: T.__setitem__((slice(3), slice(3)), 1.001 * T[:3, :3]),
    ],
    ids=["NaN", "inf", "last row", "reflection", "stretched"],
)
def test_a_bad_row_is_refused_before_the_first_is_solved(
    planar_2r: Chain, change: Callable[[np.ndarray], None]
) -> None:
    class Counted:
        steps = 0

        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            self.steps += 1
            return np.zeros(2)

    poses = np.tile(planar_2r.forward_kinematics([0.4, 1.0]), (5000, 1, 1))
    change(poses[4998]), change(poses[4999])
    method = Counted()
    with pytest.raises(TransformError, match="target 4998"):
        solve_batch(planar_2r, poses, method=method)
    starts = np.zeros((5000, 2))
    starts[4998:, 0] = np.nan
    with pytest.raises(ValueError, match="row 4998 of q0"):
        solve_batch(planar_2r, poses[:1].repeat(5000, axis=0), starts, method=method)
    assert method.steps == 0


def test_all_rows_together_are_checked_as_each_alone(planar_2r: Chain) -> None:
    """Rotations that are wrong by about what is allowed: a batch takes exactly those that a single solve takes."""
    rng, exact = np.random.default_rng(9), planar_2r.forward_kinematics([0.4, 1.0])
    taken, asked = set(), {"starts": Restarts(0), "stop": Stop(max_iterations=1)}
    for _ in range(60):
        pose = exact.copy()
        pose[:3, :3] += rng.uniform(-1, 1, (3, 3)) * 10 ** rng.uniform(-13, -5)
        results = []
        for call in (
            lambda T: solve(planar_2r, T, **asked),
            lambda T: solve_batch(planar_2r, T[None], **asked),
            lambda T: solve_batch(planar_2r, np.concatenate([exact[None].repeat(30, axis=0), T[None]]), **asked),
        ):
            try:
                call(pose)
            except ValueError:
                results.append(False)
            else:
                results.append(True)
        assert len(set(results)) == 1, pose
        taken.add(results[0])
    assert taken == {True, False}


def test_no_status_is_left_open(planar_2r: Chain) -> None:
    """A batch that nobody interrupts has no row that is INTERRUPTED, however its rows are shared out."""
    exact = planar_2r.forward_kinematics([0.4, 1.0])
    lost = exact.copy()
    lost[:2, 3] *= 0.5
    for count in (1, 64, 65, 1025):
        poses = np.tile(exact, (count, 1, 1))
        poses[::97] = lost
        for starts in (Restarts(20), BestOf(3, restarts=20)):
            found = solve_batch(planar_2r, poses, threads=3, starts=starts)
            assert set(found.status) <= {Status.CONVERGED, Status.MAX_ITERATIONS, Status.STALLED}
            assert not found.converged[::97].any() and found.converged.sum() == count - len(poses[::97])
