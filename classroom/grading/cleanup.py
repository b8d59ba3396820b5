"""Remove what a submission leaves behind: files and processes, including those that left its session.

A process belongs to a submission if it descends from the submission's process (on Linux even if its parent has ended),
has the path of its folder in its environment, or runs under the user number drawn for it.
"""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from ctypes import CDLL
from pathlib import Path

import psutil

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GRADING, SUBMISSION = "grading-", "submission-"
"""Name prefixes of the folders of a grading run and of a submission."""
STRANGERS = 2_000_000_000
"""User numbers from here on have no account."""
SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""World-writable folders."""
PATIENCE = 60.0
"""Seconds to wait until killed processes have ended."""
ADOPT = 36  # PR_SET_CHILD_SUBREAPER
STARTED: set[int] = set()
"""Processes of submissions that have not been ended."""


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process, so that they can be found."""
    if sys.platform == "linux":
        CDLL(None).prctl(ADOPT, 1, 0, 0, 0)


def end(process: "subprocess.Popen[bytes]", place: str = "", user: int = 0) -> None:
    """Kill a process and all its descendants, wait until they have ended, and close its streams.

    Args:
        process: Process that was started for a submission.
        place: Folder of the submission, without Bubblewrap.
        user: User number drawn for the submission, 0 for none.
    """
    began, children = time.time(), list[psutil.Process]()
    with contextlib.suppress(psutil.Error):
        started = psutil.Process(process.pid)
        began, children = started.create_time(), started.children(recursive=True)
    process.kill()
    process.wait()
    kill_all(children)
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        kill_all(members(process.pid))
    STARTED.discard(process.pid)
    if place:
        kill_left(place, user, began)
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            stream.close()  # type: ignore[union-attr]


def kill_left(place: str, user: int, began: float | None = None) -> None:
    """Kill the processes of a submission until none is found, since each may start others meanwhile.

    Args:
        place: Folder of the submission.
        user: User number drawn for the submission; any other number is ignored.
        began: Start time of its process, s; None if this process did not start it.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        processes = left_running(place, user) + ([] if began is None else orphans(began))
        if not processes:
            return
        kill_all(processes)


def left_running(place: str, user: int) -> list[psutil.Process]:
    """Return the other processes that have a folder in their environment or belong to a user."""
    processes = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if one.pid != os.getpid() and is_alive(one) and (is_users(one, user) or place in one.environ().values()):
                processes.append(one)
    return processes


def members(group: int) -> list[psutil.Process]:
    """Return the processes of a process group."""
    processes = []
    for one in psutil.process_iter():
        with contextlib.suppress(OSError):
            if os.getpgid(one.pid) == group:
                processes.append(one)
    return processes


def orphans(began: float) -> list[psutil.Process]:
    """Return the processes adopted since a time: unlike those of a submission, own children are in this session."""
    if sys.platform != "linux":
        return []
    processes = []
    for one in psutil.Process().children():
        with contextlib.suppress(psutil.Error, OSError):
            adopted = os.getsid(one.pid) != os.getsid(0) and one.create_time() >= began and one.pid not in STARTED
            if adopted and is_alive(one):
                processes += [one, *one.children(recursive=True)]
    return processes


def is_users(process: psutil.Process, user: int) -> bool:
    """Return whether a process belongs to a user number without an account."""
    return user >= STRANGERS and process.uids().real == user


def kill_all(processes: list[psutil.Process]) -> None:
    """Kill processes and wait until they have ended."""
    for one in processes:
        with contextlib.suppress(psutil.Error):
            one.kill()
    until = time.monotonic() + PATIENCE
    while any(map(is_alive, processes)) and time.monotonic() < until:
        time.sleep(0.01)
    for one in processes:
        with contextlib.suppress(psutil.Error):
            one.wait(0)  # an adopted process stays as a zombie


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process can still run; an ended one may be a zombie."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def remove_files_of(user: int) -> None:
    """Remove the files of a user number without an account from the world-writable folders."""
    if user < STRANGERS:
        return
    for folder in {tempfile.gettempdir(), *SHARED}:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == user:
                        remove(entry.path)


@contextlib.contextmanager
def folder(prefix: str, inside: str | None = None) -> Iterator[str]:
    """Create a temporary folder and remove it on exit, regardless of permissions and depth.

    The folder is locked while this process runs; `remove_abandoned` removes the folders whose lock is free.
    """
    place, lock = lock_new_folder(prefix, inside)
    try:
        yield place
    finally:
        remove(place)
        if lock is not None:
            os.close(lock)


def lock_new_folder(prefix: str, inside: str | None) -> tuple[str, int | None]:
    """Create and lock a temporary folder; retry if another run removed it before it was locked."""
    while True:
        place = tempfile.mkdtemp(prefix=prefix, dir=inside)
        if fcntl is None:
            return place, None
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(place, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if Path(place).exists():
                return place, lock
            os.close(lock)


def remove_abandoned() -> None:
    """Remove the folders and processes of grading runs that were killed."""
    if fcntl is None:
        return
    for place in Path(tempfile.gettempdir()).glob(f"{GRADING}*"):
        with contextlib.suppress(OSError):
            lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises if a grading run uses the folder
                    sweep(place)
                    remove(str(place))
            finally:
                os.close(lock)


def sweep(place: Path) -> None:
    """Remove the processes and files that the submissions of a grading run have left."""
    for one in place.iterdir():
        info = one.lstat()
        if one.name.startswith(SUBMISSION) and stat.S_ISDIR(info.st_mode):
            kill_left(str(one), info.st_uid)
            remove_files_of(info.st_uid)
            remove(str(one))


def remove(place: str) -> None:
    """Remove a file or a folder, regardless of permissions and depth."""
    try:
        if Path(place).is_dir() and not Path(place).is_symlink():
            shutil.rmtree(place)
        else:
            Path(place).unlink(missing_ok=True)
    except (OSError, RecursionError):  # folders without permission, or nested thousands deep
        for command in (["chmod", "-R", "u+rwX", place], ["rm", "-rf", "--", place]):
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
