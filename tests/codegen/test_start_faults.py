"""Starts that go wrong, in real processes: the answer is always that of a healthy start, only later."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent.parent

SOLVE = """
import json, sys
import numpy as np
from lessons_lib import lie, pose_ik, robots
chain = robots.planar_2r()
target = chain.forward_kinematics([0.5, 1.25])
found = pose_ik.solve(chain, target, [0.25, 0.75])
kit = lie.exp_so3([0.5, 0.25, -0.125])
answer = [found.status.name, found.iterations, found.q.tobytes().hex(), target.tobytes().hex(), kit.tobytes().hex()]
"""
ANSWER = "print(json.dumps(answer))\n"
FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
"""No byte can be written to any file, even by the superuser; the system says so with an OSError, as for a full disk."""


def start(code: str, cache: Path, temporary: Path | None = None, **environment: str) -> subprocess.Popen[str]:
    """Start a process with a cache folder and a temporary folder of its own; a warning is an error."""
    temporary = temporary or cache.parent
    places = {"LESSONS_CACHE_DIR": str(cache), "TMPDIR": str(temporary), "HOME": str(temporary)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**kept, **places, **environment},
    )


def answer_of(process: subprocess.Popen[str]) -> list[str]:
    """Return what the process printed: one line on stdout, and on stderr only what was compiled."""
    try:
        output, errors = process.communicate(timeout=900)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # a forked child that hangs, too
        raise
    told = [line for line in errors.splitlines() if not line.startswith("lessons_lib: compiling ")]
    assert (process.returncode, told) == (0, [])
    answer: list[str] = json.loads(output)
    return answer


def files(cache: Path, pattern: str) -> list[Path]:
    return sorted(cache.rglob(pattern))


@pytest.fixture(scope="session")
def healthy(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> tuple[Path, list[list[str]]]:
    """A cache that two processes filled at the same time, and the answers that they gave."""
    shared = tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    cache, told = shared / "healthy" / "cache", shared / "healthy.json"
    with FileLock(shared / "healthy.lock"):
        if not told.exists():
            cache.parent.mkdir()
            processes = [start(SOLVE + ANSWER, cache) for _ in range(2)]
            told.write_text(json.dumps([answer_of(process) for process in processes]))
    return cache, json.loads(told.read_text())


@pytest.fixture
def answer(healthy: tuple[Path, list[list[str]]]) -> list[str]:
    """What a healthy start answers."""
    return healthy[1][0]


@pytest.fixture
def cache(healthy: tuple[Path, list[list[str]]], tmp_path: Path) -> Path:
    """A filled cache of this test's own."""
    return Path(shutil.copytree(healthy[0], tmp_path / "cache"))


def test_two_processes_that_start_at_once_with_an_empty_cache_agree(
    healthy: tuple[Path, list[list[str]]],
) -> None:
    cache, (first, second) = healthy
    assert first == second
    assert first[0] == "CONVERGED"
    assert files(cache, "*.py") and files(cache, "*.nbc")
    assert files(cache, "*.tmp*") == []


def test_a_filled_cache_gives_the_same_answer_and_is_left_alone(cache: Path, answer: list[str]) -> None:
    before = {path: path.read_bytes() for path in files(cache, "*.[pn][yb]*")}
    nothing_derived = "assert not {'sympy', 'matplotlib'} & set(sys.modules)\n"
    assert answer_of(start(SOLVE + nothing_derived + ANSWER, cache)) == answer
    assert {path: path.read_bytes() for path in files(cache, "*.[pn][yb]*")} == before


def test_a_folder_that_cannot_be_written_gives_way_to_a_temporary_one(
    cache: Path, tmp_path: Path, answer: list[str]
) -> None:
    # A folder below a file cannot be made, by the superuser neither. The temporary folder is filled, to save time.
    (tmp_path / "file").touch()
    cache.rename(tmp_path / f"lessons-lib-{os.getuid()}").chmod(0o700)
    assert answer_of(start(SOLVE + ANSWER, tmp_path / "file" / "cache", tmp_path)) == answer


def test_a_full_disk_makes_everything_in_memory(tmp_path: Path, answer: list[str]) -> None:
    assert answer_of(start(FULL_DISK + SOLVE + ANSWER, tmp_path / "cache")) == answer
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size] == []


def test_a_disk_that_fills_up_before_the_machine_code_is_written(cache: Path, answer: list[str]) -> None:
    for path in files(cache, "*.nb[ci]"):
        path.unlink()
    assert answer_of(start(FULL_DISK + SOLVE + ANSWER, cache)) == answer
    assert files(cache, "*.nb[ci]*") == []


