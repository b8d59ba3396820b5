"""A copy of the repository that is changed in place of the repository, and processes that look at it.

Whatever is no code of ours is imported once, by the process that everything here is forked from: SymPy alone takes a
second. What is ours a child imports from the copy.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_CARRIED = ("lessons_lib", "notebooks", "tests", "benchmarks", "soak", "book", "exercises")

MEMORY = 6 << 30
"""Bytes that a child may have: a wrong power may ask for any number of them."""

ASLEEP = 3600.0
"""Seconds after which a process that neither ends nor works is ended."""


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        value: What the work returned, as JSON can carry it; None where it did not.
        error: Type and message of what it raised, or how the process was ended; empty where it returned.
        seconds: The processor's: a busy machine takes longer.
    """

    value: Any
    error: str
    seconds: float


@contextmanager
def copied(root: Path = ROOT) -> Iterator[Path]:
    """Give a copy of the repository, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        for name in _CARRIED:
            unwanted = shutil.ignore_patterns("_build", ".ipynb_checkpoints")
            shutil.copytree(root / name, copy / name, ignore=unwanted)
        for path in root.iterdir():
            if path.is_file():
                shutil.copy2(path, copy / path.name)
        yield copy


@contextmanager
def changed(copy: Path, file: str, text: str) -> Iterator[None]:
    """Change a file of a copy, for as long as it is needed."""
    path = copy / file
    before, times = path.read_bytes(), path.stat()
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # Python's own bytecode stays good


def import_what_is_not_ours(*names: str) -> None:
    """Import what a child would take long to import; none of it is changed.

    Args:
        names: Of modules; all that the judges want if left out.
    """
    os.environ["MPLBACKEND"] = "agg"
    everything = "IPython.display coverage matplotlib modern_robotics mpmath numba numpy pinocchio pytest scipy.linalg"
    for name in names or (*everything.split(), "sympy"):
        importlib.import_module(name)


def in_a_child(copy: Path, work: Callable[[], Any], seconds: float, writes_bytecode: bool = False) -> Ended:
    """Run work in a process that imports the library from a copy, with an empty cache.

    Args:
        copy: Where the library lies.
        work: What to do; returns what JSON can carry.
        seconds: The processor's, after which the child is ended.
        writes_bytecode: Whether Python may keep the bytecode of what it imports; not where the copy is changed.
    """
    if any(name.split(".")[0] == "lessons_lib" for name in sys.modules):
        raise RuntimeError("lessons_lib is imported already; a child could not import another one")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        answer = Path(folder) / "answer.json"
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            sys.dont_write_bytecode = not writes_bytecode  # two texts of one length and second would share it
            _work_as_child(copy, Path(folder), work, answer)
        status, used = _waited_for(child)
        took = used.ru_utime + used.ru_stime
        if not answer.exists():
            return Ended(
                None, f"the process was ended with {os.waitstatus_to_exitcode(status)} after {took:.0f} s", took
            )
        said = json.loads(answer.read_text(encoding="utf-8"))
        return Ended(said["value"], said["error"], took)


def _work_as_child(copy: Path, folder: Path, work: Callable[[], Any], answer: Path) -> None:
    """Do the work, write the answer, and end this process."""
    said: dict[str, Any] = {"value": None, "error": ""}
    try:
        os.setpgid(0, 0)
        quiet = os.open(folder / "output", os.O_RDWR | os.O_CREAT)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        cache = folder / "cache"
        cache.mkdir(mode=0o700)
        os.environ |= {"LESSONS_CACHE_DIR": str(cache), "PYTHONPATH": str(copy), "CI": "", "TMPDIR": str(folder)}
        tempfile.tempdir = str(folder)
        sys.path[:] = [str(copy), *(p for p in sys.path if p and Path(p).resolve() != ROOT)]
        os.chdir(copy)
        said["value"] = work()
    except BaseException as error:  # noqa: BLE001 (told to the process that waits)
        said["error"] = f"{type(error).__name__}: {error}"[:500]
        traceback.print_exc()
    answer.with_suffix(".new").write_text(json.dumps(said), encoding="utf-8")
    answer.with_suffix(".new").rename(answer)
    os._exit(0)


def used() -> float:
    """Return the processor's seconds of this process and of those that it has waited for."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def _waited_for(child: int) -> tuple[int, resource.struct_rusage]:
    """Wait for a child; end it, and what it has started, where it sleeps for an hour."""
    end, pause = time.monotonic() + ASLEEP, 0.005
    while time.monotonic() < end:
        found, status, used = os.wait4(child, os.WNOHANG)
        if found:
            return status, used
        time.sleep(pause)
        pause = min(0.1, 1.5 * pause)
    os.killpg(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    return status, used
