"""Faults at the start of a process: the result always equals that of a healthy start.

Three small modules represent derived and compiled ones: the same loader writes and reads the solver's modules.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.check

START = """
import json, sys
from lessons_lib.codegen import cache
HEAD = "from lessons_lib.codegen.native import native\\n"
FIRST = HEAD + "@native\\ndef half(x):\\n    return x / 2\\n"
NEXT = HEAD + "from {} import {}\\n@native\\ndef {}(x):\\n    return {}(x) + 0.25\\n"
made = []
def text(form, *names):
    made.append(names)
    return form.format(*names)
first = cache.load("first", "1", lambda: text(FIRST))
second = cache.load("second", "1", lambda: text(NEXT, first.__name__, "half", "more", "half"), (first,))
third = cache.load("third", "1", lambda: text(NEXT, second.__name__, "more", "most", "more"), (second,))
answer = [third.most(1.5), second.more(3.0), first.half(0.5)]
"""
"""Three modules, each calling a function of the one before; `made` lists the texts that were requested."""

SOLVE = """
import json, sys
from lessons_lib import lie, pose_ik, robots
chain = robots.planar_2r()
target = chain.forward_kinematics([0.5, 1.25])
found = pose_ik.solve(chain, target, [0.25, 0.75])
kit = lie.exp_so3([0.5, 0.25, -0.125])
answer = [found.status.name, found.iterations, found.q.tobytes().hex(), target.tobytes().hex(), kit.tobytes().hex()]
"""
"""A solve, for faults that do not concern files; it uses the cache of all tests."""

ANSWER = "print(json.dumps(answer))\n"


def start(code: str, cache: Path | None, **environment: str) -> subprocess.Popen[str]:
    """Start a process, with its own cache and temporary folder if given, and warnings as errors."""
    places = {}
    if cache is not None:
        places = {"LESSONS_CACHE_DIR": str(cache), "TMPDIR": str(cache.parent), "HOME": str(cache.parent)}
    kept = {name: value for name, value in os.environ.items() if name != "LESSONS_PLAIN"}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**kept, **places, **environment},
    )


def answer_of(process: subprocess.Popen[str]) -> list[Any]:
    """Return the printed JSON of a process, and check that stderr has only messages about compilations."""
    try:
        output, errors = process.communicate(timeout=900)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # including a hanging child
        raise
    told = [line for line in errors.splitlines() if not line.startswith("lessons_lib: compiling ")]
    assert (process.returncode, told) == (0, [])
    return json.loads(output)


def files(cache: Path, pattern: str) -> list[Path]:
    return sorted(cache.rglob(pattern))


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[float]]]:
    """A cache filled by two processes at the same time, and their results."""
    cache = tmp_path_factory.mktemp("healthy") / "cache"
    processes = [start(START + ANSWER, cache) for _ in range(2)]
    return cache, [answer_of(process) for process in processes]


@pytest.fixture
def answer(healthy: tuple[Path, list[list[float]]]) -> list[float]:
    """Result of a healthy start."""
    return healthy[1][0]


@pytest.fixture
def cache(healthy: tuple[Path, list[list[float]]], tmp_path: Path) -> Path:
    """Copy of a filled cache."""
    return Path(shutil.copytree(healthy[0], tmp_path / "cache"))


def test_two_processes_with_one_empty_cache_agree(
    healthy: tuple[Path, list[list[float]]],
) -> None:
    cache, answers = healthy
    assert answers == [[1.25, 1.75, 0.25]] * 2
    assert len(files(cache, "*.py")) == len(files(cache, "*.o")) == 3
    assert files(cache, "*.tmp*") == []


def test_a_filled_cache_gives_the_same_result_and_stays_unchanged(cache: Path, answer: list[float]) -> None:
    before = {path: path.read_bytes() for path in files(cache, "*.[po]*")}
    assert answer_of(start(START + "assert not made\n" + ANSWER, cache)) == answer
    assert {path: path.read_bytes() for path in files(cache, "*.[po]*")} == before


def test_the_second_start_of_the_solver_derives_nothing() -> None:
    first = answer_of(start(SOLVE + ANSWER, None))
    assert first[0] == "CONVERGED"
    nothing_derived = "assert not {'sympy', 'matplotlib'} & set(sys.modules)\n"
    assert answer_of(start(SOLVE + nothing_derived + ANSWER, None)) == first


def test_without_the_compiler_results_agree_to_rounding() -> None:
    answer, plain = (answer_of(start(SOLVE + ANSWER, None, LESSONS_PLAIN=off)) for off in ("0", "1"))
    assert plain[:2] == answer[:2]
    for ours, theirs in zip(plain[2:], answer[2:], strict=True):
        # The compiler contracts a·b + c: other last bits, of numbers near 1, in some thousand operations.
        np.testing.assert_allclose(np.frombuffer(bytes.fromhex(ours)), np.frombuffer(bytes.fromhex(theirs)), atol=1e-12)


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


FORK_WHILE_BUSY = """
import threading, time, warnings
from lessons_lib.codegen import cache
from lessons_lib.codegen.native import Native
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any fork beside threads
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x):\\n    return x + {}\\n"
def slow():
    busy.set()
    time.sleep(1.0)
    return text.format(1)
def busy_loading():
    cache.load("slow", "", slow)
make = Native._build
def slow_to_compile(self, types):
    if "slower" in self.__module__:
        busy.set()
        time.sleep(1.0)
    return make(self, types)
Native._build = slow_to_compile
def busy_compiling():
    cache.load("slower", "", lambda: text.format("2")).f(1.0)
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
def test_a_child_forked_during_a_compilation_does_not_hang(tmp_path: Path) -> None:
    assert answer_of(start("import json\n" + FORK + FORK_WHILE_BUSY + ANSWER, tmp_path / "cache")) == [3.0, 3.0]


def exchange(path: Path, draw: np.random.Generator) -> None:
    """Replace the content of a file by that of another file of the same type."""
    other = next(one for one in path.parent.glob(f"*{path.suffix}") if one != path)
    path.write_bytes(other.read_bytes())


def flip_a_bit(path: Path, draw: np.random.Generator) -> None:
    content = bytearray(path.read_bytes())
    content[int(draw.integers(len(content)))] ^= 1 << int(draw.integers(8))
    path.write_bytes(content)


def put_a_folder(path: Path, draw: np.random.Generator) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, Callable[[Path, np.random.Generator], object]] = {
    "a flipped bit": flip_a_bit,
    "truncation": lambda path, draw: os.truncate(path, int(draw.integers(path.stat().st_size))),
    "noise": lambda path, draw: path.write_bytes(draw.bytes(5000)),
    "a folder": put_a_folder,
    "exchange": exchange,
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_cache_is_rebuilt(cache: Path, answer: list[float], kind: str) -> None:
    draw = np.random.default_rng(12)
    for path in [*files(cache, "*.o"), files(cache, "*.py")[0]]:
        DAMAGE[kind](path, draw)
    assert answer_of(start(START + ANSWER, cache)) == answer