def test_machine_code_that_is_truncated_or_foreign_is_made_again(cache: Path, answer: list[str]) -> None:
    spoilt = files(cache, "*.nb[ci]")
    for k, path in enumerate(spoilt):
        whole = path.read_bytes()
        path.write_bytes([whole[: len(whole) // 2], b"", b"a foreign file", b"\x80\x04N.", whole[:-1]][k % 5])
    left = {path: path.read_bytes() for path in spoilt}
    assert answer_of(start(SOLVE + ANSWER, cache)) == answer
    healed = [path for path in spoilt if path.read_bytes() != left[path]]
    assert len(healed) > len(spoilt) // 2
    again = start("from numba.core import event\n" + COUNTED + SOLVE + "answer = counted\n" + ANSWER, cache)
    assert answer_of(again) == []


COUNTED = """
counted = []
class Counter(event.Listener):
    def on_start(self, event):
        counted.append(event.data["dispatcher"].__name__)
    def on_end(self, event):
        pass
event.register("numba:compile", Counter())
"""
"""Counts what is compiled, not loaded."""


def test_generated_source_that_is_truncated_or_foreign_is_made_again(cache: Path, answer: list[str]) -> None:
    whole = {path: path.read_bytes() for path in files(cache, "*.py")}
    for k, path in enumerate(whole):
        path.write_bytes([whole[path][: len(whole[path]) // 2], b"", b"raise SystemExit('foreign')\n"][k % 3])
    assert answer_of(start(SOLVE + ANSWER, cache)) == answer
    assert {path: path.read_bytes() for path in whole} == whole


def test_a_file_in_the_place_of_the_folder_for_machine_code(cache: Path, tmp_path: Path, answer: list[str]) -> None:
    # Numba then turns to its own folder below the home, where nothing can be written either.
    shutil.rmtree(cache / "__pycache__")
    (cache / "__pycache__").touch()
    (tmp_path / ".cache").touch()
    process = start(SOLVE + ANSWER, cache, XDG_CACHE_HOME=str(tmp_path / ".cache"))
    assert answer_of(process) == answer


EMPTIED = """
import os, shutil
shutil.rmtree(os.environ["LESSONS_CACHE_DIR"])
batch = pose_ik.solve_batch(chain, [target, target], [0.25, 0.75])  # its kernels are compiled only now
assert batch.converged.all()
"""


def test_a_folder_that_is_emptied_while_a_process_runs(cache: Path, answer: list[str]) -> None:
    assert answer_of(start(SOLVE + EMPTIED + ANSWER, cache)) == answer


def test_without_the_compiler_the_answer_is_the_same_but_for_rounding(cache: Path, answer: list[str]) -> None:
    plain = answer_of(start(SOLVE + ANSWER, cache, NUMBA_DISABLE_JIT="1"))
    assert plain[:2] == answer[:2]
    for ours, theirs in zip(plain[2:], answer[2:], strict=True):
        # The compiler contracts a·b + c: other last bits, of numbers near 1, in some thousand operations.
        np.testing.assert_allclose(np.frombuffer(bytes.fromhex(ours)), np.frombuffer(bytes.fromhex(theirs)), atol=1e-12)


def test_without_the_compiler_the_solvers_own_tests_pass() -> None:
    """In the cache of all tests: plain Python runs the same texts, which are derived once."""
    chosen = ["test_edges.py", "test_methods.py", "test_starts.py", "test_weights.py", "test_fixed_points.py"]
    chosen += ["test_statuses.py::test_steps_that_overflow_end_their_start"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/pose_ik/{x}" for x in chosen)]
    plain = {"NUMBA_DISABLE_JIT": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, **plain}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout


THREADS = """
import sys, threading
from lessons_lib import pose_ik, robots
sys.setswitchinterval(1e-5)
gate, found = threading.Barrier(8), []
chain = robots.planar_2r()
target = [[0, -1, 0, 0.25], [1, 0, 0, 1.5], [0, 0, 1, 0], [0, 0, 0, 1]]
def work():
    gate.wait()
    for _ in range(20):
        result = pose_ik.solve(chain, target)
        found.append((result.status.name, result.q.tobytes().hex(), chain.body_jacobian(result.q).tobytes().hex()))
workers = [threading.Thread(target=work) for _ in range(8)]
for worker in workers: worker.start()
for worker in workers: worker.join()
assert len(found) == 160
answer = sorted(set(found))
"""


def test_eight_threads_that_use_a_chain_for_the_first_time_at_once(cache: Path, tmp_path: Path) -> None:
    warm = answer_of(start("import json" + THREADS + ANSWER, cache))
    cold = answer_of(start("import json" + THREADS + ANSWER, tmp_path / "empty"))
    assert len(warm) == 1
    assert warm == cold


FORK = """
import os, traceback
def in_child(work):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, json.dumps(work()).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = json.loads(pipe.read())
    os.waitpid(child, 0)
    return told
"""


def indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.strip().splitlines())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_solves_before_and_after_its_parent_did(cache: Path, answer: list[str]) -> None:
    work = "def work():\n" + indented(SOLVE) + "    return answer\n"
    order = "answer = [in_child(work), work(), in_child(work)]\n"
    assert answer_of(start("import json\n" + FORK + work + order + ANSWER, cache)) == [answer] * 3


FORK_WHILE_BUSY = """
import threading, time, warnings
import numba
from lessons_lib.codegen import cache, machine_code
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any fork beside threads
text = "import numba\\n@numba.njit(cache=True)\\ndef f(x):\\n    return x + {}\\n"
def slow():
    busy.set()
    time.sleep(1.0)
    return text.format(1)
def busy_loading():
    cache.load("slow", "", slow)
@numba.extending.overload(len)
def slow_to_compile(x):
    if isinstance(x, numba.types.Float):
        busy.set()
        time.sleep(1.0)
        return lambda x: 2
def busy_compiling():
    cache.load("slower", "", lambda: text.format("len(x)")).f(1.0)
answer = []
for work in (busy_loading, busy_compiling):
    busy = threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    busy.wait()
    answer.append(in_child(lambda: cache.load("quick", "", lambda: text.format(2)).f(1.0)))
    thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_forked_while_another_thread_derives_or_compiles_does_not_wait_for_ever(tmp_path: Path) -> None:
    assert answer_of(start("import json\n" + FORK + FORK_WHILE_BUSY + ANSWER, tmp_path / "cache")) == [3.0, 3.0]
