"""Removes what a hand-in leaves behind: processes, also those that have left its session, and files.

A process counts as the hand-in's if it descends from the one that was started for it (on Linux also if its parent
has ended), carries the path of its folder in its environment, or runs as the user number that was drawn for it.
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

GRADING, HAND_IN = "grading-", "hand-in-"
"""Beginnings of the names of a grading run's folder and of a hand-in's."""
STRANGERS = 2_000_000_000
"""User numbers from here on have no account."""
SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""Folders into which every user may write."""
PATIENCE = 60.0
"""Seconds to wait until killed processes have ended."""
ADOPT = 36  # PR_SET_CHILD_SUBREAPER
STARTED: set[int] = set()
"""Processes that were started for hand-ins and have not been ended."""


def adopt_orphans() -> None:
    """Let the kernel make orphaned descendants children of this process, so that they can be found."""
    if sys.platform == "linux":
        CDLL(None).prctl(ADOPT, 1, 0, 0, 0)


def end(process: "subprocess.Popen[bytes]", place: str = "", user: int = 0) -> None:
    """Kill a process and all that it has started, wait until they have ended, and close its streams.

    Args:
        process: Started for a hand-in.
        place: Folder of the hand-in, without Bubblewrap.
        user: Number that was drawn for the hand-in, 0 for none.
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
    """Kill the processes of a hand-in until none is found: each may start others meanwhile.

    Args:
        place: Folder of the hand-in.
        user: Number that was drawn for it, or another one, which is not looked for.
        began: When its process was started, s; None if this process has not started it.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = left_running(place, user) + ([] if began is None else orphans(began))
        if not found:
            return
        kill_all(found)


def left_running(place: str, user: int) -> list[psutil.Process]:
    """Return the processes that carry a folder in their environment or belong to a user, this one left out."""
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if one.pid != os.getpid() and is_alive(one) and (is_users(one, user) or place in one.environ().values()):
                found.append(one)
    return found


def members(group: int) -> list[psutil.Process]:
    """Return the processes of a process group."""
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(OSError):
            if os.getpgid(one.pid) == group:
                found.append(one)
    return found


def orphans(began: float) -> list[psutil.Process]:
    """Return what this process has adopted since then: its own children are of its session, a hand-in's are not."""
    if sys.platform != "linux":
        return []
    found = []
    for one in psutil.Process().children():
        with contextlib.suppress(psutil.Error, OSError):
            adopted = os.getsid(one.pid) != os.getsid(0) and one.create_time() >= began and one.pid not in STARTED
            if adopted and is_alive(one):
                found += [one, *one.children(recursive=True)]
    return found


def is_users(process: psutil.Process, user: int) -> bool:
    """Return whether a process belongs to a user number that has no account."""
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
            one.wait(0)  # one that this process has adopted leaves its entry behind


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process can still run; one that has ended may wait for somebody to ask how."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def remove_files_of(user: int) -> None:
    """Remove what a user number without an account has left in the folders into which every user may write."""
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
    """Make a temporary folder; in the end it is gone, with all that is in it, whatever its rights and depth.

    It is locked meanwhile, which ends with this process: `remove_abandoned` removes those whose lock is free.
    """
    place, lock = locked(prefix, inside)
    try:
        yield place
    finally:
        remove(place)
        if lock is not None:
            os.close(lock)


def locked(prefix: str, inside: str | None) -> tuple[str, int | None]:
    """Make a temporary folder and lock it; another run may have removed it before it was locked."""
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
    """Remove what grading runs that were killed have left: their folders, and processes of their hand-ins."""
    if fcntl is None:
        return
    for place in Path(tempfile.gettempdir()).glob(f"{GRADING}*"):
        with contextlib.suppress(OSError):
            lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it raises if somebody grades there
                    sweep(place)
                    remove(str(place))
            finally:
                os.close(lock)


def sweep(place: Path) -> None:
    """Remove what the hand-ins of a grading run have left running or lying about."""
    for one in place.iterdir():
        info = one.lstat()
        if one.name.startswith(HAND_IN) and stat.S_ISDIR(info.st_mode):
            kill_left(str(one), info.st_uid)
            remove_files_of(info.st_uid)
            remove(str(one))


def remove(place: str) -> None:
    """Remove a file or a folder, whatever its rights and depth."""
    try:
        if Path(place).is_dir() and not Path(place).is_symlink():
            shutil.rmtree(place)
        else:
            Path(place).unlink(missing_ok=True)
    except (OSError, RecursionError):  # folders that are shut, or thousands inside each other
        for command in (["chmod", "-R", "u+rwX", place], ["rm", "-rf", "--", place]):
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
