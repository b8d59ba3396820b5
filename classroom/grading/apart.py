"""Starts a process for a student's code that sees neither the course nor the network, as far as the system can.

With Bubblewrap (`bwrap`) it has a file system of its own that holds Python and the library, read-only, and is
another user there, whoever grades. Without it root hands it to a user number that nobody has. In both cases, and with
neither, `confine.py` shuts all other files on a Linux that has Landlock. `open_to_it` says what is left open.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from classroom.grading import confine
from classroom.grading.cleanup import HAND_IN, STARTED, STRANGERS, adopt_orphans, end, folder, remove_files_of

ROOT = Path(__file__).resolve().parents[2]
TOLD = ("LESSONS_STUDENT", "HAND_IN_MEMORY")
"""Of the environment, what a hand-in is told."""
PLACE = "HAND_IN_PLACE"
"""Names the folder in which the folders of hand-ins are made, and which whoever grades removes."""
TRIED = "HAND_IN_BUBBLEWRAP"
"""Set where somebody has tried whether Bubblewrap works."""
AS_ROOT = (
    "Root runs Bubblewrap, so the kernel does not limit the threads of a hand-in. The grading counts them ten times a "
    f"second and ends a hand-in that has more than {confine.MOST_THREADS}. If another account than root "
    "grades, the kernel limits them."
)
"""What Bubblewrap leaves open to a hand-in if root runs it."""
WORKER = [sys.executable, "-P", "-s", "-B", "-m", "classroom.grading.worker"]
"""Command of the process for a student's functions."""
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
"""What programs need of a system."""


def library() -> Path:
    """Return the folder of the library, whichever one is imported here."""
    found = find_spec("lessons_lib")
    assert found is not None and found.origin is not None
    return Path(found.origin).resolve().parent


def needed() -> list[Path]:
    """Return the folders that a student's code needs to read: Python, what is installed, the library, the worker."""
    pythons = {Path(sys.prefix), Path(sys.base_prefix)}
    return [*pythons, library(), ROOT / "classroom" / "__init__.py", ROOT / "classroom" / "grading"]


def environment(place: str) -> dict[str, str]:
    """Return what a student's code finds in its environment, with a folder for what it writes."""
    told = {name: os.environ[name] for name in TOLD if name in os.environ}
    path = os.pathsep.join([str(ROOT), str(library().parent)])
    one = {f"{of}_NUM_THREADS": "1" for of in ("OMP", "OPENBLAS", "MKL")}
    here = {"HOME": place, "TMPDIR": place, "MPLCONFIGDIR": place, "MPLBACKEND": "agg", "PYTHONPATH": path}
    if os.name == "nt":
        here |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    reads = [*SYSTEM, *map(str, needed()), str(compiled()), "/dev/null", "/dev/urandom", "/proc/self"]
    here["HAND_IN_READS"] = os.pathsep.join(reads)
    return told | one | here | {"LANG": "C.UTF-8", "LESSONS_CACHE_DIR": str(compiled())}


def compiled() -> Path:
    """Return where the compiled code lies, which a student's code may read and never write."""
    from lessons_lib.codegen.cache import directory

    return directory().absolute()


@cache
def bubblewrap() -> tuple[str, ...]:
    """Return the beginning of a command that runs the rest of it apart, or nothing where that cannot be had."""
    program = shutil.which("bwrap")
    if program is None or os.environ.get(TRIED) == "in vain":
        return ()
    command = [program, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--die-with-parent"]
    command += ["--new-session", "--cap-drop", "ALL", "--hostname", "hand-in"]
    for path in SYSTEM:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", str(2**26), "--tmpfs", "/tmp"]
    for path in map(str, (*needed(), compiled())):
        command += ["--ro-bind-try", path, path]
    command += ["--remount-ro", "/", "--chdir", "/tmp"]
    if os.environ.get(TRIED):
        return tuple(command)
    probe = [*command, sys.executable, "-c", "import encodings"]
    tried = subprocess.run(probe, capture_output=True, env=environment("/tmp"), stdin=subprocess.DEVNULL)
    return tuple(command) if tried.returncode == 0 else ()


def tell_kernels() -> None:
    """Let the kernels that this process starts know whether Bubblewrap works, so that they need not try."""
    os.environ[TRIED] = "and works" if bubblewrap() else "in vain"


def another_user() -> bool:
    """Return whether this user can hand a process to another one, who can run this Python."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return False
    folders = {part for path in (Path(sys.executable), Path(sys.executable).resolve(), ROOT) for part in path.parents}
    return all(folder.stat().st_mode & 0o001 for folder in folders)


def open_to_it() -> str:
    """Return what a hand-in could read, do or leave behind on this system that it should not, in words."""
    if bubblewrap():
        return AS_ROOT if confine.this_user() == 0 else ""
    said = []
    if not confine.landlock():
        runs = "as another user, who can read what all may read" if another_user() else "as you"
        rest = "" if another_user() else " and the marks, and write them"
        said.append(f"read files: it runs {runs}, and could read the solutions{rest}")
    if not confine.seccomp():
        said.append("reach the network, start other processes and leave them running, and leave shared memory behind")
    if not (confine.seccomp() and os.getuid() == 0 and can_become()):
        said.append("start as many threads as your account may")
    said.append(
        "see of any file whether it is there and how large it is, and fill the temporary folder while it is graded"
    )
    return (
        f"Without Bubblewrap a hand-in can, on this system: {'; '.join(said)}. Install it (on Debian and Ubuntu: "
        "apt-get install bubblewrap); where there is no Linux, grade in a container or on a machine of its own."
    )


@cache
def can_become() -> bool:
    """Return whether root can hand a process to a user number that nobody has; a container knows few numbers."""
    with tempfile.NamedTemporaryFile() as file:
        try:
            os.chown(file.name, STRANGERS, STRANGERS)
        except OSError:
            return False
    return True


@contextlib.contextmanager
def worker() -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process for a student's functions; in the end it is gone, with what it has started and written."""
    start: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    start["start_new_session"] = True  # so that `end` also finds what bwrap forks while it is killed
    with contextlib.ExitStack() as stack:
        place, user = "", 0
        if apart := bubblewrap():
            process = subprocess.Popen([*apart, *WORKER], env=environment("/tmp"), **start)
        else:
            adopt_orphans()
            place = stack.enter_context(folder(HAND_IN, os.environ.get(PLACE)))
            told = environment(place)
            if confine.this_user() == 0 and os.name != "nt":
                stranger = STRANGERS + secrets.randbelow(100_000_000)
                with contextlib.suppress(OSError):  # a container that knows few numbers of users
                    os.chown(place, stranger, stranger)
                    told["HAND_IN_USER"], user = str(stranger), stranger
                if not another_user():
                    told["HAND_IN_MAY_READ"] = "yes"
            process = subprocess.Popen(WORKER, env=told, cwd=place, **start)
        STARTED.add(process.pid)
        try:
            yield process
        finally:
            end(process, place, user)
            remove_files_of(user)
